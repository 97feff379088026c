package annotate

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/audit/cluster"
	"github.com/headroom-dev/headroom/audit/measure"
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

	known map[string]measure.Use
	told  map[string]bool
}

// Lookup is a Lookup.
func (l *Live) Lookup(ctx context.Context, kind, namespace, name string) (map[string]engine.Measured, error) {
	if namespace == "" {
		namespace = l.Namespace
	}
	use, ok := l.known[namespace]
	if !ok {
		use = l.measure(ctx, namespace)
		if l.known == nil {
			l.known = map[string]measure.Use{}
		}
		l.known[namespace] = use
	}
	return use[cluster.Key{Kind: kind, Namespace: namespace, Name: name}], ctx.Err()
}

func (l *Live) measure(ctx context.Context, namespace string) measure.Use {
	index := cluster.NewIndex()
	for _, k := range cluster.Kinds {
		err := l.Reader.EachMetadata(ctx, k, namespace, func(m *metav1.PartialObjectMetadata) error {
			index.Add(k.Kind, m)
			return nil
		})
		if err != nil {
			l.problem(err)
		}
	}
	use, err := l.Source.Namespace(ctx, namespace, index.Namespace(namespace))
	if err != nil {
		l.problem(err)
	}
	return use
}

// problem tells each thing once: an error that concerns all namespaces comes in each.
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
