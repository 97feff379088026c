package measure

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// rising are the meanings of which a leak shows: what grows all the time, whatever the load does.
var rising = []string{"live", "floor", "metaspace", "direct", "threads"}

// rise is the end of the question by how much something grows.
const rise = " rise"

// leakSpan is how far back a leak is looked for. A quarter of it has a day and a night.
const leakSpan = 4 * day

// askRises asks of one exporter what grows. What is known by an address alone is not known for long enough.
func (s *stage) askRises(ctx context.Context, e *exporter) {
	for _, what := range rising {
		if _, ok := e.Metrics[what]; !ok {
			continue
		}
		for answer, m := range e.names(what, what+rise) {
			for _, j := range s.known.joins {
				if j != byAddress {
					s.everyone(ctx, map[string]query{answer: s.rises(m, j)})
				}
			}
		}
	}
}

// rises is by how much something grows in a day, by the slope of its samples; 0 unless it grew all the time. It is 0 in
// less than two days, too: no day is there to compare with.
func (s selectors) rises(m meaning, j join) query {
	series := s.runtimeSeries(m, j)
	slope := func(length time.Duration) string {
		return m.sum(fmt.Sprintf("deriv(%s[%s])", series, Words(length)))
	}
	least := func(piece, ago time.Duration) string {
		return m.sum(fmt.Sprintf("min_over_time(%s[%s]%s)", series, Words(piece), offset(ago)))
	}
	expression := func(length time.Duration) string {
		length = min(length, leakSpan)
		grown := []string{"0"}
		if length.Round(time.Hour) >= 2*day { // a part ends between two steps
			grown = append([]string{"86400"}, steps(least, length)...)
		}
		grown = append(grown, "("+slope(length)+")")
		return s.named(j, "max by ("+j.labels()+") ("+strings.Join(grown, " * ")+")", rise, length)
	}
	return query{m.Metric, "whether a runtime leaks", expression, risenInBoth, allSamples}
}

// risenInBoth is the mean of two parts of the window: what does not grow in one of them does not grow all the time.
func risenInBoth(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return (a + b) / 2
}
