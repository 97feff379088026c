package measure

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// stale is the age after which the list of metrics is read again: a watch runs for weeks.
const stale = 10 * time.Minute

// inventory lists the metrics that a Prometheus has within the window, and the problems with them
// that concern every namespace.
type inventory struct {
	at       time.Time
	all      bool // it is not known: ask for everything
	metrics  map[string]bool
	problems []string
	lacks    []string // metrics that every cluster has
	// interval is how often cAdvisor is scraped; 0 where that is not known.
	interval time.Duration
	joins    []join // the labels by which series of runtimes name their container
}

func (i *inventory) has(metric string) bool { return i.all || i.metrics[metric] }

// inventory looks once; other callers wait for its answer. No metric of cAdvisor at all is a failure.
func (p *prometheus) inventory(ctx context.Context, now time.Time) (*inventory, *failure) {
	p.look.Lock()
	defer p.look.Unlock()
	if p.known != nil && now.Sub(p.known.at) < stale {
		return p.known, nil
	}
	names := strings.Join(append([]string{
		metricCPU, metricMemory, metricPeriods, metricThrottled, metricThrottledSeconds, metricOOMEvents, metricWaiting,
		metricRestarts, metricLastReason, metricReason, metricCreated, metricPodOwner,
		metricPodInfo,
	}, metricsOf(p.exporters)...), "|")
	from := now.Add(-p.options.Window)
	found, failed := p.labelValues(ctx, "__name__", fmt.Sprintf("{__name__=~%s%s}", quoted(names), p.matchers), from, now)
	known := &inventory{at: now, metrics: map[string]bool{}}
	switch {
	case failed != nil && failed.kind == unreachable, ctx.Err() != nil:
		return nil, failed
	case failed != nil && failed.kind == partialData:
		known.problems = append(known.problems, failed.text)
	case failed != nil:
		known.all = true // an API without this question; the queries will tell
	}
	for _, name := range found {
		known.metrics[name] = true
	}
	if failed := p.wanting(known); failed != nil {
		return nil, failed
	}
	if failed := p.oneCluster(ctx, from, now); failed != nil {
		return nil, failed
	}
	known.interval = p.interval(ctx, now)
	known.joins = p.joins(ctx, known, from, now)
	p.known = known
	return known, nil
}

// wanting notes which of the metrics are missing that every cluster has.
func (p *prometheus) wanting(known *inventory) *failure {
	cpu, memory := known.has(metricCPU), known.has(metricMemory)
	among := ""
	if p.matchers != "" {
		among = " that match " + p.matchers[1:]
	}
	window := Words(p.options.Window)
	if !cpu && !memory {
		return &failure{kind: otherwise, text: fmt.Sprintf("Prometheus at %s has no series %s%s in the last %s: "+
			"does it scrape /metrics/cadvisor of the kubelets?", p.shown, metricCPU, among, window)}
	}
	for _, m := range []struct {
		has                bool
		metric, tells, why string
	}{
		{cpu, metricCPU, "average and peak CPU", "is it dropped when the kubelets are scraped?"},
		{memory, metricMemory, "peak memory", "is it dropped when the kubelets are scraped?"},
		{known.has(metricRestarts), metricRestarts, "restarts and OOM kills", "is kube-state-metrics scraped?"},
	} {
		if !m.has {
			known.lacks = append(known.lacks, fmt.Sprintf("Prometheus at %s has no series %s%s in the last %s: "+
				"%s (unknown: %s)", p.shown, m.metric, among, window, m.why, m.tells))
		}
	}
	return nil
}

// oneCluster refuses to mix up clusters whose series lie in one Prometheus: their namespaces
// have the same names.
func (p *prometheus) oneCluster(ctx context.Context, from, now time.Time) *failure {
	if p.chosen {
		return nil
	}
	selector := fmt.Sprintf(`%s{container!=""%s}`, metricCPU, p.matchers)
	clusters, failed := p.labelValues(ctx, "cluster", selector, from, now)
	if len(clusters) < 2 || failed != nil && failed.kind != partialData { // not every server can say
		return nil
	}
	const enough = 5
	some := make([]string, 0, enough)
	for _, name := range clusters[:min(len(clusters), enough)] {
		some = append(some, clean(name))
	}
	return &failure{kind: otherwise, text: fmt.Sprintf("Prometheus at %s has series of %d clusters (%s): "+
		"say which one is meant, by --prometheus-matcher 'cluster=\"%s\"'",
		p.shown, len(clusters), strings.Join(some, ", "), some[0])}
}

// interval is the time between two samples of most containers. It is only needed for Pods that
// do not live for long, so it may fail.
func (p *prometheus) interval(ctx context.Context, now time.Time) time.Duration {
	query := fmt.Sprintf(`quantile(0.5, count_over_time(%s{container!="",container!="POD"%s}[%s]))`,
		metricCPU, p.matchers, Words(p.options.Step))
	vector, _ := p.vector(ctx, query, now)
	if len(vector) != 1 || vector[0].Value < 1 {
		return 0
	}
	return time.Duration(float64(p.options.Step) / float64(vector[0].Value))
}
