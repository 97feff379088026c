package scenario

import (
	"fmt"
	"strconv"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// MaxCases bounds a sweep: longer tables are not readable.
const MaxCases = 256

// Setting is a value that a sweep varies.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Case is one combination of the values of a scenario.
type Case struct {
	Varied     []Setting // in the order of the columns
	Limit      int64     // millicores; 0 means no limit
	Period     time.Duration
	Burst      time.Duration
	Processors int
	variant    []int // of each load
	machine    cfs.Machine
	threads    int
}

// axis is something that is swept.
type axis struct {
	name   string
	values []string
	set    func(c *Case, n int)
}

func axisOf[T any](name string, values []T, text func(T) string, set func(*Case, T)) axis {
	a := axis{name: name, set: func(c *Case, n int) { set(c, values[n]) }}
	for _, v := range values {
		a.values = append(a.values, text(v))
	}
	return a
}

func (s *Scenario) axes() []axis {
	axes := []axis{
		axisOf("limit", s.Limits, limitText, func(c *Case, v int64) { c.Limit = v }),
		axisOf("period", s.Periods, shortDuration, func(c *Case, v time.Duration) { c.Period = v }),
		axisOf("burst", s.Bursts, shortDuration, func(c *Case, v time.Duration) { c.Burst = v }),
		axisOf("processors", s.Processors, strconv.Itoa, func(c *Case, v int) { c.Processors = v }),
	}
	if s.Layer == Pool {
		return append(axes, s.Busy.axes()...)
	}
	for i, l := range s.Loads {
		a := axis{name: l.Name, set: func(c *Case, n int) { c.variant[i] = n }}
		for n := range l.variants() {
			threads, work := l.variant(n)
			a.values = append(a.values, fmt.Sprintf("%d × %s", threads, shortDuration(work)))
		}
		axes = append(axes, a)
	}
	return axes
}

func (b Busy) axes() []axis {
	aligned := func(v bool) string {
		if v {
			return "together"
		}
		return "apart"
	}
	return []axis{
		axisOf("threads", b.Threads, strconv.Itoa, func(c *Case, v int) { c.threads = v }),
		axisOf("rewrite", b.Rewrite, rewriteText, func(c *Case, v time.Duration) { c.machine.Rewrite = v }),
		axisOf("remedy", b.Remedies, cfs.Remedy.String, func(c *Case, v cfs.Remedy) { c.machine.Remedy = v }),
		axisOf("slice", b.Slice, shortDuration, func(c *Case, v time.Duration) { c.machine.Slice = v }),
		axisOf("tick", b.Tick, shortDuration, func(c *Case, v time.Duration) { c.machine.Tick = v }),
		axisOf("jitter", b.Jitter, shortDuration, func(c *Case, v time.Duration) { c.machine.Jitter = v }),
		axisOf("ticks", b.Aligned, aligned, func(c *Case, v bool) { c.machine.Aligned = v }),
	}
}

// Cases are all combinations, the first thing that is swept changing slowest.
func (s *Scenario) Cases() ([]Case, error) {
	cases := []Case{{variant: make([]int, len(s.Loads))}}
	for _, a := range s.axes() {
		if len(cases)*len(a.values) > MaxCases {
			message := fmt.Sprintf("has more than %d combinations of values", MaxCases)
			return nil, yamlfile.Problem{File: s.File, Line: 1, Message: message}
		}
		next := make([]Case, 0, len(cases)*len(a.values))
		for _, c := range cases {
			for n, value := range a.values {
				one := c
				one.variant = append([]int(nil), c.variant...)
				one.Varied = append([]Setting(nil), c.Varied...)
				a.set(&one, n)
				if len(a.values) > 1 {
					one.Varied = append(one.Varied, Setting{Name: a.name, Value: value})
				}
				next = append(next, one)
			}
		}
		cases = next
	}
	return cases, nil
}

// Bandwidth of the case's limit. Without a limit there is nothing that a burst could go beyond.
func (c Case) Bandwidth() cfs.Bandwidth {
	b := cfs.ForLimit(c.Limit, c.Period)
	if c.Limit > 0 {
		b.Burst = c.Burst
	}
	return b
}

// loads of the case, each as often as it comes; of says which load of the scenario each is.
func (s *Scenario) loads(c Case) (loads []cfs.Load, of []int) {
	for i, l := range s.Loads {
		threads, work := l.variant(c.variant[i])
		for n := range l.Times {
			start := l.Start + time.Duration(n)*l.Every
			loads = append(loads, cfs.Load{Name: l.Name, Start: start, Threads: threads, Work: work})
			of = append(of, i)
		}
	}
	return loads, of
}

func rewriteText(every time.Duration) string {
	if every == 0 {
		return Never
	}
	return "every " + shortDuration(every)
}

// limitText is a limit as manifests have it.
func limitText(millicores int64) string {
	switch {
	case millicores == 0:
		return "none"
	case millicores%1000 == 0:
		return strconv.FormatInt(millicores/1000, 10)
	case millicores > 1000:
		return strconv.FormatFloat(float64(millicores)/1000, 'f', -1, 64)
	}
	return strconv.FormatInt(millicores, 10) + "m"
}
