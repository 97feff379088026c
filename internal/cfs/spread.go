package cfs

import (
	"context"
	"slices"
	"time"
)

// PaperSeeds is over how many seeds the paper's figures are looked at: single runs differ by far too much.
const PaperSeeds = 20

// Spread is the share of throttled periods over several seeds, 0 to 1.
type Spread struct {
	Mean, Median, Min, Max float64
	ThrottledTime          time.Duration // mean, sum over the processors
	Cores                  float64       // mean of what was used
}

// SpreadOf runs busy threads with the seeds 1 to n.
func SpreadOf(ctx context.Context, m Machine, threads, periods, n int) (Spread, error) {
	ratios := make([]float64, 0, n)
	sum, cores, throttled := 0.0, 0.0, time.Duration(0)
	for seed := range n {
		m.Seed = uint64(seed) + 1
		if err := ctx.Err(); err != nil {
			return Spread{}, err
		}
		stat, err := m.Busy(threads, periods)
		if err != nil {
			return Spread{}, err
		}
		ratios = append(ratios, stat.Ratio())
		sum += stat.Ratio()
		cores += float64(stat.Used) / float64(time.Duration(periods)*m.Period)
		throttled += stat.ThrottledTime / time.Duration(n)
	}
	if n == 0 {
		return Spread{}, nil
	}
	slices.Sort(ratios)
	return Spread{
		Mean: sum / float64(n), Median: (ratios[(n-1)/2] + ratios[n/2]) / 2,
		Min: ratios[0], Max: ratios[n-1], ThrottledTime: throttled, Cores: cores / float64(n),
	}, nil
}

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
