// Package drawing shows what the model of CPU quotas computes. It shows a run as a timeline (for a terminal, as
// a picture and in words), and the share of throttled periods as bars. explain and simulate draw with it.
package drawing

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// Timeline is a run of the period layer, to be drawn. Loads of the same name share a row.
type Timeline struct {
	Title string
	cfs.Bandwidth
	Processors int
	Loads      []cfs.Load
	Result     cfs.Result
}

// lane is a row of the drawing.
type lane struct {
	name  string
	loads []int // indices
	most  int   // threads at a time
}

// lanes are the rows, in the order of their first loads.
func (t Timeline) lanes() []lane {
	var lanes []lane
	byName := map[string]int{}
	for i, l := range t.Loads {
		name := shown(l.Name)
		if name == "" {
			name = fmt.Sprintf("load %d", i+1)
		}
		at, known := byName[name]
		if !known {
			at = len(lanes)
			byName[name] = at
			lanes = append(lanes, lane{name: name})
		}
		lanes[at].loads = append(lanes[at].loads, i)
	}
	for _, s := range t.Result.Segments {
		for i := range lanes {
			lanes[i].most = max(lanes[i].most, lanes[i].threads(s))
		}
	}
	return lanes
}

// threads that want to run in a segment.
func (l lane) threads(s cfs.Segment) int {
	sum := 0
	for _, i := range l.loads {
		sum += s.Running[i]
	}
	return sum
}

// stretch is a time in which a lane does one thing.
type stretch struct {
	from, to time.Duration
	threads  int
	frozen   bool
}

// stretches of a lane between two times, without those in which it has nothing to do.
func (t Timeline) stretches(l lane, from, to time.Duration) []stretch {
	return t.gather(from, to, l.threads)
}

// gather joins segments in which so many threads want to run, and leaves out those in which none does.
func (t Timeline) gather(from, to time.Duration, threads func(cfs.Segment) int) []stretch {
	var found []stretch
	for _, s := range t.between(from, to) {
		n := threads(s)
		if n == 0 {
			continue
		}
		next := stretch{from: max(s.From, from), to: min(s.To, to), threads: n, frozen: s.Frozen}
		if last := len(found) - 1; last >= 0 && found[last].to == next.from &&
			found[last].threads == n && found[last].frozen == next.frozen {
			found[last].to = next.to
			continue
		}
		found = append(found, next)
	}
	return found
}

// between gives the segments that have a part between two times. Those of no whole nanosecond are
// left out.
func (t Timeline) between(from, to time.Duration) []cfs.Segment {
	all := t.Result.Segments
	first, _ := slices.BinarySearchFunc(all, from, func(s cfs.Segment, at time.Duration) int {
		if s.To <= at {
			return -1
		}
		return 1
	})
	var found []cfs.Segment
	for _, s := range all[first:] {
		if s.From >= to {
			break
		}
		if s.From < s.To {
			found = append(found, s)
		}
	}
	return found
}

// most is what a period may use: its quota, and what is saved for a burst (T17).
func (t Timeline) most() time.Duration { return t.Quota + t.Burst }

// quotaFrom is what the period that begins at a time begins with: the quota, and of what was left as much as a
// burst may have.
func (t Timeline) quotaFrom(start time.Duration) time.Duration {
	before, _ := slices.BinarySearchFunc(t.Result.Segments, start, func(s cfs.Segment, at time.Duration) int {
		return cmp.Compare(s.From, at)
	})
	if before == 0 {
		return t.most()
	}
	last := t.Result.Segments[before-1]
	if start/t.Period-last.From/t.Period > 1 {
		return t.most() // a burst is at most a quota, and a whole period left one
	}
	return min(last.Left+t.Quota, t.most())
}

// quotaAt is what is left of the quota at a time in the period that begins at start.
func (t Timeline) quotaAt(start, at time.Duration) time.Duration {
	left := t.quotaFrom(start)
	for _, s := range t.between(start, at) {
		left = s.Left
		if s.To > at {
			share := float64(at-s.From) / float64(s.To-s.From)
			left = s.Quota - time.Duration(share*float64(s.Quota-s.Left))
		}
	}
	return left
}

// end is how far the drawing goes: to the end of the last period, or of the last load.
func (t Timeline) end() time.Duration {
	end := t.Result.End()
	for _, l := range t.Loads {
		end = cmp.Or(end, l.Start)
	}
	if t.Quota > 0 && t.Period > 0 {
		periods := max((end+t.Period-1)/t.Period, 1)
		return periods * t.Period
	}
	return max(end, time.Millisecond)
}
