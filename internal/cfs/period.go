// Package cfs models CFS bandwidth control, the kernel's enforcement of limits.cpu, in two layers.
//
// The period layer (Run) is exact arithmetic: threads draw on one quota, and when it is used up all
// of them stand still until the next period (T1 to T4, T8, T12). The pool layer (Pools) adds how the
// kernel hands the quota out to processors in slices and charges it at ticks, which throttles threads
// that never use more than their quota (T10, T11).
package cfs

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"
)

// Bandwidth is what limits.cpu becomes in the kernel.
type Bandwidth struct {
	Quota  time.Duration // CPU time in each period, of all threads together; 0 = no limit
	Period time.Duration // 100 ms unless the kubelet says otherwise (T1)
}

// DefaultPeriod is the kubelet's cpuCFSQuotaPeriod (T1).
const DefaultPeriod = 100 * time.Millisecond

// ForLimit gives the bandwidth of a CPU limit in millicores (T1: 500m is 50 ms in each 100 ms).
func ForLimit(millicores int64, period time.Duration) Bandwidth {
	return Bandwidth{Quota: time.Duration(millicores) * period / 1000, Period: period}
}

// Load is a number of threads that start together and have the same work.
type Load struct {
	Name    string
	Start   time.Duration
	Threads int
	Work    time.Duration // CPU time of each thread
}

// Segment is a stretch of time in which nothing changes.
type Segment struct {
	From, To time.Duration
	Running  []int         // threads of each load that want to run, in the order of the loads
	Frozen   bool          // the quota is used up, and nobody runs
	Quota    time.Duration // what was left of the period's quota at From; 0 without a limit
}

// Result is what became of the loads.
type Result struct {
	Segments []Segment
	// Finished is when each load's last thread was done.
	Finished []time.Duration
	// Periods counts those in which threads wanted to run, Throttled those of them in which they
	// were frozen, as nr_periods and nr_throttled do (T5).
	Periods, Throttled int
	Frozen             time.Duration // wall time in which threads wanted to run and might not
	Used               time.Duration // CPU time
}

// maxSegments bounds a run: some 100 000 periods of a second layer's length.
const maxSegments = 200_000

var errEndless = errors.New("the loads are not done after 200 000 steps: the quota is too small for them")

// Run lets the loads run on so many processors until all is done. Times are exact up to the
// nanosecond: where threads share processors, fractions are carried and not cut.
func Run(b Bandwidth, processors int, loads []Load) (Result, error) {
	if err := check(b, processors, loads); err != nil {
		return Result{}, err
	}
	s := newState(b, processors, loads)
	for !s.done() {
		if len(s.result.Segments) >= maxSegments {
			return s.result, errEndless
		}
		s.step()
	}
	return s.finish(), nil
}

func check(b Bandwidth, processors int, loads []Load) error {
	switch {
	case b.Quota < 0 || b.Quota > 0 && b.Period <= 0:
		return fmt.Errorf("a quota of %s in each %s is none", b.Quota, b.Period)
	case processors < 1:
		return fmt.Errorf("%d processors are too few", processors)
	}
	for _, l := range loads {
		if l.Threads < 0 || l.Work < 0 || l.Start < 0 {
			return fmt.Errorf("load %q: %d threads of %s at %s: none may be negative", l.Name, l.Threads, l.Work, l.Start)
		}
	}
	return nil
}

// state is exact: times and work are rational numbers of nanoseconds.
type state struct {
	bandwidth  Bandwidth
	processors int
	loads      []Load
	now        *big.Rat
	left       []*big.Rat // work of each thread of a load
	quota      *big.Rat   // left in the period
	period     int64      // number of the period
	counted    map[int64]bool
	throttled  map[int64]bool
	frozen     *big.Rat
	used       *big.Rat
	result     Result
}

func newState(b Bandwidth, processors int, loads []Load) *state {
	s := &state{
		bandwidth: b, processors: processors, loads: loads,
		now: new(big.Rat), quota: ns(b.Quota), frozen: new(big.Rat), used: new(big.Rat),
		counted: map[int64]bool{}, throttled: map[int64]bool{},
		result: Result{Finished: make([]time.Duration, len(loads))},
	}
	for i, l := range loads {
		work := ns(l.Work)
		if l.Threads == 0 {
			work = new(big.Rat)
		}
		s.left = append(s.left, work)
		if work.Sign() == 0 {
			s.result.Finished[i] = l.Start
		}
	}
	return s
}

