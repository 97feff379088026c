package cfs

import "time"

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
	p.give(c, 1-c.local)
	if c.local > 0 {
		c.throttled, c.charged = false, now
	}
}
