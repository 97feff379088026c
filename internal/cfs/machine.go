package cfs

import (
	"errors"
	"fmt"
	"time"

	"github.com/headroom-dev/headroom/internal/words"
)

// Machine is how a kernel hands the quota out (T10).
type Machine struct {
	Bandwidth
	Processors int
	// Slice is what a processor takes from the pool at a time (sched_cfs_bandwidth_slice_us, 5 ms),
	// Tick how often it charges what ran (1/CONFIG_HZ: 4 ms at 250 Hz).
	Slice, Tick time.Duration
	// Jitter is the standard deviation of the time between two ticks of a processor: its ticks
	// drift against the period timer, and against those of the others.
	Jitter time.Duration
	// Aligned lets the ticks of all processors begin together, at multiples of Tick; else each
	// processor has an offset of its own, drawn from the seed.
	Aligned bool
	// Rewrite is after how long the quota is written again that is there already; 0 is never.
	Rewrite time.Duration
	Remedy  Remedy
	Seed    uint64
}

// DefaultSlice and DefaultTick are those of most distributions' kernels. DefaultJitter is chosen:
// with it three busy threads come near to the 6.8 % of periods that were measured at 100 ms (T10);
// with another they do not (docs/why.md).
const (
	DefaultSlice  = 5 * time.Millisecond
	DefaultTick   = 4 * time.Millisecond
	DefaultJitter = 3 * time.Microsecond
)

// PaperMachine is that of the paper's Table II for one of its periods, with the defaults for what the paper does
// not say. Three busy threads, each on a processor of its own, use all of their quota and never more (T10).
func PaperMachine(period time.Duration) Machine {
	const threads = 3
	return Machine{
		Bandwidth: ForLimit(threads*1000, period), Processors: threads,
		Slice: DefaultSlice, Tick: DefaultTick, Jitter: DefaultJitter,
	}
}

// Bounds of what is computed.
const (
	MaxBusy  = 1024 // threads, of Machine.Busy
	minGrain = time.Microsecond
	maxGrain = time.Second
	// maxSteps bounds a run to some seconds: ticks of all threads, times the threads that are looked
	// at for each.
	maxSteps = 100_000_000
)

// Bounds of Machine.Rewrite.
const (
	MinRewrite = time.Millisecond
	MaxRewrite = time.Hour
)

// Busy runs threads that never sleep, each on a processor of its own, for so many periods.
func (m Machine) Busy(threads, periods int) (Stat, error) {
	if err := m.check(threads, periods); err != nil {
		return Stat{}, err
	}
	p := newPool(m, threads)
	p.run(periods)
	return p.stat, nil
}

// Steps says how long Busy takes: some nanoseconds for each.
func (m Machine) Steps(threads, periods int) float64 {
	ticks := float64(periods) * float64(m.Period) / float64(m.Tick)
	if m.Rewrite > 0 {
		ticks += float64(periods) * float64(m.Period) / float64(m.Rewrite)
	}
	return ticks * float64(threads) * float64(threads)
}

func (m Machine) check(threads, periods int) error {
	if m.Quota == 0 {
		return errors.New("the pool layer needs a CPU limit: without one there is no pool")
	}
	if err := m.Bandwidth.check(); err != nil {
		return err
	}
	for _, grain := range []struct {
		name string
		time time.Duration
	}{{"slice", m.Slice}, {"tick", m.Tick}} {
		if grain.time < minGrain || grain.time > maxGrain {
			return fmt.Errorf("a %s of %s is not between %s and %s", grain.name, grain.time, minGrain, maxGrain)
		}
	}
	switch {
	case m.Jitter < 0 || m.Jitter > m.Tick:
		return fmt.Errorf("a jitter of %s is not between 0 and the tick of %s", m.Jitter, m.Tick)
	case m.Rewrite != 0 && (m.Rewrite < MinRewrite || m.Rewrite > MaxRewrite):
		return fmt.Errorf("a rewrite every %s is not between %s and %s", m.Rewrite, MinRewrite, MaxRewrite)
	case m.Remedy < None || m.Remedy > ChargeAtEnd:
		return fmt.Errorf("there is no remedy %d", int(m.Remedy))
	case m.Processors < 1 || m.Processors > MaxProcessors:
		return fmt.Errorf("%d processors are not between 1 and %d", m.Processors, MaxProcessors)
	case threads < 1 || threads > MaxBusy:
		return fmt.Errorf("%d busy threads are not between 1 and %d", threads, MaxBusy)
	case threads > m.Processors:
		return fmt.Errorf("%d busy threads need a processor each, and there are %d", threads, m.Processors)
	case periods < 1:
		return fmt.Errorf("%d periods are too few", periods)
	case m.Steps(threads, periods) > maxSteps:
		return fmt.Errorf("%d periods of %s with %s and a tick of %s are more than is computed",
			periods, m.Period, words.Count(threads, "thread"), m.Tick)
	}
	return nil
}
