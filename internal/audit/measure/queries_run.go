package measure

import (
	"context"
	"fmt"
	"maps"
	"sync"
)

// all runs every query whose metric exists. Expensive queries run only for Pods that can have an answer:
// those that were restarted, were throttled, lived shortly or have ended.
func (n *survey) all(ctx context.Context, known *inventory) map[string]values {
	newest := metricMemory
	if !known.has(newest) {
		newest = metricCPU
	}
	n.size(ctx, newest)
	s := &stage{survey: n, known: known, answers: map[string]values{}, exact: map[string]values{}}
	s.everyone(ctx, s.usage())
	s.everyone(ctx, s.reasons())
	s.everyone(ctx, s.ends(n.window))
	if n.leaks {
		s.everyone(ctx, map[string]query{
			"memory grown": {metricMemory, "whether memory leaks", s.grown, grownInBoth, samples},
		})
	}
	s.everyone(ctx, map[string]query{"stamped": n.stamped(newest)})
	s.askWho(ctx)
	alike := known.has(metricCPU) && n.alike(ctx)
	s.group.Wait()

	a := maps.Clone(s.answers) // to read while other answers come in
	measured := podsOf(a["cpu count"], a["memory max"])
	s.pods, s.restless = measured, measured
	if known.has(metricRestarts) {
		s.pods = measured.with(n.podsOf(ctx, metricRestarts))
		s.restless = s.pods.without(calm(a["restarts now"]))
		s.some(ctx, s.restless, selectors.restarts)
	}
	s.askCounters(ctx, a)
	s.askRuntimes(ctx, a)
	withoutCPU := absent(a["cpu count"], a["memory max"])
	if !alike {
		withoutCPU = measured
	}
	s.some(ctx, withoutCPU, selectors.memoryCount)
	s.some(ctx, s.restless.with(above(a["oom now"])), selectors.oomEvents)
	s.some(ctx, absent(a["stamped"], a["cpu count"], a["memory max"]), func(s selectors) map[string]query {
		return map[string]query{"newest": s.ended(newest)}
	})
	s.some(ctx, brief(a["cpu count"]), selectors.short)
	s.some(ctx, podsOf(a["last was oom"]), selectors.kills)
	s.group.Wait()

	s.counted()
	a = maps.Clone(s.answers)
	s.some(ctx, above(a["throttled"]), selectors.throttledTime)
	s.some(ctx, throttled(a["throttled"], a["periods"]), selectors.throttledPieces)
	s.group.Wait()
	s.complete(alike)
	return s.answers
}

// complete adds what follows from the answers without a question.
func (s *stage) complete(alike bool) {
	a := s.answers
	a["newest"] = merged(a["newest"], a["stamped"])
	if alike {
		a["memory count"] = merged(a["cpu count"], a["memory count"])
		for of := range a["memory count"] {
			if _, has := a["memory max"][of]; !has {
				delete(a["memory count"], of)
			}
		}
	}
	if s.known.has(metricThrottledSeconds) {
		a["throttled seconds"] = merged(zeroes(a["throttled"]), a["throttled seconds"])
	}
	if !s.known.has(metricRestarts) {
		return
	}
	a["restarts"] = s.restarted(a)
	answered := a["restarts now"] != nil && (len(s.restless) == 0 || a["restarts most"] != nil)
	if answered && len(a["cpu count"]) > 0 && len(a["restarts"]) == 0 {
		s.lack("restarts and OOM kills there", "Prometheus has "+metricRestarts+", but not of every namespace that has "+
			metricCPU+": does kube-state-metrics see all namespaces, and is it scraped with honor_labels: true?")
	}
}

// merged are the values of both; the second wins.
func merged(first, second values) values {
	all := make(values, len(first)+len(second))
	maps.Copy(all, first)
	maps.Copy(all, second)
	return all
}

// zeroes are the counts that are 0.
func zeroes(counts values) values {
	all := values{}
	for of, value := range counts {
		if value == 0 {
			all[of] = 0
		}
	}
	return all
}

// podsOf are the Pods with any series of a metric within the window; empty if the API cannot tell.
func (n *survey) podsOf(ctx context.Context, metric string) pods {
	selector := fmt.Sprintf("%s{namespace=%s%s}", metric, quoted(n.namespace), n.matchers)
	names, failed := n.labelValues(ctx, "pod", selector, n.now.Add(-n.window), n.now)
	if failed != nil && failed.kind != partialData {
		return nil
	}
	found := pods{}
	for _, name := range names {
		found[name] = true
	}
	return found
}

// stage asks several questions at a time.
type stage struct {
	*survey
	known *inventory
	pods  pods // all that there were
	// restless are the Pods that may have been restarted.
	restless pods
	group    sync.WaitGroup
	answers  map[string]values
	exact    map[string]values // what needs no question, by the answer
}

// everyone asks about all Pods of the namespace.
func (s *stage) everyone(ctx context.Context, questions map[string]query) {
	for name, q := range questions {
		if s.known.has(q.metric) {
			s.group.Go(func() { s.note(name, s.over(ctx, q)) })
		}
	}
}

// some asks about these Pods, a few hundred at a time. If they are half of the namespace it asks about all Pods.
func (s *stage) some(ctx context.Context, meant pods, questions func(selectors) map[string]query) {
	switch {
	case len(meant) == 0:
	case 2*len(meant) > len(s.pods):
		s.everyone(ctx, questions(s.selectors))
	default:
		for _, names := range meant.parts() {
			s.everyone(ctx, questions(s.among(names)))
		}
	}
}

// note adds values to an answer; a failed question has nil.
func (s *stage) note(name string, found values) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if before := s.answers[name]; before != nil {
		maps.Copy(before, found)
		return
	}
	s.answers[name] = found
}
