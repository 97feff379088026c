package annotate

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Live looks up in a cluster, one namespace after the other as manifests name them.
type Live struct {
	Reader *cluster.Reader
	Source measure.Source
	// Namespace is that of manifests which name none.
	Namespace string
	// Problem is told what could not be had; the rest is given all the same.
	Problem func(error)
	// Lacking is set once a workload lacks a value, possibly because of a problem. A Prometheus
	// without restarts does not count: restarts are not written.
	Lacking bool

	known map[string]namespace
	told  map[string]bool
}

// namespace is what is known of one.
type namespace struct {
	use    measure.Use
	failed bool
}

// Lookup is a Lookup.
func (l *Live) Lookup(ctx context.Context, kind, in, name string) (map[string]engine.Measured, error) {
	if in == "" {
		in = l.Namespace
	}
	n, ok := l.known[in]
	if !ok {
		n = l.measure(ctx, in)
		if l.known == nil {
			l.known = map[string]namespace{}
		}
		l.known[in] = n
	}
	found := n.use[cluster.Key{Kind: kind, Namespace: in, Name: name}]
	l.Lacking = l.Lacking || n.failed && lacks(found)
	return found, ctx.Err()
}

func lacks(measured map[string]engine.Measured) bool {
	for _, m := range measured {
		for _, q := range quantities {
			if q.measured(m) == "" {
				return true
			}
		}
	}
	return len(measured) == 0
}

func (l *Live) measure(ctx context.Context, in string) namespace {
	var n namespace
	note := func(err error) {
		if err != nil {
			n.failed = true
			l.problem(err)
		}
	}
	index := cluster.NewIndex()
	for _, k := range cluster.Kinds {
		note(l.Reader.EachMetadata(ctx, k, in, func(m *metav1.PartialObjectMetadata) error {
			index.Add(k.Kind, m)
			return nil
		}))
	}
	use, err := l.Source.Namespace(ctx, in, index.Namespace(in))
	note(err)
	n.use = use
	return n
}

// problem reports each error once: an error that concerns all namespaces comes up in each.
func (l *Live) problem(err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range many.Unwrap() {
			l.problem(one)
		}
		return
	}
	if errors.Is(err, context.Canceled) || l.told[err.Error()] {
		return
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[err.Error()] = true
	l.Problem(err)
}
