package audit

import (
	"context"
	"maps"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
)

// readEnds reads how the containers of the Pods ended, and those before them: without a Prometheus nothing else tells of an
// OOM kill. The kubelet keeps the last end of each alone.
func (a *auditor) readEnds(ctx context.Context) {
	a.progress.begin(cluster.Pods.Resource)
	now, owners := time.Now(), map[cluster.Key]cluster.Key{}
	everything := a.reader.Unselected()
	a.in(ctx, cluster.Pods, func(namespace string) error {
		err := everything.EachPod(ctx, namespace, func(pod *cluster.Object) error {
			a.nodes.add(pod)
			if a.owners != nil {
				a.owners.Add(cluster.Pods.Kind, metaOf(pod))
			}
			if a.exclude[pod.Namespace] {
				return nil
			}
			a.unowned.add(pod)
			for name, ended := range measure.Ends(pod, now) {
				a.noteEnd(a.ownerOf(ctx, pod, owners), name, ended)
			}
			return nil
		})
		a.nodes.whole = err == nil && namespace == ""
		a.unowned.again = a.unowned.again || err != nil && !forbidden(err)
		return err
	})
	// The Pods are listed again later; a list that failed half-way may succeed then.
	clear(a.listed)
}

func (a *auditor) noteEnd(of cluster.Key, container string, ended engine.Measured) {
	if a.ends[of.Namespace] == nil {
		a.ends[of.Namespace] = measure.Use{}
	}
	measure.AddEnd(a.ends[of.Namespace], of, container, ended)
}

// withEnds adds the ends to what else was measured.
func (a *auditor) withEnds(namespace string, measured measure.Use) measure.Use {
	ends := a.ends[namespace]
	if len(ends) == 0 {
		return measured
	}
	all := maps.Clone(measured)
	if all == nil {
		all = measure.Use{}
	}
	for key, containers := range ends {
		all[key] = measure.WithEnds(all[key], containers)
	}
	return all
}

// ownerOf follows the controllers of an object up to the one that an audit reports. Few Pods are asked about.
func (a *auditor) ownerOf(ctx context.Context, o *cluster.Object, known map[cluster.Key]cluster.Key) cluster.Key {
	key := cluster.Key{Kind: o.Kind.Kind, Namespace: o.Namespace, Name: o.Name}
	c := o.Controller
	if c == nil {
		return key
	}
	above := cluster.Key{Kind: c.Kind, Namespace: o.Namespace, Name: c.Name}
	if owner, ok := known[above]; ok {
		return owner
	}
	owner := above
	if kind, ok := cluster.KindOf(c.APIVersion, c.Kind); ok && kind.Made {
		if next, err := a.reader.Get(ctx, kind, o.Namespace, c.Name); err == nil {
			owner = a.ownerOf(ctx, next, known)
		}
	}
	known[above] = owner
	return owner
}
