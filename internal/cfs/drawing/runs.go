package drawing

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"
)

// run is a number of periods in which the same happens again and again.
type run struct {
	first, cycle, times int
	quiet               bool // nothing happens
}

// maxCycle is the longest cycle that is looked for, in periods.
const maxCycle = 4

// runs divides the periods. A rest may last a day: long ones are not looked at period by period.
func (t Timeline) runs() []run {
	var runs []run
	next := 0 // the period that comes next
	var block []string
	flush := func() {
		runs = append(runs, divide(block, next-len(block))...)
		block = nil
	}
	rest := func(until int) {
		quiet := until - next
		if quiet > maxCycle {
			flush()
			runs = append(runs, run{first: next, cycle: 1, times: quiet, quiet: true})
		} else {
			block = append(block, make([]string, quiet)...)
		}
		next = until
	}
	marks := t.marks()
	for _, period := range slices.Sorted(maps.Keys(marks)) {
		rest(period)
		block = append(block, string(marks[period]))
		next++
	}
	rest(int(t.end() / t.Period))
	flush()
	return runs
}

// divide finds what repeats in periods that follow each other, the first of which has a number.
func divide(marks []string, first int) []run {
	var runs []run
	for n := 0; n < len(marks); {
		best := run{first: first + n, cycle: 1, times: 1, quiet: marks[n] == ""}
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

// marks write what happens in a period in a way that can be compared: what the rows show, which loads begin and end,
// and after how long. A period in which nothing happens has none.
func (t Timeline) marks() map[int][]byte {
	byPeriod := map[int][]byte{}
	last := int(t.end()/t.Period) - 1
	put := func(at time.Duration, values ...int64) {
		n := int(at / t.Period)
		if n > last {
			return // it ends as the last period does
		}
		text := binary.AppendVarint(byPeriod[n], int64(at-time.Duration(n)*t.Period))
		for _, v := range values {
			text = binary.AppendVarint(text, v)
		}
		byPeriod[n] = text
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
		values := append([]int64{int64(s.To - s.From), frozen}, threads...)
		if t.Burst > 0 { // else each period begins with the same
			values = append(values, int64(s.Quota), int64(s.Left))
		}
		put(s.From, values...)
	}
	for i, l := range t.Loads {
		if l.Threads == 0 || l.Work == 0 {
			continue
		}
		done := t.Result.Finished[i]
		put(l.Start, -1, int64(of[i]), int64(l.Threads), int64(l.Work))
		put(done, -2, int64(of[i]), int64(done-l.Start), int64(t.Result.Stalled[i]))
	}
	return byPeriod
}
