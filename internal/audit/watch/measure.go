package watch

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
)

// DefaultMeasureEvery is short beside the days that are looked back on.
const DefaultMeasureEvery = time.Hour

// firstRound is for how long reports wait for the first measurements: after a restart they would be written without what
// was measured, and a little later with it. Verdicts and metrics do not wait.
const firstRound = 5 * time.Minute

// measuring asks what containers use, and how they ended, again and again until the context ends.
func (t *term) measuring(ctx context.Context) {
	defer t.measured.release()
	if t.options.MeasureEvery <= 0 {
		return
	}
	select {
	case <-t.filled:
	case <-ctx.Done():
		return
	}
	late := time.AfterFunc(firstRound, t.measured.release)
	defer late.Stop()
	tick := time.NewTicker(t.options.MeasureEvery)
	defer tick.Stop()
	for {
		began := time.Now()
		failed := t.round(ctx)
		t.measured.release()
		switch {
		case ctx.Err() != nil:
			return
		case failed != nil:
			t.options.Log.Error(failed, "not all was measured; what was known before holds until it is too old",
				"seconds", time.Since(began).Seconds())
		default:
			t.options.Log.V(1).Info("measured", "seconds", time.Since(began).Seconds())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// endsByOwner adds up the ends of a workload's Pods.
func endsByOwner(pods measure.Use, owners cluster.Owners) measure.Use {
	all := measure.Use{}
	for pod, containers := range pods {
		owner, known := owners.Of(pod.Name)
		if !known {
			continue // it was deleted in between
		}
		for name, ended := range containers {
			measure.AddEnd(all, owner, name, ended)
		}
	}
	return all
}

// owners learns to which workloads the Pods of a namespace go back.
func (t *term) owners(ctx context.Context, namespace string) (cluster.Owners, error) {
	index := cluster.NewIndex()
	for _, k := range cluster.Kinds {
		err := t.reader.EachMetadata(ctx, k, namespace, func(m *metav1.PartialObjectMetadata) error {
			index.Add(k.Kind, m)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return index.Namespace(namespace), nil
}

// rejudge puts into the queue what is judged for the workloads.
func (t *term) rejudge(namespace string, changed []cluster.Key) {
	if len(changed) == 0 || !t.synced.Load() {
		return
	}
	of := map[cluster.Key]bool{}
	for _, key := range changed {
		of[key] = true
	}
	for kind, k := range t.kinds {
		found, err := t.informers[kind].GetIndexer().ByIndex(toolscache.NamespaceIndex, namespace)
		if err != nil {
			continue // every informer has the index
		}
		for _, stored := range found {
			m := member{stored.(*object), k}
			if of[m.measuredAs()] {
				t.queue.Add(subjectOf(k, m))
			}
		}
	}
}

// measuredAs is the workload that measurements are of.
func (m member) measuredAs() cluster.Key {
	s := m.subject()
	return cluster.Key{Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}
}
