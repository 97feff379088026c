package cfs

import "time"

// Measured is a row of the paper's Table II: three busy threads on three processors under a quota
// of three, which they can never exceed (T10).
type Measured struct {
	Period             time.Duration
	Periods, Throttled int
	ThrottledTime      time.Duration
}

// Ratio is the share of the periods that were throttled, 0 to 1.
func (m Measured) Ratio() float64 { return ratio(m.Throttled, m.Periods) }

// TableII is what the paper measured on a real kernel (T10).
func TableII() []Measured {
	return []Measured{
		{Period: 100 * time.Millisecond, Periods: 735, Throttled: 50, ThrottledTime: 94 * time.Millisecond},
		{Period: 50 * time.Millisecond, Periods: 1486, Throttled: 661, ThrottledTime: 2457 * time.Millisecond},
		{Period: 10 * time.Millisecond, Periods: 7840, Throttled: 3835, ThrottledTime: 14608 * time.Millisecond},
	}
}

// paperThreads of Table II are busy, each on a processor of its own.
const paperThreads = 3

// PaperMachine is the machine of Table II for one of its periods, with this package's defaults for
// what the paper does not say.
func PaperMachine(period time.Duration) Machine { return BusyMachine(paperThreads, period) }

// BusyMachine has as many processors as threads, and a limit of as many CPUs: busy threads use all of
// their quota, and never more.
func BusyMachine(threads int, period time.Duration) Machine {
	return Machine{
		Bandwidth: ForLimit(int64(threads)*1000, period), Processors: threads,
		Slice: DefaultSlice, Tick: DefaultTick, Jitter: DefaultJitter,
	}
}

// Figure4 is the walk of the paper's Figure 4: one thread under a quota of 10 ms in 10 ms, whose
// ticks come every 4 ms exactly (T11). It is throttled in the third period, which it never overuses.
func Figure4() (Stat, error) {
	m := PaperMachine(10 * time.Millisecond)
	m.Bandwidth, m.Processors = ForLimit(1000, 10*time.Millisecond), 1
	m.Jitter, m.Aligned = 0, true
	return m.Busy(1, 3)
}
