package measure

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"
)

// besideHeap is the question what regions of a JVM take together: the most of each need not be at one time.
const besideHeap = "beside heap"

var regions = []string{"metaspace", "code_cache", "direct"}

// askBesideHeap asks it of an exporter that tells of all of them.
func (s *stage) askBesideHeap(ctx context.Context, e *exporter) {
	for _, what := range regions {
		if !s.tells(e, what) {
			return
		}
	}
	for _, j := range s.known.joins {
		s.everyone(ctx, map[string]query{answerOf(e, besideHeap): s.besideHeap(e, j)})
	}
}

func (s *stage) tells(e *exporter, what string) bool {
	for _, m := range e.names(what, what) {
		if m.Metric != "" && s.known.has(m.Metric) {
			return true
		}
	}
	return false
}

// besideHeap adds up, at every step, the most that each region took since the step before, and takes the largest sum.
func (s selectors) besideHeap(e *exporter, j join) query {
	by := "max by (" + j.labels() + ") "
	var sum []string
	for _, what := range regions {
		var named []string
		for _, m := range e.names(what, what) {
			most := fmt.Sprintf("max_over_time(%s[%s])", s.runtimeSeries(m, j), Words(s.step))
			named = append(named, by+"("+m.sum(most)+")")
		}
		sum = append(sum, "("+strings.Join(named, " or ")+")")
	}
	return query{e.Metrics[e.Anchor].Metric, "what runtimes measure of themselves", func(length time.Duration) string {
		return s.named(j, s.grid("max_over_time", strings.Join(sum, " + "), j.within(length)), besideHeap, length)
	}, math.Max, grid}
}
