package measure

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// restarts are the questions that kube-state-metrics' series answer. Its counter is the Pod's
// own and starts at 0 with the Pod: for a Pod that is younger than the window the count itself
// is exact, for an older one what it grew by.
func (s selectors) restarts() map[string]query {
	count, young := s.restartCount(), s.young()
	each := func(expression string) string { return "sum by (pod, container) (" + expression + ")" }
	return map[string]query{
		"restarts young": {metricRestarts, "restarts", func(length time.Duration) string {
			return each(s.grid("max_over_time", count+" and on (pod, uid) "+young, length))
		}, math.Max},
		"restarts old": {metricRestarts, "restarts", func(length time.Duration) string {
			// One step more, or what happens between two parts of the window is lost.
			grown := s.grid("increase", count, length+s.step)
			return each(fmt.Sprintf("%s unless on (pod, uid) (%s)", grown, s.grid("max_over_time", young, length+s.step)))
		}, add},
		// Jobs whose Pods are not restarted end like this.
		"ended by oom": {metricReason, "OOM kills", s.reason(metricReason), math.Max},
		"last was oom": {metricLastReason, "OOM kills", s.reason(metricLastReason), math.Max},
	}
}

// restartCount is the counter itself, without whoever else counted it: kube-state-metrics gets
// another instance label whenever it starts anew.
func (s selectors) restartCount(more ...string) string {
	return "max by (pod, container, uid) (" + s.of(metricRestarts, more...) + ")"
}

// young are the Pods that were made within the window.
func (s selectors) young() string {
	return fmt.Sprintf("(max by (pod, uid) (%s{namespace=%s%s}) > %d)",
		metricCreated, quoted(s.namespace), s.matchers, s.start.Unix())
}

func (s selectors) reason(metric string) func(time.Duration) string {
	return func(length time.Duration) string {
		return one(fmt.Sprintf("max_over_time(%s[%s])", s.of(metric, `reason="OOMKilled"`), Words(length))) + " > 0"
	}
}

// maxNames is how much of one query the names of Pods may be, in bytes.
const maxNames = 4 << 10

// killed counts OOM kills: the restarts after which the last end was one. It is asked of the
// few Pods alone for which that was ever so.
func (s selectors) killed(pods []string) query {
	names := make([]string, len(pods))
	for i, pod := range pods {
		names[i] = regexp.QuoteMeta(pod)
	}
	among := "pod=~" + quoted(strings.Join(names, "|"))
	count := s.restartCount(among)
	before := fmt.Sprintf("max by (pod, container, uid) (%s offset %s)", s.of(metricRestarts, among), Words(s.step))
	// A young Pod had no restarts before its first sample.
	more := fmt.Sprintf("clamp_min(%s - (%s or (0 * %s and on (pod, uid) %s)), 0)", count, before, count, s.young())
	// A series that has ended is found for some minutes more, unless Prometheus was told of its
	// end: the reason is the last one if it was told together with the count.
	reason := s.of(metricLastReason, `reason="OOMKilled"`, among)
	const each = "max by (pod, container, uid) "
	oom := fmt.Sprintf("(%s(timestamp(%s)) >= %s(timestamp(%s))) and %s(%s) > 0",
		each, reason, each, s.of(metricRestarts, among), each, reason)
	return query{metricLastReason, "OOM kills", func(length time.Duration) string {
		return "sum by (pod, container) (" + s.grid("sum_over_time", more+" and ("+oom+")", length) + ")"
	}, add}
}

// kills asks how often the containers were killed. last are those whose last end was an OOM kill
// at any time of the window.
func (n *survey) kills(ctx context.Context, last values) values {
	var pods []string
	for of := range last {
		pods = append(pods, of.pod)
	}
	slices.Sort(pods)
	pods = slices.Compact(pods)
	found := values{}
	for len(pods) > 0 {
		some, size := 0, 0
		for some < len(pods) && (some == 0 || size+len(pods[some]) < maxNames) {
			size += len(pods[some]) + 1
			some++
		}
		for of, count := range n.over(ctx, n.killed(pods[:some])) {
			found[of] += count
		}
		pods = pods[some:]
	}
	return found
}
