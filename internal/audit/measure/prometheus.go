package measure

import (
	"context"
	"sync"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// Prometheus is a Source that asks a Prometheus. Nothing is sent before the first namespace.
func Prometheus(o PrometheusOptions) (Source, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	text, labels, err := matchers(o.Matchers)
	if err != nil {
		return nil, err
	}
	address, err := o.address()
	if err != nil {
		return nil, err
	}
	client, err := o.client()
	if err != nil {
		return nil, err
	}
	return &prometheus{
		asker:    newAsker(v1.NewAPI(client), shown(address), o.Timeout),
		options:  o,
		matchers: text,
		chosen:   labels["cluster"],
		now:      time.Now,
	}, nil
}

type prometheus struct {
	*asker
	options  PrometheusOptions
	matchers string
	chosen   bool // the matchers say which cluster
	parts    int  // into which the window is cut from the start
	now      func() time.Time

	look  sync.Mutex
	known *inventory
}

func (p *prometheus) Describe() string {
	return "Prometheus at " + p.shown + ", last " + Words(p.options.Window)
}

func (p *prometheus) Namespace(ctx context.Context, namespace string, owners cluster.Owners) (Use, error) {
	now := p.now().Truncate(time.Millisecond)
	known, failed := p.inventory(ctx, now)
	if failed != nil {
		return nil, failed
	}
	n := &survey{
		asker:  p.asker,
		window: p.options.Window,
		now:    now,
		parts:  p.parts,
		scrape: known.interval,
		growth: p.options.Growth,
		selectors: selectors{
			namespace: namespace, matchers: p.matchers, step: p.options.Step, start: now.Add(-p.options.Window),
		},
	}
	for _, problem := range known.problems {
		n.miss("", problem)
	}
	answers := n.all(ctx, known)
	use := n.fold(answers, n.owners(ctx, known, answers, owners))
	return use, n.problems()
}

// all asks every question of whose metric there is anything at all.
func (n *survey) all(ctx context.Context, known *inventory) map[string]values {
	questions := n.usage()
	for name, q := range n.restarts() {
		questions[name] = q
	}
	newest := metricMemory
	if !known.has(newest) {
		newest = metricCPU
	}
	questions["newest"] = n.newest(newest)
	if n.growth {
		questions["memory grown"] = query{metricMemory, "whether memory leaks", n.grown, grownInBoth}
	}
	n.size(ctx, newest)

	answers := map[string]values{}
	var mutex sync.Mutex
	var group sync.WaitGroup
	for name, q := range questions {
		if !known.has(q.metric) {
			continue
		}
		group.Go(func() {
			found := n.over(ctx, q)
			mutex.Lock()
			defer mutex.Unlock()
			answers[name] = found
		})
	}
	group.Wait()
	if last := answers["last was oom"]; len(last) > 0 {
		answers["killed"] = n.kills(ctx, last)
	}
	young, old := answers["restarts young"], answers["restarts old"]
	if len(answers["cpu count"]) > 0 && young != nil && old != nil && len(young)+len(old) == 0 {
		n.miss("restarts and OOM kills there", "Prometheus has "+metricRestarts+", but not of every namespace that has "+
			metricCPU+": does kube-state-metrics see all namespaces, and is it scraped with honor_labels: true?")
	}
	return answers
}
