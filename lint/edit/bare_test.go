package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/lint/edit"
)

func never(string) bool { return false }

func TestBare(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":           {"a\n", "a\n", ""},
		"a line changed":    {"a\nb\nc\n", "a\nB\nc\n", "@@ -2 +2 @@\n-b\n+B\n"},
		"a line gone":       {"a\nb\nc\n", "a\nc\n", "@@ -2 +1,0 @@\n-b\n"},
		"a line more":       {"a\nc\n", "a\nb\nc\n", "@@ -1,0 +2 @@\n+b\n"},
		"no end of a line":  {"a\nb", "a\nc", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		"two lines at once": {"a\nb\nc\nd\n", "a\nx\ny\nd\n", "@@ -2,2 +2,2 @@\n-b\n-c\n+x\n+y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, hidden := edit.Bare("f.yaml", []byte(c.before), []byte(c.after), never)
			want := c.want
			if want != "" {
				want = "--- a/f.yaml\n+++ b/f.yaml\n" + want
			}
			if got != want || hidden != 0 {
				t.Errorf("%d hidden, %q", hidden, got)
			}
		})
	}
}

// TestBareHides wants no hidden line in what is shown, and the rest.
func TestBareHides(t *testing.T) {
	got, hidden := edit.Bare("f", []byte("secret\nb\nc\nd\ne\nf\n"), []byte("secret2\nb\nc\nd\ne\nF\n"),
		func(line string) bool { return strings.Contains(line, "secret") })
	if hidden != 1 || got != "--- a/f\n+++ b/f\n@@ -6 +6 @@\n-f\n+F\n" {
		t.Errorf("%d hidden, %q", hidden, got)
	}
}

// TestBareApplies applies the diffs of random texts.
func TestBareApplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 12).Draw(t, "lines")
			return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		})
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		diff, _ := edit.Bare("f", []byte(before), []byte(after), never)
		if got := applied(t, before, diff); got != after {
			t.Fatalf("%q with %q is %q, not %q", before, diff, got, after)
		}
	})
}

// applied does what patch does with a diff without context.
func applied(t *rapid.T, text, diff string) string {
	if diff == "" {
		return text
	}
	old := strings.SplitAfter(text, "\n")
	var out strings.Builder
	at, missing := 0, false
	for _, line := range strings.SplitAfter(diff, "\n")[2:] {
		switch {
		case strings.HasPrefix(line, "@@ -"):
			var start, count int
			if n, _ := fmt.Sscanf(line, "@@ -%d,%d", &start, &count); n < 2 {
				count = 1
			}
			if count > 0 {
				start--
			}
			for ; at < start; at++ {
				out.WriteString(old[at])
			}
		case strings.HasPrefix(line, "-"):
			if strings.TrimSuffix(old[at], "\n") != strings.TrimSuffix(line[1:], "\n") {
				t.Fatalf("%q is %q in the diff", old[at], line)
			}
			at++
			missing = false
		case strings.HasPrefix(line, "+"):
			out.WriteString(line[1:])
			missing = true
		case strings.HasPrefix(line, "\\") && missing:
			shorter := strings.TrimSuffix(out.String(), "\n")
			out.Reset()
			out.WriteString(shorter)
		}
	}
	return out.String() + strings.Join(old[at:], "")
}
