package measure

import (
	"fmt"
	"maps"
	"math"
	"time"
)

// restarts are the questions that kube-state-metrics' series answer. Its counter is the Pod's own and starts at 0
// with the Pod. For a Pod that is younger than the window the count itself is exact, for an older one what it grew
// by.
func (s selectors) restarts() map[string]query {
	count := func(by, function string) func(time.Duration) string {
		return func(length time.Duration) string {
			return fmt.Sprintf("%s by (pod, container, uid) (%s)", by, over(function+"_over_time")(s.of(metricRestarts), length))
		}
	}
	return map[string]query{
		"restarts most":  {metricRestarts, "restarts", count("max", "max"), math.Max, samples},
		"restarts least": {metricRestarts, "restarts", count("min", "min"), math.Min, samples},
		"created": {metricCreated, "restarts", func(length time.Duration) string {
			return "max by (pod, uid) (" + over("max_over_time")(s.created(), length) + ")"
		}, math.Max, samples},
	}
}

// reasons are the queries why containers ended. Few containers have an answer.
func (s selectors) reasons() map[string]query {
	return map[string]query{
		// Jobs whose Pods are not restarted end like this.
		"ended by oom": {metricReason, "OOM kills", s.reason(metricReason), math.Max, samples},
		"last was oom": {metricLastReason, "OOM kills", s.reason(metricLastReason), math.Max, samples},
		"restarts now": s.now(metricRestarts, "restarts"),
		"oom now":      s.now(metricOOMEvents, "OOM kills that cAdvisor saw"),
	}
}

// restarted is how often the containers were restarted in the window, by Pod and container. A Pod of a StatefulSet is
// several under one name. Pods that run and were never restarted get no further queries.
func (n *survey) restarted(answers map[string]values) values {
	found := values{}
	for of, count := range answers["restarts now"] {
		if count == 0 {
			found[of] = 0
		}
	}
	before := values{}
	for of, most := range answers["restarts most"] {
		if answers["created"][series{pod: of.pod, uid: of.uid}] <= float64(n.start.Unix()) {
			most -= answers["restarts least"][of]
		}
		before[series{pod: of.pod, container: of.container}] += most
	}
	maps.Copy(found, before)
	return found
}

// restartCount is the counter itself, merged over its scrapers: kube-state-metrics gets
// another instance label whenever it starts anew.
func (s selectors) restartCount() string {
	return "max by (pod, container, uid) (" + s.of(metricRestarts) + ")"
}

// created is when Pods were made, in seconds since 1970.
func (s selectors) created() string {
	return fmt.Sprintf("%s{namespace=%s%s%s}", metricCreated, quoted(s.namespace), s.pods, s.matchers)
}

// young are the Pods that were made within the window.
func (s selectors) young() string {
	return fmt.Sprintf("(max by (pod, uid) (%s) > %d)", s.created(), s.start.Unix())
}

func (s selectors) reason(metric string) func(time.Duration) string {
	return func(length time.Duration) string {
		return one(fmt.Sprintf("max_over_time(%s[%s])", s.of(metric, `reason="OOMKilled"`), Words(length))) + " > 0"
	}
}

// kills counts OOM kills: the restarts after which the last end was one. It is asked of the
// few Pods alone for which that was ever so.
func (s selectors) kills() map[string]query {
	count := s.restartCount()
	before := fmt.Sprintf("max by (pod, container, uid) (%s offset %s)", s.of(metricRestarts), Words(s.step))
	// A young Pod had no restarts before its first sample.
	more := fmt.Sprintf("clamp_min(%s - (%s or (0 * %s and on (pod, uid) %s)), 0)", count, before, count, s.young())
	// A series that has ended is found for some minutes more, unless Prometheus was told of its
	// end. The reason is the last one if it was told together with the count.
	reason := s.of(metricLastReason, `reason="OOMKilled"`)
	const each = "max by (pod, container, uid) "
	oom := fmt.Sprintf("(%s(timestamp(%s)) >= %s(timestamp(%s))) and %s(%s) > 0",
		each, reason, each, s.of(metricRestarts), each, reason)
	return map[string]query{"killed": {metricLastReason, "OOM kills", func(length time.Duration) string {
		return "sum by (pod, container) (" + s.grid("sum_over_time", more+" and ("+oom+")", length) + ")"
	}, add, grid}}
}
