package cfs

import (
	"math/big"
	"time"
)

// maxSegments and maxCells bound a run to seconds and some hundred megabytes: the steps of the model,
// and those times the loads. A period has two or three steps.
const (
	maxSegments = 200_000
	maxCells    = 2_000_000
)

// Run lets the loads run on so many processors until all is done. Where there are more threads than
// processors, each has the same share. The arithmetic is exact, in rational numbers of nanoseconds;
// results are rounded to nanoseconds.
func Run(b Bandwidth, processors int, loads []Load) (Result, error) {
	periods, err := check(b, processors, loads)
	if err != nil {
		return Result{}, err
	}
	if periods > maxSegments || periods > maxCells/max(1, len(loads)) {
		return Result{}, errEndless
	}
	s := newState(b, processors, loads)
	for s.unfinished > 0 {
		n := len(s.result.Segments)
		if n >= maxSegments || n*len(loads) >= maxCells {
			return Result{}, errEndless
		}
		s.step()
	}
	return s.finish(), nil
}

// state is a run that is under way.
type state struct {
	bandwidth  Bandwidth
	processors int
	loads      []Load
	starts     []*big.Rat
	left       []*big.Rat // work of each thread of a load
	stalled    []*big.Rat // wall time in which a load was frozen
	unfinished int        // loads with work left

	now     *big.Rat
	quota   *big.Rat // left in the period
	begun   *big.Rat // the same when the period began
	period  int64    // number of the period
	counted bool     // threads have wanted to run in it
	stopped bool     // they were frozen in it
	freeze  *big.Rat // length of the freeze that lasts
	longest *big.Rat
	frozen  *big.Rat
	used    *big.Rat
	over    *big.Rat // used in periods beyond their quotas
	spare   *big.Rat // nil before a period has been counted
	result  Result
}

func newState(b Bandwidth, processors int, loads []Load) *state {
	s := &state{
		bandwidth: b, processors: processors, loads: loads, now: new(big.Rat),
		// Nothing ran before, and left its whole quota unused.
		quota: rat(b.Quota + b.Burst), begun: rat(b.Quota + b.Burst),
		freeze: new(big.Rat), longest: new(big.Rat), frozen: new(big.Rat), used: new(big.Rat), over: new(big.Rat),
		result: Result{
			Finished: make([]time.Duration, len(loads)), Stalled: make([]time.Duration, len(loads)),
		},
	}
	for i, l := range loads {
		work := rat(l.Work)
		if l.Threads == 0 {
			work = new(big.Rat)
		}
		s.starts = append(s.starts, rat(l.Start))
		s.left = append(s.left, work)
		s.stalled = append(s.stalled, new(big.Rat))
		if work.Sign() == 0 {
			s.result.Finished[i] = l.Start
		} else {
			s.unfinished++
		}
	}
	return s
}

func (s *state) limited() bool { return s.bandwidth.Quota > 0 }

// step goes to the next event: a load starts or is done, the quota is used up, a period begins.
func (s *state) step() {
	running, threads, next := s.wanting()
	if threads == 0 {
		s.idle(next.at)
		return
	}
	frozen := s.limited() && s.quota.Sign() == 0
	// rate is the share of a processor that each thread has; all together use drain processors.
	rate, drain := new(big.Rat), new(big.Rat)
	if !frozen {
		drain.SetInt64(int64(min(threads, s.processors)))
		rate.Quo(drain, new(big.Rat).SetInt64(int64(threads)))
		for i, n := range running {
			if n > 0 {
				next.in(s.now, new(big.Rat).Quo(s.left[i], rate))
			}
		}
		if s.limited() {
			next.in(s.now, new(big.Rat).Quo(s.quota, drain))
		}
	}
	if s.limited() {
		next.sooner(s.periodEnd())
	}
	s.advance(next.at, running, frozen, rate, drain)
}

// wanting gives the threads of each load that want to run, their sum, and the next start.
func (s *state) wanting() (running []int, threads int, next moment) {
	running = make([]int, len(s.loads))
	for i, l := range s.loads {
		switch {
		case s.left[i].Sign() == 0:
		case s.starts[i].Cmp(s.now) > 0:
			next.sooner(s.starts[i])
		default:
			running[i] = l.Threads
			threads += l.Threads
		}
	}
	return running, threads, next
}

// moment is the earliest of some; nil before the first.
type moment struct{ at *big.Rat }

func (m *moment) sooner(at *big.Rat) {
	if m.at == nil || at.Cmp(m.at) < 0 {
		m.at = at
	}
}

