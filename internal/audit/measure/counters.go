package measure

import (
	"context"
	"fmt"
	"math"
	"time"
)

// counters are those of cAdvisor that grow for as long as a container runs, by the name of their answer. Of a
// container that was never restarted the difference between two samples is all that they grew by. To read every
// sample of the window in between costs Prometheus a hundred times as much.
var counters = map[string]query{
	"cpu sum":   {metric: metricCPU, tells: "average CPU"},
	"periods":   {metric: metricPeriods, tells: "CPU periods"},
	"throttled": {metric: metricThrottled, tells: "throttled periods"},
	"waiting":   {metric: metricWaiting, tells: "CPU pressure"},
}

// ends are the questions what the counters are at the end of the window, and were at its start.
func (s selectors) ends(window time.Duration) map[string]query {
	questions := map[string]query{
		"created now": {metricCreated, "the age of the Pods", func(time.Duration) string {
			return "max by (pod) (" + s.created() + ")"
		}, math.Max, instant},
	}
	for name, q := range counters {
		questions[name+" now"] = s.reached(q, "")
		questions[name+" then"] = s.reached(q, " offset "+Words(window))
	}
	return questions
}

// reached is the value of a counter at one time. Series with an image count first: others are duplicates.
func (s selectors) reached(counter query, offset string) query {
	of := func(image string) string { return one(s.of(counter.metric, image) + offset) }
	text := of(`image!=""`) + " or " + of(`image=""`)
	return query{counter.metric, counter.tells, func(time.Duration) string { return text }, math.Max, instant}
}

// grew are the questions that read every sample of the counters.
func (s selectors) grew(name string) map[string]query {
	if name == "cpu sum" {
		return map[string]query{name: {metricCPU, "average CPU", s.rates("sum_over_time"), add, grid}}
	}
	q := counters[name]
	return map[string]query{name: {q.metric, q.tells, s.counted(q.metric), add, samples}}
}

// covered is the share of its time that a container needs samples for, so that nothing was missed in between. A
// share slightly above 1 comes from the steps at both ends; a larger one from an earlier Pod of the same name.
const (
	covered = 0.9
	twice   = 1.05
)

// steady are the containers that ran without a restart until now, and have samples of all that time, with for how many
// seconds they did.
func (n *survey) steady(answers map[string]values) values {
	found := values{}
	restarts := podsOf(answers["restarts now"])
	restarted := above(answers["restarts now"])
	step := n.step.Seconds()
	for of, count := range answers["cpu count"] {
		created, known := answers["created now"][series{pod: of.pod}]
		if !known || !restarts[of.pod] || restarted[of.pod] {
			continue
		}
		age := math.Min(n.window.Seconds(), float64(n.now.Unix())-created)
		if count >= short && count*step >= covered*age && count*step <= twice*age+2*step {
			found[of] = age
		}
	}
	return found
}

// growth is what a counter grew by where two samples tell; of the other Pods that have it every sample is read.
func (n *survey) growth(answers map[string]values, name string, steady values) (known values, open pods) {
	known, open = values{}, pods{}
	now, then := answers[name+" now"], answers[name+" then"]
	for of := range answers["cpu count"] {
		last, there := now[of]
		age, still := steady[of]
		first, was := then[of]
		if young := age < n.window.Seconds(); young {
			first, was = 0, true // the counter began with the Pod
		}
		if there && still && was && last >= first {
			known[of] = last - first
		} else if !still || there {
			open[of.pod] = true
		}
	}
	return known, open
}

// askCounters finds what the counters grew by.
func (s *stage) askCounters(ctx context.Context, answers map[string]values) {
	steady := s.steady(answers)
	for name := range counters {
		known, open := s.growth(answers, name, steady)
		if name == "cpu sum" {
			// As the sum of the rates at all steps.
			for of, grown := range known {
				known[of] = grown / steady[of] * answers["cpu count"][of]
			}
		}
		s.exact[name] = known
		s.some(ctx, open, func(s selectors) map[string]query { return s.grew(name) })
	}
}

// counted merges what two samples and what all samples told.
func (s *stage) counted() {
	for name, known := range s.exact {
		s.answers[name] = merged(s.answers[name], known)
	}
}

// alike says whether as many containers have their memory as have their CPU, now and at times before. Both are
// scraped together, so that the memory has as many samples as the CPU.
func (n *survey) alike(ctx context.Context) bool {
	const times = 7
	text := ""
	for i := range times {
		offset := ""
		if i > 0 {
			offset = " offset " + Words((n.window >> (times - 1 - i)).Truncate(time.Second))
		}
		if i > 0 {
			text += " * "
		}
		text += fmt.Sprintf("((count(%s%s) or vector(0)) >= bool %g * (count(%s%s) or vector(0)))",
			n.of(metricMemory), offset, covered, n.of(metricCPU), offset)
	}
	vector, failed := n.vector(ctx, text, n.now)
	return failed == nil && len(vector) == 1 && vector[0].Value == 1
}
