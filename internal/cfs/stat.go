package cfs

import "time"

// Stat is what the kernel counts (T5).
type Stat struct {
	Periods, Throttled int
	ThrottledTime      time.Duration // sum over the processors
	Used               time.Duration // CPU time, charged or not
	// RanIn is the CPU time that ran in each of the first periods, charged or not.
	RanIn []time.Duration
	// Local is what the local pool of the first processor did at each of its first ticks.
	Local []Charge
}

// Charge is one tick of a processor: its local pool when what ran was taken from it, and after it
// took from the global pool.
type Charge struct {
	At            time.Duration
	Before, After time.Duration
}

// keptPeriods and keptTicks bound what is kept of the start of a run.
const (
	keptPeriods = 64
	keptTicks   = 64
)

// Ratio is the share of the periods that were throttled, 0 to 1.
func (s Stat) Ratio() float64 { return ratio(s.Throttled, s.Periods) }
