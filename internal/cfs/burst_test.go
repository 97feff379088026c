package cfs

import (
	"testing"
	"time"
)

// withBurst is a limit in millicores that may save so much for a burst.
func withBurst(limit int64, burst time.Duration) Bandwidth {
	b := ForLimit(limit, DefaultPeriod)
	b.Burst = burst
	return b
}

// T17 on the burst of T2: 450 ms of CPU time under a quota of 200 ms.
func TestBurst(t *testing.T) {
	for _, c := range []struct {
		burst, done, frozen, beyond time.Duration
		throttled                   int
	}{
		{0, 202 * ms, 184 * ms, 0, 2},
		{50 * ms, 108 * ms, 90 * ms, 50 * ms, 1},
		{100 * ms, 106 * ms, 88 * ms, 100 * ms, 1},
		{200 * ms, 102 * ms, 84 * ms, 200 * ms, 1},
	} {
		t.Run(c.burst.String(), func(t *testing.T) {
			r := mustRun(t, withBurst(2000, c.burst), 32, Load{Threads: 25, Work: 18 * ms})
			want(t, "done", r.End(), c.done)
			want(t, "frozen", r.Frozen, c.frozen)
			want(t, "throttled", r.Throttled, c.throttled)
			want(t, "beyond the quota", r.Burst, c.beyond)
		})
	}
	// T3: 644 ms, of which a period takes 400 and the next 200.
	r := mustRun(t, withBurst(2000, 200*ms), 32, Load{Threads: 8, Work: 18 * ms}, Load{Start: 18 * ms, Threads: 25, Work: 20 * ms})
	want(t, "used up", firstFreeze(r).From, 28240*us)
	want(t, "throttled", r.Throttled, 2)
	want(t, "done", r.End(), 201760*us)
}

// T4's ten periods: what a period leaves is saved for the next, and two bursts of 280 and 310 ms under a quota of
// 200 are throttled no more.
func TestBurstOfTheAverage(t *testing.T) {
	var loads []Load
	for n, demand := range []time.Duration{40, 30, 30, 280, 20, 50, 30, 310, 20, 40} {
		loads = append(loads, Load{Start: time.Duration(n) * 100 * ms, Threads: 8, Work: demand * ms / 8})
	}
	for burst, throttled := range map[time.Duration]int{0: 2, 80 * ms: 1, 110 * ms: 0, 200 * ms: 0} {
		r := mustRun(t, withBurst(2000, burst), 32, loads...)
		want(t, burst.String()+": throttled", r.Throttled, throttled)
		if burst >= 110*ms {
			want(t, burst.String()+": periods beyond the quota", r.Bursts, 2)
			want(t, burst.String()+": beyond it", r.Burst, 190*ms)
		}
	}
}

// What is saved: at most the burst, a part after a period that left a part, all of it after a rest, and nothing by
// threads that are busy.
func TestSaved(t *testing.T) {
	b := withBurst(1000, 60*ms)
	left := func(loads ...Load) time.Duration {
		r := mustRun(t, b, 8, loads...)
		return r.Segments[len(r.Segments)-1].Quota
	}
	spent := Load{Threads: 8, Work: 20 * ms} // 160 ms: quota and burst
	want(t, "after a period that left nothing", left(spent, Load{Start: 100 * ms, Threads: 1, Work: ms}), 100*ms)
	want(t, "after one that left 40 ms of 160",
		left(Load{Threads: 8, Work: 15 * ms}, Load{Start: 100 * ms, Threads: 1, Work: ms}), 140*ms)
	want(t, "after one that left 100 ms", left(Load{Threads: 6, Work: 10 * ms}, Load{Start: 100 * ms, Threads: 1, Work: ms}), 160*ms)
	want(t, "after a rest", left(spent, Load{Start: 200 * ms, Threads: 1, Work: ms}), 160*ms)
	r := mustRun(t, b, 8, Load{Threads: 2, Work: time.Second})
	want(t, "of threads that are always busy, bursts", r.Bursts, 1)
	want(t, "beyond the quota", r.Burst, 60*ms)
}

// Writes of the quota that is there already give a quota more than the limit has, and are nothing with the no-op
// update.
func TestRewrite(t *testing.T) {
	m := Machine{
		Bandwidth: ForLimit(1000, 100*ms), Processors: 2, Slice: 5 * ms, Tick: ms, Aligned: true,
	}
	run := func(change func(*Machine)) Stat {
		other := m
		change(&other)
		s, err := other.Busy(2, 100)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	plain := run(func(*Machine) {})
	written := run(func(m *Machine) { m.Rewrite = 1030 * ms })
	noOp := run(func(m *Machine) { m.Rewrite, m.Remedy = 1030*ms, NoOpUpdate })
	if more := written.Used - plain.Used; more < 4*100*ms || more > 10*100*ms {
		t.Errorf("10 writes let run %s more", more)
	}
	if noOp.Used != plain.Used || noOp.Throttled != plain.Throttled || noOp.ThrottledTime != plain.ThrottledTime {
		t.Errorf("with the no-op update %+v, without writes %+v", noOp, plain)
	}
	often := run(func(m *Machine) { m.Rewrite = 20 * ms })
	want(t, "written every 20 ms, threads that wait", often.ThrottledTime, time.Duration(0))
}

// The slush fund pays with what the period before left, and not with what was left earlier.
func TestSlushFund(t *testing.T) {
	m := PaperMachine(100 * ms)
	m.Remedy = SlushFund
	p := newPool(m, 1)
	p.global = 40 * ms
	p.refill(100 * ms)
	want(t, "the fund", p.fund, 40*ms)
	c := &p.cpus[0]
	c.local = -3 * ms
	p.take(c)
	want(t, "after a debt of 3 ms", p.fund, 37*ms)
	want(t, "a slice is from the quota", p.global, m.Quota-5*ms)
	c.local = -3 * ms
	p.take(c)
	want(t, "after a second one in the same period", p.fund, 37*ms)
	want(t, "which the quota pays", p.global, m.Quota-13*ms)
	p.global = 1 * ms
	p.refill(200 * ms)
	want(t, "the fund does not grow", p.fund, 1*ms)
}
