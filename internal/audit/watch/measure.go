package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	if t.options.MeasureEvery <= 0 || !t.waitForCaches(ctx) {
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

// round asks once, namespace by namespace.
func (t *term) round(ctx context.Context) error {
	now, problems := time.Now(), &problems{}
	names := t.namespaceNames()
	ended, listed := t.ended(ctx, now, names, problems)
	whole, answered := listed, t.options.Measure == nil
	down := answered // nobody is asked
	for name := range names {
		a := answer{listed: listed, asked: t.options.Measure == nil}
		if listed && len(ended[name]) > 0 || !down {
			owners, err := t.owners(ctx, name)
			switch {
			case err != nil:
				problems.add(fmt.Errorf("list who owns the Pods of namespace %s: %w", name, err))
				a.listed, whole = false, false
			case down:
				a.ends = endsByOwner(ended[name], owners)
			default:
				a.ends = endsByOwner(ended[name], owners)
				a.use, err = t.options.Measure.Namespace(ctx, name, owners)
				problems.add(err)
				a.asked, a.partial = err == nil || len(a.use) > 0, err != nil
				answered = answered || a.asked
				// Nothing at all is a failure of every namespace.
				down = err != nil && a.use == nil
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.rejudge(name, t.measured.take(name, a, now))
	}
	t.measured.keep(names)
	if whole && answered {
		t.metrics.Measured(now)
	}
	return problems.all()
}

// namespaceNames are the namespaces that are judged.
func (t *term) namespaceNames() map[string]bool {
	names := map[string]bool{}
	for _, stored := range t.informers[cluster.Namespaces.Kind].GetStore().List() {
		names[stored.(*object).Name] = true
	}
	return names
}

// ended are the ends of containers by namespace, by Pod. Pods are read page by page, and few of them are kept.
func (t *term) ended(ctx context.Context, now time.Time, names map[string]bool, p *problems) (map[string]measure.Use, bool) {
	found := map[string]measure.Use{}
	err := t.reader.EachPod(ctx, "", func(pod *cluster.Object) error {
		if !names[pod.Namespace] {
			return nil
		}
		if ended := measure.Ends(pod, now); len(ended) > 0 {
			if found[pod.Namespace] == nil {
				found[pod.Namespace] = measure.Use{}
			}
			found[pod.Namespace][cluster.Key{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}] = ended
		}
		return nil
	})
	if err != nil {
		p.add(fmt.Errorf("list pods: %w", err))
	}
	return found, err == nil
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

// problems are why a round was not whole, each once.
type problems struct {
	texts []string
	more  int
}

// maxProblems is how many of them the log shows.
const maxProblems = 5

func (p *problems) add(err error) {
	switch {
	case err == nil || slices.Contains(p.texts, err.Error()):
	case len(p.texts) < maxProblems:
		p.texts = append(p.texts, err.Error())
	default:
		p.more++
	}
}

func (p *problems) all() error {
	var all []error
	for _, text := range p.texts {
		all = append(all, errors.New(text))
	}
	if p.more > 0 {
		all = append(all, fmt.Errorf("and %d more", p.more))
	}
	return errors.Join(all...)
}
