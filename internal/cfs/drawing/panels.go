package drawing

import (
	"fmt"
	"time"
)

// panel is a part of the drawing from left to right: one period, or several that are folded.
type panel struct {
	from, to time.Duration
	folded   int    // periods; 0 in one that is drawn
	words    string // about those that are folded: "alike", "quiet"
}

// panels are the periods to draw, at most so many; the others are folded. Without a limit there is
// one, of all the time.
func (t Timeline) panels(room int) []panel {
	end := t.end()
	if t.Quota == 0 {
		return []panel{{to: end}}
	}
	periods := int(end / t.Period)
	if periods <= max(room, 1) {
		return t.singly(0, periods)
	}
	runs := t.runs()
	folded := t.foldRuns(runs)
	if drawn(folded) <= max(room, 1) {
		return folded
	}
	// Too many even so: the first ones, and the last.
	head := max(room-1, 1)
	rest := panel{from: time.Duration(head) * t.Period, to: end - t.Period, folded: periods - head - 1, words: "more"}
	if room == 1 {
		rest.to, rest.folded = end, periods-1
		return append(t.singly(0, 1), rest)
	}
	return append(append(t.singly(0, head), rest), t.singly(periods-1, periods)...)
}

// maxPanels is how many periods are drawn beside each other.
const maxPanels = 8

// fit chooses as many periods as stay readable in a width, and how wide each is. What is folded has
// its own width, and a separator stands behind each.
func (t Timeline) fit(width, least, folded, separator float64) (panels []panel, each float64) {
	for room := maxPanels; room >= 1; room-- {
		panels = t.panels(room)
		n := drawn(panels)
		rest := width - separator*float64(len(panels)) - folded*float64(len(panels)-n)
		if each = rest / float64(max(n, 1)); each >= least {
			break
		}
	}
	return panels, each
}

func drawn(panels []panel) int {
	n := 0
	for _, p := range panels {
		if p.folded == 0 {
			n++
		}
	}
	return n
}

func (t Timeline) singly(from, to int) []panel {
	var panels []panel
	for n := from; n < to; n++ {
		panels = append(panels, panel{from: time.Duration(n) * t.Period, to: time.Duration(n+1) * t.Period})
	}
	return panels
}

// foldRuns draws the first cycle of each run, and folds the others where they are several periods. Of
// quiet ones none is drawn.
func (t Timeline) foldRuns(runs []run) []panel {
	var panels []panel
	for _, r := range runs {
		keep, words := r.cycle, "alike"
		if r.quiet {
			keep, words = 0, "quiet"
		}
		first, middle, last := r.first, r.first+keep, r.first+r.cycle*r.times
		if last-middle < 2 {
			middle = last
		}
		panels = append(panels, t.singly(first, middle)...)
		if middle < last {
			panels = append(panels, panel{
				from: time.Duration(middle) * t.Period, to: time.Duration(last) * t.Period, folded: last - middle, words: words,
			})
		}
	}
	return panels
}

// label of a panel that is folded: "12 alike".
func (p panel) label() string { return fmt.Sprintf("%d %s", p.folded, p.words) }
