package cfs

import (
	"encoding/binary"
	"time"
)

// run is a number of periods in which the same happens again and again.
type run struct {
	first, cycle, times int
	quiet               bool // nothing happens
}

// maxCycle is the longest cycle that is looked for, in periods.
const maxCycle = 4

// runs divides the periods.
func (t Timeline) runs() []run {
	marks := t.marks()
	var runs []run
	for n := 0; n < len(marks); {
		best := run{first: n, cycle: 1, times: 1, quiet: marks[n] == ""}
		for cycle := 1; cycle <= maxCycle; cycle++ {
			if times := repeats(marks[n:], cycle); times > 1 && times*cycle > best.times*best.cycle {
				best.cycle, best.times = cycle, times
			}
		}
		best.quiet = best.quiet && best.cycle == 1
		runs = append(runs, best)
		n += best.cycle * best.times
	}
	return runs
}

// repeats says how often the first so many marks stand one after the other.
func repeats(marks []string, cycle int) int {
	n := cycle
	for n < len(marks) && marks[n] == marks[n-cycle] {
		n++
	}
	return n / cycle
}

// marks write what happens in each period in a way that can be compared: what the rows show, and
// which loads begin and end, and after how long.
func (t Timeline) marks() []string {
	marks := make([][]byte, t.end()/t.Period)
	mark := func(at time.Duration, values ...int64) {
		n := int(at / t.Period)
		if n >= len(marks) { // what ends as the last period does
			return
		}
		marks[n] = binary.AppendVarint(marks[n], int64(at-time.Duration(n)*t.Period))
		for _, v := range values {
			marks[n] = binary.AppendVarint(marks[n], v)
		}
	}
	lanes, of := t.lanes(), make([]int, len(t.Loads))
	for i, l := range lanes {
		for _, load := range l.loads {
			of[load] = i
		}
	}
	threads := make([]int64, len(lanes))
	for _, s := range t.Result.Segments {
		if s.From == s.To {
			continue
		}
		clear(threads)
		for i, n := range s.Running {
			threads[of[i]] += int64(n)
		}
		frozen := int64(0)
		if s.Frozen {
			frozen = 1
		}
		mark(s.From, int64(s.To-s.From), frozen)
		for _, n := range threads {
			mark(s.From, n)
		}
	}
	for i, l := range t.Loads {
		if l.Threads == 0 || l.Work == 0 {
			continue
		}
		done := t.Result.Finished[i]
		mark(l.Start, -1, int64(of[i]), int64(l.Threads), int64(l.Work))
		mark(done, -2, int64(of[i]), int64(done-l.Start), int64(t.Result.Stalled[i]))
	}
	texts := make([]string, len(marks))
	for i, m := range marks {
		texts[i] = string(m)
	}
	return texts
}
