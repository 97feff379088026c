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
	exporters, err := withOwn(o.Metrics)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &prometheus{
		asker:    newAsker(v1.NewAPI(client), shown(address), o.Timeout),
		options:  o,
		matchers: text,
		chosen:   labels["cluster"],

		exporters: exporters,
	}, nil
}

type prometheus struct {
	*asker
	options  PrometheusOptions
	matchers string
	chosen   bool // the matchers say which cluster
	// exporters are those of runtimes: the config's, and those that are known.
	exporters []exporter
	parts     int // into which the window is cut from the start

	look  sync.Mutex
	known *inventory
}

func (p *prometheus) Describe() string {
	return "Prometheus at " + p.shown + ", last " + Words(p.options.Window)
}

func (p *prometheus) Namespace(ctx context.Context, namespace string, owners cluster.Owners) (Use, error) {
	now := p.options.Now().Truncate(time.Millisecond)
	known, failed := p.inventory(ctx, now)
	if failed != nil {
		return nil, failed
	}
	n := &survey{
		asker:  p.asker,
		window: p.options.Window,
		now:    now,
		parts:  [...]int{samples: p.parts, allSamples: p.parts, grid: p.parts, instant: 1},
		scrape: known.interval,
		leaks:  p.options.Growth,

		exporters: p.exporters,
		selectors: selectors{
			namespace: namespace, matchers: p.matchers, step: p.options.Step, start: now.Add(-p.options.Window),
		},
	}
	for _, problem := range known.problems {
		n.miss("", problem)
	}
	for _, lack := range known.lacks {
		n.lack("", lack)
	}
	answers := n.all(ctx, known)
	use := n.fold(answers, n.owners(ctx, known, answers, owners))
	return use, n.problems()
}
