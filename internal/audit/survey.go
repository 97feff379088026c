package audit

import (
	"context"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// namespace is what stands around the workloads of one.
type namespace struct {
	name string
	// object is nil where the Namespace could not be read.
	object         *cluster.Object
	ranges, quotas []*cluster.Object
	// signs show what workloads are, and what changes them while they run.
	signs  map[string][]map[string]any
	judged bool // it has a workload, or was asked for by name

	once   sync.Once
	around *engine.Context
	err    error

	measure  sync.Once
	measured map[cluster.Key]map[string]engine.Measured
}

// context is converted once, however many workloads the namespace has.
func (n *namespace) context() (*engine.Context, error) {
	n.once.Do(func() { n.around, n.err = cluster.Around(n.name, n.object, n.ranges, n.quotas, n.signs) })
	return n.around, n.err
}

// survey reads the Namespaces, and the LimitRanges and ResourceQuotas in them.
func (a *auditor) survey(ctx context.Context) {
	a.progress.begin("namespaces")
	if a.options.All {
		err := a.reader.Each(ctx, cluster.Namespaces, "", func(o *cluster.Object) error {
			a.namespaces[o.Name] = &namespace{name: o.Name, object: o}
			return nil
		})
		a.surveyed = err == nil
		a.done(ctx, cluster.Namespaces, "", err)
	} else {
		for _, name := range a.options.Namespaces {
			o, there := a.namespaceNamed(ctx, name)
			a.namespaces[name] = &namespace{name: name, object: o, judged: there}
		}
	}
	for _, k := range []cluster.Kind{cluster.LimitRanges, cluster.ResourceQuotas} {
		a.in(ctx, k, func(namespace string) error {
			return a.reader.Each(ctx, k, namespace, func(o *cluster.Object) error {
				n := a.named(o.Namespace)
				if k.Kind == cluster.LimitRanges.Kind {
					n.ranges = append(n.ranges, o)
				} else {
					n.quotas = append(n.quotas, o)
				}
				return nil
			})
		})
	}
	a.signs(ctx)
}

// signs reads what shows what workloads are, and what changes them while they run. Where the first may not be read, no class
// is suggested; where the second may not, it is said once.
func (a *auditor) signs(ctx context.Context) {
	names := a.options.Namespaces
	if a.options.All {
		names = []string{""}
	}
	everything := a.reader.Unselected()
	for _, sign := range cluster.Signs {
		for _, name := range names {
			if ctx.Err() != nil || a.missing.away() {
				return
			}
			err := everything.Each(ctx, sign.Kind, name, func(o *cluster.Object) error {
				if n := a.namespaces[o.Namespace]; n != nil {
					if n.signs == nil {
						n.signs = map[string][]map[string]any{}
					}
					n.signs[sign.List] = append(n.signs[sign.List], cluster.Sign(o))
				}
				return nil
			})
			switch {
			case ctx.Err() != nil:
			case cluster.Unreachable(err):
				a.missing.failed("list", sign.Kind, name, err)
			case sign.Scale && forbidden(err) && everything.Served(ctx, sign.Kind):
				a.missing.scaler(sign.Kind)
			}
		}
	}
}

// namespaceNamed reads a Namespace. It may be there although it cannot be read.
func (a *auditor) namespaceNamed(ctx context.Context, name string) (o *cluster.Object, there bool) {
	if a.missing.away() {
		a.missing.unread(cluster.Namespaces)
		return nil, false
	}
	o, err := a.reader.Get(ctx, cluster.Namespaces, "", name)
	switch {
	case err == nil:
		return o, true
	case ctx.Err() != nil:
	case apierrors.IsNotFound(err):
		a.missing.problem(fmt.Sprintf("there is no namespace %s", name))
	case forbidden(err):
		a.missing.forbidden("get", cluster.Namespaces, name)
		return nil, true
	default:
		a.missing.failed("get", cluster.Namespaces, name, err)
	}
	return nil, false
}

// named gives a namespace while only one goroutine fills the table.
func (a *auditor) named(name string) *namespace {
	n := a.namespaces[name]
	if n == nil {
		n = &namespace{name: name}
		a.namespaces[name] = n
	}
	return n
}

// index learns to which workloads Pods go back, of all kinds and whatever their labels:
// measurements name Pods.
func (a *auditor) index(ctx context.Context) {
	if a.options.Measure == nil {
		return
	}
	a.owners = cluster.NewIndex()
	everything := a.reader.Unselected()
	for _, k := range cluster.Kinds {
		if k == cluster.Pods {
			continue // readEnds reads them
		}
		a.progress.begin(k.Resource)
		a.in(ctx, k, func(namespace string) error {
			return everything.EachMetadata(ctx, k, namespace, func(m *metav1.PartialObjectMetadata) error {
				a.owners.Add(k.Kind, m)
				return nil
			})
		})
	}
	// The Pods are listed again later; a list that failed half-way may succeed then.
	clear(a.listed)
}

// measured is what was measured of a namespace; nil where nothing was.
func (a *auditor) measured(ctx context.Context, n *namespace) map[cluster.Key]map[string]engine.Measured {
	n.measure.Do(func() {
		if a.options.Measure != nil {
			use, err := a.options.Measure.Namespace(ctx, n.name, a.owners.Namespace(n.name))
			n.measured = use
			if err != nil && ctx.Err() == nil {
				a.missing.errors(err)
			}
		}
		n.measured = a.withEnds(n.name, n.measured)
	})
	return n.measured
}
