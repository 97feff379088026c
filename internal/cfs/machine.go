package cfs

import (
	"errors"
	"time"
)

// Remedy is a change of the kernel that was proposed against throttling without overuse.
type Remedy int

// Remedies.
const (
	// None is the kernel as it has been since 5.4.
	None Remedy = iota
	// SlushFund pays a debt first from what the previous period left unused (T11).
	SlushFund
	// Expiry is the kernel before 5.4: what a processor holds is void when the period ends.
	Expiry
	// NoOpUpdate charges what ran when a period ends, before the refill, so that it is paid from
	// the quota of the period in which it ran.
	NoOpUpdate
)

// Machine is how a kernel hands the quota out.
type Machine struct {
	Bandwidth
	Processors int
	// Slice is what a processor takes from the pool at a time (sched_cfs_bandwidth_slice_us, 5 ms),
	// Tick how often it charges what ran (1/CONFIG_HZ: 4 ms at 250 HZ) (T10).
	Slice, Tick time.Duration
	// Jitter is the standard deviation of the time between two ticks: the ticks of a processor
	// drift against the period timer.
	Jitter time.Duration
	// Aligned lets the ticks of all processors begin together, at multiples of Tick; else each
	// processor has an offset of its own, drawn from the seed.
	Aligned bool
	Remedy  Remedy
	// SlushCap bounds the fund; 0 is one quota.
	SlushCap time.Duration
	Seed     uint64
}

// DefaultSlice and DefaultTick are those of most distributions' kernels. DefaultJitter is chosen:
// with it three busy threads come near to the 6.8 % of periods that were measured at 100 ms (T10).
const (
	DefaultSlice  = 5 * time.Millisecond
	DefaultTick   = 4 * time.Millisecond
	DefaultJitter = 3 * time.Microsecond
)

// Stat is what the kernel counts (T5).
type Stat struct {
	Periods, Throttled int
	ThrottledTime      time.Duration // sum over the processors
	Used               time.Duration
	// RanIn is the CPU time that ran in each of the first periods, charged or not.
	RanIn []time.Duration
	// Local is the local pool of processor 0 at each of its first ticks, before and after it took
	// from the global pool.
	Local []Charge
}

// Charge is one tick of a processor.
type Charge struct {
	At            time.Duration
	Before, After time.Duration
}

const (
	keptPeriods = 64
	keptTicks   = 64
)

// Ratio is the share of the periods that were throttled.
func (s Stat) Ratio() float64 {
	if s.Periods == 0 {
		return 0
	}
	return float64(s.Throttled) / float64(s.Periods)
}

// Busy runs one thread on each of so many processors, which never sleeps, for so many periods.
func (m Machine) Busy(threads, periods int) (Stat, error) {
	if m.Quota <= 0 || m.Period <= 0 || m.Slice <= 0 || m.Tick <= 0 || threads < 1 || threads > m.Processors || periods < 1 {
		return Stat{}, errors.New("quota, period, slice and tick have to be positive, and each thread needs a processor")
	}
	p := newPool(m, threads)
	p.run(periods)
	return p.stat, nil
}
