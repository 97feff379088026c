package cfs

import (
	"math/rand/v2"
	"time"
)

// cpu is one processor, on which one thread is busy.
type cpu struct {
	local     time.Duration // what it may still run: the kernel's runtime_remaining
	charged   time.Duration // up to when what ran has been taken from it
	counted   time.Duration // up to when what ran is part of a period's sum
	tick      time.Duration // when the next tick comes
	throttled bool
	since     time.Duration // of the throttling
}

// pool is a run of the model.
type pool struct {
	Machine
	random *rand.Rand
	global time.Duration
	slush  time.Duration
	cpus   []cpu
	stat   Stat
	ran    time.Duration // in this period
}

func newPool(m Machine, threads int) *pool {
	if m.SlushCap == 0 {
		m.SlushCap = m.Quota
	}
	p := &pool{
		Machine: m, random: rand.New(rand.NewPCG(m.Seed, 0)), cpus: make([]cpu, threads), //nolint:gosec // a seeded model
		global: m.Quota,
		// Nothing ran before, and left its whole quota unused.
		slush: min(m.Quota, m.SlushCap),
	}
	for i := range p.cpus {
		c := &p.cpus[i]
		c.tick = p.Tick
		if !p.Aligned {
			c.tick = 1 + time.Duration(p.random.Int64N(int64(p.Tick)))
		}
		p.take(c)
	}
	return p
}

func (p *pool) run(periods int) {
	for n := range periods {
		end := time.Duration(n+1) * p.Period
		for c := p.next(end); c != nil; c = p.next(end) {
			p.onTick(c)
		}
		p.refill(end)
	}
}

// next is the processor whose tick comes first before the end of the period. A period that ends
// with the tick refills first (T11: 20 ms).
func (p *pool) next(end time.Duration) *cpu {
	var first *cpu
	for i := range p.cpus {
		c := &p.cpus[i]
		if c.tick < end && (first == nil || c.tick < first.tick) {
			first = c
		}
	}
	return first
}

func (p *pool) onTick(c *cpu) {
	at := c.tick
	c.tick = max(at+p.Tick+time.Duration(p.random.NormFloat64()*float64(p.Jitter)), at+1)
	if c.throttled {
		return
	}
	p.charge(c, at)
	before := c.local
	if c.local <= 0 && !p.take(c) {
		p.count(c, at)
		c.throttled, c.since = true, at
	}
	if c == &p.cpus[0] && len(p.stat.Local) < keptTicks {
		p.stat.Local = append(p.stat.Local, Charge{At: at, Before: before, After: c.local})
	}
}

// charge takes what ran since the last charge from the local pool, which may leave a debt.
func (p *pool) charge(c *cpu, at time.Duration) {
	c.local -= at - c.charged
	c.charged = at
}

// count adds what ran to the sum of the period.
func (p *pool) count(c *cpu, at time.Duration) {
	p.ran += at - c.counted
	c.counted = at
}

// take fills a local pool to a slice, as far as the global pool goes; false where it stays empty.
func (p *pool) take(c *cpu) bool {
	if p.Remedy == SlushFund && c.local < 0 {
		paid := min(-c.local, p.slush)
		p.slush -= paid
		c.local += paid
	}
	got := min(p.Slice-c.local, p.global)
	p.global -= got
	c.local += got
	return c.local > 0
}

// refill is the period timer.
func (p *pool) refill(now time.Duration) {
	p.atEnd(now)
	p.account(now)
	p.slush = min(p.slush+p.global, p.SlushCap)
	p.global = p.Quota
	for i := range p.cpus {
		c := &p.cpus[i]
		switch {
		case c.throttled:
			p.resume(c, now)
		case c.local <= 0 && p.Remedy == NoOpUpdate:
			p.take(c)
		}
	}
}

// atEnd is what a remedy does to those that run, before the refill.
func (p *pool) atEnd(now time.Duration) {
	for i := range p.cpus {
		c := &p.cpus[i]
		switch {
		case c.throttled:
		case p.Remedy == Expiry:
			c.local = min(c.local, 0)
		case p.Remedy == NoOpUpdate:
			if p.charge(c, now); c.local <= 0 {
				p.take(c)
			}
		}
	}
}

// account adds the period to the counters.
func (p *pool) account(now time.Duration) {
	throttled := false
	for i := range p.cpus {
		c := &p.cpus[i]
		if c.throttled {
			throttled = true
			p.stat.ThrottledTime += now - c.since
			c.since, c.counted = now, now
			continue
		}
		p.count(c, now)
	}
	p.stat.Periods++
	if throttled {
		p.stat.Throttled++
	}
	p.stat.Used += p.ran
	if len(p.stat.RanIn) < keptPeriods {
		p.stat.RanIn = append(p.stat.RanIn, p.ran)
	}
	p.ran = 0
}

// resume gives a processor that waits just enough to run again; it takes a slice at its next tick.
func (p *pool) resume(c *cpu, now time.Duration) {
	got := min(1-c.local, p.global)
	p.global -= got
	c.local += got
	if c.local > 0 {
		c.throttled, c.charged = false, now
	}
}
