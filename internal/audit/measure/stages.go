package measure

import (
	"context"
	"fmt"
	"maps"
	"sync"
)

// all asks every question of whose metric there is anything at all. What is dear is only asked of the Pods that it can
// be something else than nothing for: those that were restarted, were throttled, lived shortly or have ended.
func (n *survey) all(ctx context.Context, known *inventory) map[string]values {
	newest := metricMemory
	if !known.has(newest) {
		newest = metricCPU
	}
	n.size(ctx, newest)
	s := &stage{survey: n, known: known, answers: map[string]values{}}
	s.everyone(ctx, s.usage())
	s.everyone(ctx, s.ends())
	s.everyone(ctx, map[string]query{"stamped": n.stamped(newest)})
	s.group.Wait()

	a := s.answers
	s.pods = podsOf(a["cpu count"], a["memory max"], a["memory count"])
	restless := s.pods
	if known.has(metricRestarts) {
		all := n.podsOf(ctx, metricRestarts)
		s.pods = s.pods.with(all)
		restless = s.pods.without(calm(a["restarts now"]))
		s.some(ctx, restless, selectors.restarts)
	}
	s.some(ctx, restless.with(above(a["oom now"], 0)), selectors.oomEvents)
	s.some(ctx, absent(a["stamped"], a["cpu count"], a["memory max"]), func(s selectors) map[string]query {
		return map[string]query{"newest": s.ended(newest)}
	})
	s.some(ctx, brief(a["cpu count"]), selectors.short)
	s.some(ctx, above(a["throttled"], 0), selectors.throttledTime)
	s.some(ctx, throttled(a["throttled"], a["periods"]), selectors.throttledPieces)
	s.some(ctx, podsOf(a["last was oom"]), selectors.kills)
	s.group.Wait()
	n.complete(known, a)
	return a
}

// complete adds what follows from the answers without a question.
func (n *survey) complete(known *inventory, answers map[string]values) {
	latest := maps.Clone(answers["newest"])
	if latest == nil {
		latest = values{}
	}
	maps.Copy(latest, answers["stamped"])
	answers["newest"] = latest
	if known.has(metricThrottledSeconds) {
		answers["throttled seconds"] = zeroes(answers["throttled"], answers["throttled seconds"])
	}
	if !known.has(metricRestarts) {
		return
	}
	answers["restarts"] = n.restarted(answers)
	most, asked := answers["restarts most"]
	answered := answers["restarts now"] != nil && (!asked || most != nil)
	if answered && len(answers["cpu count"]) > 0 && len(answers["restarts"]) == 0 {
		n.miss("restarts and OOM kills there", "Prometheus has "+metricRestarts+", but not of every namespace that has "+
			metricCPU+": does kube-state-metrics see all namespaces, and is it scraped with honor_labels: true?")
	}
}

// zeroes are the values, and 0 where the other count is.
func zeroes(count, known values) values {
	all := values{}
	for of, value := range count {
		if value == 0 {
			all[of] = 0
		}
	}
	maps.Copy(all, known)
	return all
}

// podsOf are the Pods that a metric has any series of within the window. An API that cannot say gives none.
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
	known   *inventory
	pods    pods // all that there were
	group   sync.WaitGroup
	answers map[string]values
}

// everyone asks about all Pods of the namespace.
func (s *stage) everyone(ctx context.Context, questions map[string]query) {
	for name, q := range questions {
		if s.known.has(q.metric) {
			s.group.Go(func() { s.note(name, s.over(ctx, q)) })
		}
	}
}

// some asks about these Pods, a few hundred at a time; about all of them where half of them are meant.
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

// note adds to an answer: that of a question which failed is nil.
func (s *stage) note(name string, found values) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if before := s.answers[name]; before != nil {
		maps.Copy(before, found)
		return
	}
	s.answers[name] = found
}
