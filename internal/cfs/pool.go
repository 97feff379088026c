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
	refilled  bool          // since the period began
	throttled bool
	since     time.Duration // of the throttling
}

// pool is a run that is under way. It begins with a refill at 0.
type pool struct {
	Machine
	random *rand.Rand
	global time.Duration // what is left for this period
	fund   time.Duration // what the period before left of its quota, for SlushFund
	given  time.Duration // of the quota and the fund to processors, in all
	write  time.Duration // when the quota is written again; 0 is never
	cpus   []cpu
	stat   Stat
	ran    time.Duration // in this period
}

func newPool(m Machine, threads int) *pool {
	p := &pool{
		Machine: m, random: rand.New(rand.NewPCG(m.Seed, 0)), cpus: make([]cpu, threads), //nolint:gosec // a seeded model
		// Nothing ran before, and left its whole quota unused.
		global: m.Quota + m.Burst,
	}
	for i := range p.cpus {
		c := &p.cpus[i]
		c.tick = p.Tick
		if !p.Aligned {
			c.tick = 1 + time.Duration(p.random.Int64N(int64(p.Tick)))
		}
		p.take(c)
	}
	if m.Rewrite > 0 {
		// The program that writes it knows nothing of the periods. Ticks are drawn as without writes.
		phase := rand.New(rand.NewPCG(m.Seed, 1)) //nolint:gosec // a seeded model
		p.write = 1 + time.Duration(phase.Int64N(int64(m.Rewrite)))
	}
	return p
}

func (p *pool) run(periods int) {
	for n := range periods {
		end := time.Duration(n+1) * p.Period
		for c := p.next(end); c != nil; c = p.next(end) {
			p.written(c.tick)
			p.onTick(c)
		}
		p.written(end)
		p.refill(end)
	}
}

// written writes the quota again as often as that comes before a time.
func (p *pool) written(before time.Duration) {
	for ; p.write > 0 && p.write < before; p.write += p.Rewrite {
		p.rewrite(p.write)
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
	p.pay(c)
	p.give(c, p.Slice-c.local)
	return c.local > 0
}

// pay takes a debt from the fund, at the processor's first refill of a period: that debt is from the period
// before.
func (p *pool) pay(c *cpu) {
	if p.Remedy == SlushFund && c.local < 0 && !c.refilled {
		paid := min(-c.local, p.fund)
		p.fund -= paid
		p.given += paid
		c.local += paid
	}
	c.refilled = true
}

// give moves from the global pool to a processor what it wants, as far as there is.
func (p *pool) give(c *cpu, wanted time.Duration) {
	got := min(wanted, p.global)
	p.global -= got
	p.given += got
	c.local += got
}
