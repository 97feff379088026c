package cfs

import (
	"bytes"
	"encoding/binary"
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

// run is a number of periods in a row in which the same happens.
type run struct {
	first, periods int
	quiet          bool // nothing happens
}

// runs divides the periods.
func (t Timeline) runs() []run {
	var runs []run
	var last []byte
	segments := t.Result.Segments
	for n := range int(t.end() / t.Period) {
		start := time.Duration(n) * t.Period
		var now []byte
		for len(segments) > 0 && segments[0].From < start+t.Period {
			if s := segments[0]; s.From < s.To {
				now = appendSegment(now, s, start)
			}
			segments = segments[1:]
		}
		if len(runs) > 0 && bytes.Equal(now, last) {
			runs[len(runs)-1].periods++
		} else {
			runs = append(runs, run{first: n, periods: 1, quiet: len(now) == 0})
		}
		last = now
	}
	return runs
}

// appendSegment writes what happens in a segment in a way that can be compared.
func appendSegment(to []byte, s Segment, start time.Duration) []byte {
	to = binary.AppendVarint(to, int64(s.From-start))
	to = binary.AppendVarint(to, int64(s.To-start))
	frozen := int64(0)
	if s.Frozen {
		frozen = 1
	}
	to = binary.AppendVarint(to, frozen)
	for i, n := range s.Running {
		if n > 0 {
			to = binary.AppendVarint(binary.AppendVarint(to, int64(i)), int64(n))
		}
	}
	return binary.AppendVarint(to, -1)
}

// foldRuns draws the first period of each run, and folds the others where there are several. Of
// quiet ones none is drawn.
func (t Timeline) foldRuns(runs []run) []panel {
	var panels []panel
	for _, r := range runs {
		keep, words := 1, "alike"
		if r.quiet {
			keep, words = 0, "quiet"
		}
		if r.periods-keep < 2 {
			panels = append(panels, t.singly(r.first, r.first+r.periods)...)
			continue
		}
		panels = append(panels, t.singly(r.first, r.first+keep)...)
		panels = append(panels, panel{
			from: time.Duration(r.first+keep) * t.Period, to: time.Duration(r.first+r.periods) * t.Period,
			folded: r.periods - keep, words: words,
		})
	}
	return panels
}

// label of a panel that is folded: "12 alike".
func (p panel) label() string { return fmt.Sprintf("%d %s", p.folded, p.words) }
