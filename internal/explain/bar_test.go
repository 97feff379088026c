package explain

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// TestBars draws many budgets: each region is as wide as its share, to a column, and both marks
// stand where they should.
func TestBars(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		e := &engine.Explanation{Detail: engine.Detail{Container: "app", Budget: &engine.Budget{
			LimitMiB: float64(random.IntN(3) * random.IntN(20000)), Complete: true,
		}}}
		for i := range 1 + random.IntN(7) {
			term := engine.Term{Name: "r" + strconv.Itoa(i), MiB: float64(random.IntN(9000))}
			e.Budget.Terms = append(e.Budget.Terms, term)
			e.Budget.TotalMiB += term.MiB
		}
		b := barOf(e, 0.2)
		if b == nil {
			continue
		}
		columns := 30 + random.IntN(80)
		cells := b.cells(columns)
		if len(cells) != columns {
			t.Fatalf("%d cells in %d columns", len(cells), columns)
		}
		seen := map[int]int{}
		for _, cell := range cells {
			seen[cell]++
		}
		for i, s := range b.Segments {
			if want := s.MiB / b.Scale * float64(columns); math.Abs(want-float64(seen[i])) > 3 {
				t.Errorf("%s takes %d of %d columns, not %.1f", s.Name, seen[i], columns, want)
			}
		}
		want := 2
		switch {
		case b.Limit <= 0:
			want = 0
		case b.column(b.Line, columns) == b.column(b.Limit, columns):
			want = 1 // the limit is so small a part that both marks are one
		}
		if marks := seen[cellLine] + seen[cellLimit]; marks != want {
			t.Errorf("limit %v, %d marks: %v", b.Limit, marks, cells)
		}
		widths(t, b)
	}
}

// widths sums up the rectangles of the page: they end where the total does.
func widths(t *testing.T, b *bar) {
	t.Helper()
	sum := 0.0
	for _, r := range b.Rects() {
		width, err := strconv.ParseFloat(r.Width, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += width
	}
	if want := 100 * b.Total / b.Scale; math.Abs(sum-want) > 0.01 {
		t.Errorf("the rectangles are %.3f %% wide, not %.3f", sum, want)
	}
}

func TestBarWords(t *testing.T) {
	for _, c := range []struct {
		total, limit float64
		says         string
	}{
		{2888, 4096, "2888 MiB of 4096 MiB: 1208 MiB left, 29.4 %"},
		{9192, 4096, "9192 MiB of 4096 MiB: over the limit by 5096 MiB"},
		{512, 0, "512 MiB, no limit"},
		{4096, 4096, "4096 MiB of 4096 MiB: 0 MiB left, 0 %"},
	} {
		b := &bar{Total: c.total, Limit: c.limit}
		if got := b.Verdict(); got != c.says {
			t.Errorf("%q, not %q", got, c.says)
		}
	}
}

// TestLimitIsSeen: a budget over its limit shows where the limit stands, and what lies beyond it.
func TestLimitIsSeen(t *testing.T) {
	p := newPaper(false, 100)
	p.bar(barOf(&engine.Explanation{Detail: engine.Detail{Budget: &engine.Budget{
		LimitMiB: 100, TotalMiB: 200, Terms: []engine.Term{{Name: "heap", MiB: 150}, {Name: "direct", MiB: 50}},
	}}}, 0.2))
	lines := strings.Split(p.Out.String(), "\n")
	limit := strings.Index(lines[0], "┃")
	if limit < 0 || !strings.Contains(lines[0][limit:], "█") || !strings.Contains(lines[0][limit:], "▓") {
		t.Errorf("nothing stands beyond the limit:\n%s", p.Out.String())
	}
	if at := terminal.Width(lines[0][:limit]); terminal.Width(lines[1][:strings.LastIndex(lines[1], "↑")]) != at {
		t.Errorf("the limit is named elsewhere:\n%s", p.Out.String())
	}
}

// An unknown heap is not a heap of 0 MiB, and what is left under the limit is not known either.
func TestUnknownHeap(t *testing.T) {
	for _, c := range []struct{ resources, flags, verdict, source string }{
		{"", "-Xss1m", "292 MiB without the heap, no limit", "25 % of the node's memory, JVM default, assumed"},
		{limits, "-Xmx1Gi", "292 MiB without the heap, of 4096 MiB", "-Xmx1Gi"},
	} {
		r := explained(t, jvm(c.resources, "env: [{name: JAVA_TOOL_OPTIONS, value: "+c.flags+"}]"), Options{
			WhatIf: changes(t, "limits.memory=2Gi,-Xmx512m"),
		})
		out := text(t, r, "text", 100)
		says(t, out, c.verdict, "heap           not known            "+c.source, "direct         not known            assumed")
		now, _, _ := strings.Cut(out, "What if")
		if strings.Contains(now, " 0 MiB") || strings.Contains(now, "left") {
			t.Errorf("says that there is no heap:\n%s", now)
		}
		for _, line := range strings.Split(out, "\n") {
			words := strings.Fields(line)
			if len(words) > 1 && words[1] == "–" && (words[0] == "heap" || words[0] == "total" || words[0] == "direct") {
				now += words[0]
			}
		}
		says(t, now, "heapdirecttotal")
		says(t, text(t, r, "html", 100), c.verdict, "not known")
		says(t, text(t, r, "svg", 100), c.verdict)
	}
	// A cap of 0 is known.
	r := explained(t, jvm("env: [{name: JAVA_TOOL_OPTIONS, value: -XX:MaxDirectMemorySize=0}]"), Options{})
	says(t, text(t, r, "text", 100), "direct             0 MiB            -XX:MaxDirectMemorySize=0")
}
