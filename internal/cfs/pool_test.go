package cfs

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// T11: Figure 4's walk, tick by tick.
func TestFigure4(t *testing.T) {
	m := PaperMachine(10 * ms)
	m.Bandwidth, m.Processors = ForLimit(1000, 10*ms), 1
	m.Jitter, m.Aligned = 0, true
	s, err := m.Busy(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := []time.Duration{10 * ms, 10 * ms, 8 * ms}; !slices.Equal(s.RanIn, got) {
		t.Errorf("ran %v", s.RanIn)
	}
	walk := []Charge{
		{4 * ms, 1 * ms, 1 * ms},
		{8 * ms, -3 * ms, 2 * ms},
		{12 * ms, -2 * ms, 5 * ms},
		{16 * ms, 1 * ms, 1 * ms},
		{20 * ms, -3 * ms, 5 * ms},
		{24 * ms, 1 * ms, 1 * ms},
		{28 * ms, -3 * ms, -1 * ms}, // 2 ms were left of the third quota: throttled
	}
	if !slices.Equal(s.Local, walk) {
		t.Errorf("local pool %v", s.Local)
	}
	want(t, "throttled", s.Throttled, 1)
	want(t, "for", s.ThrottledTime, 2*ms)
}

func TestBusyRefused(t *testing.T) {
	for _, c := range []struct {
		name             string
		change           func(*Machine)
		threads, periods int
		says             string
	}{
		{"limit", func(m *Machine) { m.Quota = 0 }, 3, 1, "needs a CPU limit"},
		{"quota", func(m *Machine) { m.Quota = 1 }, 3, 1, "less than the 1ms"},
		{"period", func(m *Machine) { m.Period = time.Hour }, 3, 1, "a period of 1h0m0s"},
		{"slice", func(m *Machine) { m.Slice = 0 }, 3, 1, "a slice of 0s"},
		{"tick", func(m *Machine) { m.Tick = time.Hour }, 3, 1, "a tick of 1h0m0s"},
		{"jitter", func(m *Machine) { m.Jitter = 5 * ms }, 3, 1, "a jitter of 5ms"},
		{"rewrite", func(m *Machine) { m.Rewrite = 1 }, 3, 1, "a rewrite every 1ns"},
		{"burst", func(m *Machine) { m.Burst = m.Quota + 1 }, 3, 1, "a burst of 300.000001ms is not between 0 and the quota"},
		{"remedy", func(m *Machine) { m.Remedy = 9 }, 3, 1, "no remedy 9"},
		{"no thread", nil, 0, 1, "0 busy threads"},
		{"threads", nil, 4, 1, "4 busy threads need a processor each, and there are 3"},
		{"processors", func(m *Machine) { m.Processors = 1 << 20 }, 3, 1, "processors are not"},
		{"many threads", func(m *Machine) { m.Processors = 2000 }, 1025, 1, "1025 busy threads"},
		{"periods", nil, 3, 0, "0 periods"},
		{"steps", nil, 3, math.MaxInt, "more than is computed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := PaperMachine(100 * ms)
			if c.change != nil {
				c.change(&m)
			}
			if _, err := m.Busy(c.threads, c.periods); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// TestSeeded: the same seed gives the same, and another something else.
func TestSeeded(t *testing.T) {
	m := PaperMachine(10 * ms)
	run := func(seed uint64) []time.Duration {
		m.Seed = seed
		s, err := m.Busy(3, 500)
		if err != nil {
			t.Fatal(err)
		}
		return append(s.RanIn, s.ThrottledTime)
	}
	if !slices.Equal(run(1), run(1)) || slices.Equal(run(1), run(2)) {
		t.Error("seeds decide nothing, or not all")
	}
}

// TestNoQuotaFromNothing bounds what runs. What was given is never more than the quotas, those of writes
// included, and a burst. Threads run at most one slice, one tick and its jitter ahead of it each, and a write
// forgets that they did.
func TestNoQuotaFromNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, threads, periods := drawMachine(t)
		p := newPool(m, threads)
		p.run(periods)
		writes := 0
		if m.Rewrite > 0 && m.Remedy != NoOpUpdate {
			writes = int(time.Duration(periods)*m.Period/m.Rewrite) + 1
		}
		bound := time.Duration(periods+1+writes)*m.Quota + m.Burst // run refills after the last period, too
		if p.given > bound {
			t.Fatalf("given %s, and there were %s", p.given, bound)
		}
		ahead := time.Duration(threads*(1+writes)) * (m.Tick + 8*m.Jitter + 1)
		if p.stat.Used > p.given+ahead {
			t.Fatalf("used %s, given %s", p.stat.Used, p.given)
		}
		wall := time.Duration(threads*periods) * m.Period
		if p.stat.Used+p.stat.ThrottledTime != wall {
			t.Fatalf("used %s and throttled %s are not %s", p.stat.Used, p.stat.ThrottledTime, wall)
		}
		in := m.Quota + m.Burst + time.Duration(threads)*(m.Slice+m.Tick+8*m.Jitter)
		if m.Remedy == SlushFund {
			in += m.Quota
		}
		for n, ran := range p.stat.RanIn {
			if writes == 0 && ran > in {
				t.Fatalf("period %d ran %s of %s", n, ran, m.Quota)
			}
		}
		if p.stat.Periods != periods || p.stat.Throttled > periods || p.stat.Throttled > 0 && p.stat.ThrottledTime == 0 ||
			writes == 0 && p.stat.Throttled == 0 && p.stat.ThrottledTime > 0 {
			t.Fatalf("%+v", p.stat)
		}
	})
}

// drawMachine makes up a machine.
func drawMachine(t *rapid.T) (m Machine, threads, periods int) {
	duration := func(from, to time.Duration, name string) time.Duration {
		return time.Duration(rapid.Int64Range(int64(from), int64(to)).Draw(t, name))
	}
	threads = rapid.IntRange(1, 6).Draw(t, "threads")
	m = Machine{Processors: threads, Seed: rapid.Uint64().Draw(t, "seed"), Aligned: rapid.Bool().Draw(t, "aligned")}
	m.Period = duration(MinPeriod, 120*ms, "period")
	m.Quota = duration(MinQuota, max(time.Duration(threads)*m.Period*3/2, MinQuota), "quota")
	m.Slice, m.Tick = duration(100*us, 6*ms, "slice"), duration(100*us, 11*ms, "tick")
	m.Jitter = duration(0, m.Tick/4, "jitter")
	m.Remedy = rapid.SampledFrom(Remedies()).Draw(t, "remedy")
	if rapid.Bool().Draw(t, "bursts") {
		m.Burst = duration(0, m.Quota, "burst")
	}
	if rapid.Bool().Draw(t, "is written") {
		m.Rewrite = duration(MinRewrite, 500*ms, "rewrite")
	}
	return m, threads, rapid.IntRange(1, 60).Draw(t, "periods")
}

// TestLayersAgree: with slices and ticks that are small beside the period, both layers are one. What
// differs stays within a tick and a slice of each thread.
func TestLayersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads := rapid.IntRange(2, 6).Draw(t, "threads")
		period := time.Duration(rapid.Int64Range(int64(5*ms), int64(100*ms)).Draw(t, "period"))
		// Less than all want, so that each period is throttled, and by more than what may differ.
		quota := time.Duration(rapid.Int64Range(int64(MinQuota), int64(period)*int64(threads)*9/10).Draw(t, "quota"))
		const grain, periods = 2 * us, 10
		m := Machine{Bandwidth: Bandwidth{Quota: quota, Period: period}, Processors: threads, Slice: grain, Tick: grain}
		pools, err := m.Busy(threads, periods)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := Run(m.Bandwidth, threads, []Load{{Threads: threads, Work: 20 * period}})
		if err != nil {
			t.Fatal(err)
		}
		if pools.Throttled != periods || exact.Throttled < periods {
			t.Fatalf("throttled in %d, and by the period layer in %d", pools.Throttled, exact.Throttled)
		}
		slack := time.Duration(threads) * 2 * grain
		for n, ran := range pools.RanIn {
			if ran > quota+slack || ran < quota-slack {
				t.Fatalf("period %d ran %s, and the quota is %s", n, ran, quota)
			}
		}
	})
}
