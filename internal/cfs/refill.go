package cfs

import "time"

// refill is the period timer.
func (p *pool) refill(now time.Duration) {
	p.atEnd(now)
	p.account(now)
	p.fund = p.fill()
	for i := range p.cpus {
		c := &p.cpus[i]
		c.refilled = false
		switch {
		case c.throttled:
			p.resume(c, now)
		case c.local <= 0 && p.Remedy == ChargeAtEnd:
			p.take(c)
		}
	}
}

// fill gives the global pool a quota, and returns what did not fit. That is what was left of the quota
// before, less what may be saved for a burst (T17; __refill_cfs_bandwidth_runtime).
func (p *pool) fill() time.Duration {
	filled := min(p.global+p.Quota, p.Quota+p.Burst)
	over := p.global + p.Quota - filled
	p.global = filled
	return over
}

// atEnd is what a remedy does to those that run, before the refill.
func (p *pool) atEnd(now time.Duration) {
	for i := range p.cpus {
		c := &p.cpus[i]
		switch {
		case c.throttled:
		case p.Remedy == Expiry:
			c.local = min(c.local, 0)
		case p.Remedy == ChargeAtEnd:
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
			p.waited(c, now)
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

// waited counts the time for which a processor has been throttled so far.
func (p *pool) waited(c *cpu, now time.Duration) {
	p.stat.ThrottledTime += now - c.since
	c.since, c.counted = now, now
}

// resume gives a processor that waits just enough to run again; it takes a slice at its next tick.
func (p *pool) resume(c *cpu, now time.Duration) {
	p.pay(c)
	p.give(c, 1-c.local)
	if c.local > 0 {
		c.throttled, c.charged = false, now
	}
}

// rewrite is a write of the quota that is there already. The kernel gives the pool a quota more, as far as
// it has room, forgets what processors hold and owe, and lets all of them run (tg_set_cfs_bandwidth).
func (p *pool) rewrite(now time.Duration) {
	if p.Remedy == NoOpUpdate {
		return
	}
	p.fill()
	for i := range p.cpus {
		c := &p.cpus[i]
		if c.throttled {
			p.waited(c, now)
			c.throttled, c.charged = false, now
		}
		c.local = 1
	}
}
