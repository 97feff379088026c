package changed

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHunksLeadThere puts the lines of hunks into the old text, which must give the new one.
func TestHunksLeadThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"a", "b", "c", "", "  d: 1"})
		a := rapid.SliceOfN(line, 0, 40).Draw(t, "a")
		b := rapid.SliceOfN(line, 0, 40).Draw(t, "b")
		var got []string
		at := 1
		for _, h := range between(a, b) {
			got = append(got, a[at-1:h.Before.First-1]...)
			got = append(got, b[h.After.First-1:h.After.Last]...)
			at = h.Before.Last + 1
		}
		if got = append(got, a[at-1:]...); !slices.Equal(got, b) {
			t.Fatalf("%q and the hunks %v give %q, not %q", a, between(a, b), got, b)
		}
	})
}

// TestHunksAreFew holds an edit of one line to one hunk of one line.
func TestHunksAreFew(t *testing.T) {
	before := strings.Repeat("cpu: 1\nmemory: 1Gi\n", 5000)
	lines := strings.SplitAfter(before, "\n")
	lines[4001] = "memory: 2Gi\n"
	lines = slices.Insert(lines, 7000, "new\n")
	got := Hunks([]byte(before), []byte(strings.Join(lines, "")))
	want := []Hunk{{Range{4002, 4002}, Range{4002, 4002}}, {Range{7001, 7000}, Range{7001, 7001}}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestHunksOfLineEnds says that other line ends are no change.
func TestHunksOfLineEnds(t *testing.T) {
	if got := Hunks([]byte("a\nb\nc"), []byte("a\r\nb\r\nc\r\n")); got != nil {
		t.Errorf("got %v", got)
	}
}

// TestHunksOfOtherTexts ends where two texts have nothing in common.
func TestHunksOfOtherTexts(t *testing.T) {
	a, b := strings.Repeat("a\n", 30_000), strings.Repeat("b\n", 20_000)
	got := Hunks([]byte("x\n"+a+"y\n"), []byte("x\n"+b+"y\n"))
	if want := []Hunk{{Range{2, 30_001}, Range{2, 20_001}}}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestTouches(t *testing.T) {
	for _, c := range []struct {
		r           Range
		first, last int
		want        bool
	}{
		{Range{5, 7}, 1, 4, false},
		{Range{5, 7}, 1, 5, true},
		{Range{5, 7}, 7, 9, true},
		{Range{5, 7}, 8, 9, false},
		{Range{5, 4}, 1, 4, false},
		{Range{5, 4}, 5, 9, false},
		{Range{5, 4}, 4, 5, true},
		{Range{1, 0}, 1, 9, false},
	} {
		if got := Touches([]Range{c.r}, c.first, c.last); got != c.want {
			t.Errorf("%v in %d to %d: %v", c.r, c.first, c.last, got)
		}
	}
}