func ns(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }

func (s *state) done() bool {
	return !slices.ContainsFunc(s.left, func(w *big.Rat) bool { return w.Sign() > 0 })
}

// step goes to the next event: a load starts or is done, the quota is used up, a period begins.
func (s *state) step() {
	limited := s.bandwidth.Quota > 0
	running, threads := make([]int, len(s.loads)), 0
	next := new(big.Rat) // time to the next event
	sooner := func(d *big.Rat) {
		if d.Sign() > 0 && (next.Sign() == 0 || d.Cmp(next) < 0) {
			next.Set(d)
		}
	}
	for i, l := range s.loads {
		until := new(big.Rat).Sub(ns(l.Start), s.now)
		switch {
		case until.Sign() > 0:
			sooner(until)
		case s.left[i].Sign() > 0:
			running[i] = l.Threads
			threads += l.Threads
		}
	}
	frozen := limited && s.quota.Sign() == 0 && threads > 0
	// rate is the share of a processor that each thread has; all together use drain processors.
	rate, drain := new(big.Rat), new(big.Rat)
	if threads > 0 && !frozen {
		drain.SetInt64(int64(min(threads, s.processors)))
		rate.Quo(drain, new(big.Rat).SetInt64(int64(threads)))
		for i := range s.loads {
			if running[i] > 0 {
				sooner(new(big.Rat).Quo(s.left[i], rate))
			}
		}
		if limited {
			sooner(new(big.Rat).Quo(s.quota, drain))
		}
	}
	if threads == 0 {
		s.idle(next)
		return
	}
	if limited {
		sooner(new(big.Rat).Sub(ns(time.Duration(s.period+1)*s.bandwidth.Period), s.now))
	}
	s.advance(next, running, frozen, rate, drain)
}

// idle skips the time until a load starts, and the periods that begin in it.
func (s *state) idle(by *big.Rat) {
	s.now = new(big.Rat).Add(s.now, by)
	if s.bandwidth.Quota == 0 {
		return
	}
	period := new(big.Rat).Quo(s.now, ns(s.bandwidth.Period))
	if begun := new(big.Int).Div(period.Num(), period.Denom()).Int64(); begun > s.period {
		s.period, s.quota = begun, ns(s.bandwidth.Quota)
	}
}

func (s *state) advance(by *big.Rat, running []int, frozen bool, rate, drain *big.Rat) {
	from, quota := s.now, s.quota
	s.now = new(big.Rat).Add(s.now, by)
	s.counted[s.period] = true
	segment := Segment{From: round(from), To: round(s.now), Running: running, Frozen: frozen, Quota: round(quota)}
	s.result.Segments = append(s.result.Segments, segment)
	if frozen {
		s.throttled[s.period] = true
		s.frozen.Add(s.frozen, by)
	} else {
		ran := new(big.Rat).Mul(by, drain)
		s.used.Add(s.used, ran)
		if s.bandwidth.Quota > 0 {
			s.quota = new(big.Rat).Sub(s.quota, ran)
		}
		for i := range s.loads {
			if running[i] == 0 {
				continue
			}
			s.left[i] = new(big.Rat).Sub(s.left[i], new(big.Rat).Mul(by, rate))
			if s.left[i].Sign() == 0 {
				s.result.Finished[i] = round(s.now)
			}
		}
	}
	if s.bandwidth.Quota > 0 && s.now.Cmp(ns(time.Duration(s.period+1)*s.bandwidth.Period)) == 0 {
		s.period++
		s.quota = ns(s.bandwidth.Quota)
	}
}

func (s *state) finish() Result {
	s.result.Frozen, s.result.Used = round(s.frozen), round(s.used)
	s.result.Throttled = len(s.throttled)
	if s.bandwidth.Quota > 0 {
		s.result.Periods = len(s.counted)
	}
	return s.result
}

// round gives whole nanoseconds, a half rounded up.
func round(r *big.Rat) time.Duration {
	twice := new(big.Int).Mul(r.Num(), big.NewInt(2))
	twice.Add(twice, r.Denom())
	return time.Duration(twice.Div(twice, new(big.Int).Mul(r.Denom(), big.NewInt(2))).Int64())
}
