package cfs

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawRun is a run as rapid makes them up. Times are odd on purpose.
func drawRun(t *rapid.T) (Bandwidth, int, []Load) {
	duration := func(from, to time.Duration, name string) time.Duration {
		return time.Duration(rapid.Int64Range(int64(from), int64(to)).Draw(t, name))
	}
	period := duration(MinPeriod, 120*ms, "period")
	b := Bandwidth{Quota: duration(MinQuota, 4*period, "quota"), Period: period}
	if rapid.Bool().Draw(t, "bursts") {
		b.Burst = duration(0, b.Quota, "burst")
	}
	var loads []Load
	for range rapid.IntRange(1, 5).Draw(t, "loads") {
		loads = append(loads, Load{
			Start: duration(0, 300*ms, "start"), Threads: rapid.IntRange(0, 40).Draw(t, "threads"),
			Work: duration(0, 20*ms, "work"),
		})
	}
	return b, rapid.IntRange(1, 16).Draw(t, "processors"), loads
}

func total(loads []Load) (sum time.Duration) {
	for _, l := range loads {
		sum += time.Duration(l.Threads) * l.Work
	}
	return sum
}

// TestExactly looks into each step. No period uses more than the quota and the burst, and all periods together no
// more than their quotas and one burst, to the fraction of a nanosecond. All of the work is done, and no more.
func TestExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, processors, loads := drawRun(t)
		s := newState(b, processors, loads)
		inPeriod, before, period := new(big.Rat), new(big.Rat), int64(0)
		for s.unfinished > 0 {
			now := s.now
			s.step()
			if s.now.Cmp(now) < 0 || s.quota.Sign() < 0 {
				t.Fatalf("time goes from %s to %s, the quota to %s", now, s.now, s.quota)
			}
			inPeriod.Add(inPeriod, new(big.Rat).Sub(s.used, before))
			before.Set(s.used)
			quotas := new(big.Rat).Mul(rat(b.Quota), new(big.Rat).SetInt64(period+1))
			if inPeriod.Cmp(rat(b.Quota+b.Burst)) > 0 || s.used.Cmp(quotas.Add(quotas, rat(b.Burst))) > 0 {
				t.Fatalf("period %d uses %s of %s and %s, and %s in all", period, inPeriod, b.Quota, b.Burst, s.used)
			}
			if s.period > period {
				period = s.period
				inPeriod.SetInt64(0)
			}
		}
		if s.used.Cmp(rat(total(loads))) != 0 {
			t.Fatalf("used %s of %s", s.used, total(loads))
		}
	})
}

// TestRunHolds are the properties of a result.
func TestRunHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, processors, loads := drawRun(t)
		r := mustRunRapid(t, b, processors, loads)
		if r.Used != total(loads) || r.Throttled > r.Periods || (r.Throttled > 0) != (r.Frozen > 0) || r.Longest > r.Frozen ||
			r.Bursts > r.Periods || (r.Bursts > 0) != (r.Burst > 0) || r.Burst > time.Duration(r.Bursts)*b.Burst {
			t.Fatalf("%+v", r)
		}
		frozen, end := time.Duration(0), time.Duration(0)
		for _, s := range r.Segments {
			if s.From < end || s.To < s.From || s.Left > s.Quota || s.Frozen && s.Quota != 0 {
				t.Fatalf("%+v after %s", s, end)
			}
			if end = s.To; s.Frozen {
				frozen += s.To - s.From
			}
		}
		if slack := time.Duration(len(r.Segments)); frozen < r.Frozen-slack || frozen > r.Frozen+slack {
			t.Fatalf("segments are frozen for %s, the result for %s", frozen, r.Frozen)
		}
		for i, l := range loads {
			least := l.Work
			if l.Threads == 0 {
				least = 0
			}
			if r.Finished[i] < l.Start+least+r.Stalled[i] || r.Stalled[i] > r.Frozen+1 {
				t.Fatalf("load %d is done after %s, and was frozen for %s", i, r.Finished[i], r.Stalled[i])
			}
		}
	})
}

// TestWithoutLimit freezes nothing, and nothing is later.
func TestWithoutLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, processors, loads := drawRun(t)
		limited, free := mustRunRapid(t, b, processors, loads), mustRunRapid(t, Bandwidth{}, processors, loads)
		if free.Frozen != 0 || free.Periods != 0 || free.Throttled != 0 || free.Used != limited.Used {
			t.Fatalf("%+v", free)
		}
		notLater(t, loads, free, limited)
	})
}

// TestMoreQuota never makes anything later.
func TestMoreQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, processors, loads := drawRun(t)
		more := b
		more.Quota += time.Duration(rapid.Int64Range(0, int64(b.Quota)).Draw(t, "more"))
		notLater(t, loads, mustRunRapid(t, more, processors, loads), mustRunRapid(t, b, processors, loads))
	})
}

// TestMoreBurst never makes anything later, either.
func TestMoreBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, processors, loads := drawRun(t)
		more := b
		more.Burst += time.Duration(rapid.Int64Range(0, int64(b.Quota-b.Burst)).Draw(t, "more"))
		notLater(t, loads, mustRunRapid(t, more, processors, loads), mustRunRapid(t, b, processors, loads))
	})
}

func notLater(t *rapid.T, loads []Load, fast, slow Result) {
	for i := range loads {
		if fast.Finished[i] > slow.Finished[i] {
			t.Fatalf("load %d is done after %s with more, and %s with less", i, fast.Finished[i], slow.Finished[i])
		}
	}
}

// TestScale: a world that is k times as slow has results that are k times as long.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, processors, loads := drawRun(t)
		k := time.Duration(rapid.Int64Range(2, 8).Draw(t, "k"))
		slow := make([]Load, len(loads))
		for i, l := range loads {
			slow[i] = Load{Start: l.Start * k, Threads: l.Threads, Work: l.Work * k}
		}
		one := mustRunRapid(t, b, processors, loads)
		many := mustRunRapid(t, Bandwidth{Quota: b.Quota * k, Period: b.Period * k, Burst: b.Burst * k}, processors, slow)
		near := func(what string, a, b time.Duration) {
			if d := a*k - b; d > k || d < -k { // both are rounded
				t.Fatalf("%s is %s, and %s in the slower world", what, a, b)
			}
		}
		near("frozen", one.Frozen, many.Frozen)
		near("longest", one.Longest, many.Longest)
		near("used", one.Used, many.Used)
		near("spare", one.Spare, many.Spare)
		for i := range loads {
			near("finished", one.Finished[i], many.Finished[i])
			near("stalled", one.Stalled[i], many.Stalled[i])
		}
		if one.Throttled != many.Throttled || one.Periods != many.Periods {
			t.Fatalf("%d of %d, %d of %d", one.Throttled, one.Periods, many.Throttled, many.Periods)
		}
	})
}

func mustRunRapid(t *rapid.T, b Bandwidth, processors int, loads []Load) Result {
	r, err := Run(b, processors, loads)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
