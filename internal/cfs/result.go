package cfs

import "time"

// Segment is a stretch of time in which nothing changes.
type Segment struct {
	From, To time.Duration
	Running  []int         // threads of each load that want to run, in the order of the loads
	Frozen   bool          // the quota is used up, and no thread runs
	Quota    time.Duration // CPU time left of the period's quota at From; 0 without a limit
	Left     time.Duration // the same at To, before a period that begins there gives a new one
}

// Result is what became of the loads.
type Result struct {
	Segments []Segment
	// Finished is when each load's last thread was done, Stalled how long it was frozen meanwhile
	// (wall time). A load without work finishes when it starts.
	Finished, Stalled []time.Duration
	// Periods counts those in which threads wanted to run, Throttled those of them in which they
	// were frozen, as nr_periods and nr_throttled do (T5).
	Periods, Throttled int
	Frozen             time.Duration // wall time in which threads wanted to run and might not
	Longest            time.Duration // the longest freeze, wall time
	Used               time.Duration // CPU time
	// Bursts counts the periods that used more than a quota, Burst is the CPU time beyond it, of all of them,
	// as nr_bursts and burst_usec do (T17).
	Bursts int
	Burst  time.Duration
	Spare  time.Duration // CPU time that the tightest period left unused (T8); 0 without a limit
}

// End is when the last load was done.
func (r Result) End() time.Duration {
	end := time.Duration(0)
	for _, f := range r.Finished {
		end = max(end, f)
	}
	return end
}

// Ratio is the share of the periods that were throttled, 0 to 1.
func (r Result) Ratio() float64 { return ratio(r.Throttled, r.Periods) }

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