func (m *moment) in(now, later *big.Rat) { m.sooner(later.Add(now, later)) }

func (s *state) periodEnd() *big.Rat { return rat(time.Duration(s.period+1) * s.bandwidth.Period) }

// idle skips the time until a load starts, and the periods that begin in it.
func (s *state) idle(until *big.Rat) {
	s.now = until
	s.thaw()
	if !s.limited() {
		return
	}
	periods := new(big.Rat).Quo(s.now, rat(s.bandwidth.Period))
	if begun := new(big.Int).Quo(periods.Num(), periods.Denom()).Int64(); begun > s.period {
		s.newPeriod(begun)
	}
}

func (s *state) advance(until *big.Rat, running []int, frozen bool, rate, drain *big.Rat) {
	from, quota, by := s.now, s.quota, new(big.Rat).Sub(until, s.now)
	s.now, s.counted = until, true
	if frozen {
		s.standStill(by, running)
	} else {
		s.thaw()
		s.runOn(by, running, rate, drain)
	}
	s.result.Segments = append(s.result.Segments, Segment{
		From: round(from), To: round(until), Running: running, Frozen: frozen, Quota: round(quota), Left: round(s.quota),
	})
	if s.limited() && s.now.Cmp(s.periodEnd()) == 0 {
		s.newPeriod(s.period + 1)
	}
}

// standStill lets frozen time go by.
func (s *state) standStill(by *big.Rat, running []int) {
	s.stopped = true
	s.frozen.Add(s.frozen, by)
	s.freeze.Add(s.freeze, by)
	for i, n := range running {
		if n > 0 {
			s.stalled[i].Add(s.stalled[i], by)
		}
	}
}

// thaw ends a freeze.
func (s *state) thaw() {
	if s.freeze.Cmp(s.longest) > 0 {
		s.longest.Set(s.freeze)
	}
	s.freeze.SetInt64(0)
}

// runOn lets the threads work.
func (s *state) runOn(by *big.Rat, running []int, rate, drain *big.Rat) {
	ran := new(big.Rat).Mul(by, drain)
	s.used.Add(s.used, ran)
	if s.limited() {
		s.quota = ran.Sub(s.quota, ran)
	}
	each := new(big.Rat).Mul(by, rate)
	for i, n := range running {
		if n == 0 {
			continue
		}
		if s.left[i].Sub(s.left[i], each); s.left[i].Sign() == 0 {
			s.result.Finished[i] = round(s.now)
			s.unfinished--
		}
	}
}

// newPeriod ends a period and begins another, which need not be the next.
func (s *state) newPeriod(number int64) {
	if s.counted {
		s.result.Periods++
		if s.stopped {
			s.result.Throttled++
		}
		if s.spare == nil || s.quota.Cmp(s.spare) < 0 {
			s.spare = s.quota
		}
		if over := new(big.Rat).Sub(s.begun, s.quota); over.Cmp(rat(s.bandwidth.Quota)) > 0 {
			s.result.Bursts++
			s.over.Add(s.over, over.Sub(over, rat(s.bandwidth.Quota)))
		}
	}
	s.counted, s.stopped = false, false
	s.fill(number - s.period)
	s.period = number
}

// fill gives the quotas of so many periods, of which as much is kept as a period and its burst may use (T17).
func (s *state) fill(periods int64) {
	most := rat(s.bandwidth.Quota + s.bandwidth.Burst)
	quotas := new(big.Rat).Mul(new(big.Rat).SetInt64(periods), rat(s.bandwidth.Quota))
	if s.quota = quotas.Add(quotas, s.quota); s.quota.Cmp(most) > 0 {
		s.quota = most
	}
	s.begun = s.quota
}

func (s *state) finish() Result {
	s.thaw()
	if s.limited() {
		s.newPeriod(s.period + 1)
	}
	if s.spare != nil {
		s.result.Spare = round(s.spare)
	}
	for i, wall := range s.stalled {
		s.result.Stalled[i] = round(wall)
	}
	s.result.Frozen, s.result.Longest, s.result.Used = round(s.frozen), round(s.longest), round(s.used)
	s.result.Burst = round(s.over)
	return s.result
}

// rat is a time as a rational number of nanoseconds.
func rat(d time.Duration) *big.Rat { return new(big.Rat).SetInt64(int64(d)) }

// round gives whole nanoseconds, a half rounded up.
func round(r *big.Rat) time.Duration {
	twice := new(big.Int).Lsh(r.Num(), 1)
	twice.Add(twice, r.Denom())
	return time.Duration(twice.Div(twice, new(big.Int).Lsh(r.Denom(), 1)).Int64())
}
