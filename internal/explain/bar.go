package explain

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// segment is one region of a bar.
type segment struct {
	Name    string
	MiB     float64
	Source  string
	Grade   string // of a budget's region: declared, measured, known or assumed
	Least   float64
	Most    float64
	Assumed bool
	Index   int  // of its colour and its glyph
	Unknown bool // nothing tells how much it is, and it counts as 0
}

// amount is for people.
func (s segment) amount() string {
	if s.Unknown {
		return "not known"
	}
	return mib(s.MiB)
}

// bar is memory laid against its limit.
type bar struct {
	Title    string
	Segments []segment
	Least    float64 // MiB: the low end
	Total    float64 // MiB
	Bound    float64 // MiB: what would be allowed
	Limit    float64 // MiB; 0 means no limit
	Line     float64 // MiB: what may be used so that the headroom stays free; 0 without a limit
	Scale    float64 // MiB of the whole width
	Budget   bool    // of a JVM; else it is what was measured
	Complete bool
}

// barOf is what a container's memory adds up to; nil where nothing is known of it. Free is the
// share of the limit that has to stay free.
func barOf(e *engine.Explanation, free float64) *bar {
	b := &bar{Title: terminal.Printable(e.Container), Complete: true}
	switch {
	case e.Budget != nil:
		b.Budget, b.Complete, b.Total, b.Limit = true, e.Budget.Complete, e.Budget.TotalMiB, e.Budget.LimitMiB
		b.Least, b.Bound = e.Budget.LeastMiB, e.Budget.BoundMiB
		for i, t := range e.Budget.Terms {
			b.Segments = append(b.Segments, segment{
				Name: terminal.Printable(t.Name), MiB: t.MiB, Source: terminal.Printable(t.Source), Assumed: t.Assumed,
				Grade: t.Grade, Least: t.LeastMiB, Most: t.BoundMiB,
				Index: i, Unknown: unknown(e.Budget, t),
			})
		}
	case e.Memory.Peak > 0:
		const mebi = 1 << 20
		b.Total, b.Limit = float64(e.Memory.Peak)/mebi, float64(e.Memory.Limit)/mebi
		b.Segments = []segment{{Name: "measured peak", MiB: b.Total}}
	default:
		return nil
	}
	b.Line = b.Limit * (1 - free)
	b.Scale = max(b.Total, b.Limit)
	if b.Scale <= 0 || math.IsInf(b.Scale, 0) {
		return nil
	}
	return b
}

// unknown says whether a term is 0 because its size is not known: the heap, and terms as large as the heap.
func unknown(b *engine.Budget, t engine.Term) bool {
	return !b.Complete && t.MiB == 0 && (t.Name == heapTerm || t.Assumed)
}

const heapTerm = "heap"

// partial says that an unknown heap is missing from the sum.
func (b *bar) partial() bool {
	return slices.ContainsFunc(b.Segments, func(s segment) bool { return s.Unknown })
}

// Verdict is what it comes to, in words.
func (b *bar) Verdict() string {
	switch left := b.Limit - b.Total; {
	case b.partial() && b.Limit <= 0:
		return mib(b.Total) + " without the heap, no limit"
	case b.partial():
		return mib(b.Total) + " without the heap, of " + mib(b.Limit)
	case b.Limit <= 0:
		return mib(b.Total) + ", no limit"
	case left < 0:
		return mib(b.Total) + " of " + mib(b.Limit) + ": over the limit by " + mib(-left)
	default:
		return mib(b.Total) + " of " + mib(b.Limit) + ": " + mib(left) + " left, " + words.Percent(left, b.Limit)
	}
}

// What a cell of a bar in a terminal shows, beside the index of a segment.
const (
	cellFree = -1 - iota
	cellLine
	cellLimit
)

// cells divides the bar into columns. Both marks stand in the bar, whatever is below them.
func (b *bar) cells(columns int) []int {
	cells := make([]int, columns)
	for i := range cells {
		cells[i] = cellFree
	}
	at := func(mib float64) int { return int(math.Round(mib / b.Scale * float64(columns))) }
	sum := 0.0
	for i, s := range b.Segments {
		from := at(sum)
		sum += s.MiB
		for n := from; n < min(at(sum), columns); n++ {
			cells[n] = i
		}
	}
	if b.Limit > 0 {
		cells[b.column(b.Line, columns)] = cellLine
		cells[b.column(b.Limit, columns)] = cellLimit
	}
	return cells
}

// column is where an amount ends.
func (b *bar) column(mib float64, columns int) int {
	return max(0, min(columns-1, int(math.Round(mib/b.Scale*float64(columns)))-1))
}

func mib(n float64) string { return words.Plain(n) + " MiB" }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// sentence ends text with a full stop.
func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
