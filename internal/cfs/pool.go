package cfs

import (
	"context"
	"math/rand/v2"
	"slices"
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
