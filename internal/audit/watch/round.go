package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
)

// round is one look at how containers ended, and at what they use.
type round struct {
	began time.Time
	// listed says that the Pods could be listed, and down that Prometheus is not asked any more.
	listed, down bool
	// learned counts namespaces by what was learned of them.
	learned  map[string]int
	problems problems
	lacks    map[string]bool
}

// round asks once, namespace by namespace.
func (t *term) round(ctx context.Context) error {
	r := &round{
		began: time.Now(), down: t.options.Measure == nil, learned: map[string]int{}, lacks: map[string]bool{},
	}
	names := t.namespaceNames()
	ended := t.ended(ctx, r, names)
	if !r.listed && len(names) == 0 {
		r.learned[metrics.Nothing]++
	}
	for name := range names {
		a := t.ask(ctx, r, name, ended[name])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		t.rejudge(name, t.measured.remember(name, a, r.began))
	}
	t.measured.keep(names)
	t.metrics.Measured(r.began, r.learned)
	t.tellLacks(r)
	return r.problems.all()
}

// ask finds out about one namespace.
func (t *term) ask(ctx context.Context, r *round, namespace string, ended measure.Use) answer {
	a := answer{listed: r.listed, asked: t.options.Measure == nil}
	whole := r.listed && a.asked
	if !r.down || r.listed && len(ended) > 0 {
		owners, err := t.owners(ctx, namespace)
		switch {
		case err != nil:
			r.problems.add(fmt.Errorf("list who owns the Pods of namespace %s: %w", namespace, err))
			a.listed, whole = false, false
		case r.down:
			a.ends = endsByOwner(ended, owners)
		default:
			a.ends = endsByOwner(ended, owners)
			a.use, err = t.options.Measure.Namespace(ctx, namespace, owners)
			lacks, failed := measure.Lacks(err)
			for _, lack := range lacks {
				r.lacks[lack] = true
			}
			for _, problem := range failed {
				r.problems.add(problem)
			}
			a.asked, a.partial = len(failed) == 0 || len(a.use) > 0, err != nil
			whole = r.listed && len(failed) == 0
			// Nothing at all is a failure of every namespace.
			r.down = len(failed) > 0 && a.use == nil
		}
	}
	switch {
	case whole:
		r.learned[metrics.Whole]++
	case a.listed || a.asked && t.options.Measure != nil:
		r.learned[metrics.Partial]++
	default:
		r.learned[metrics.Nothing]++
	}
	return a
}

// tellLacks says once what Prometheus has no series of, and once that it has.
func (t *term) tellLacks(r *round) {
	if t.lacks == nil {
		t.lacks = map[string]bool{}
	}
	var lost, found []string
	for lack := range r.lacks {
		if !t.lacks[lack] {
			lost = append(lost, lack)
			t.lacks[lack] = true
		}
	}
	if r.learned[metrics.Partial]+r.learned[metrics.Nothing] == 0 {
		for lack := range t.lacks {
			if !r.lacks[lack] {
				found = append(found, lack)
				delete(t.lacks, lack)
			}
		}
	}
	slices.Sort(lost)
	slices.Sort(found)
	if len(lost) > 0 {
		t.options.Log.Info("Prometheus lacks series; what they tell is unknown as long as it does", "lacks", lost)
	}
	if len(found) > 0 {
		t.options.Log.Info("Prometheus has the series that it lacked", "lacked", found)
	}
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
func (t *term) ended(ctx context.Context, r *round, names map[string]bool) map[string]measure.Use {
	found := map[string]measure.Use{}
	err := t.reader.EachPod(ctx, "", func(pod *cluster.Object) error {
		if !names[pod.Namespace] {
			return nil
		}
		if ended := measure.Ends(pod, r.began); len(ended) > 0 {
			if found[pod.Namespace] == nil {
				found[pod.Namespace] = measure.Use{}
			}
			found[pod.Namespace][cluster.Key{Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name}] = ended
		}
		return nil
	})
	if err != nil {
		r.problems.add(fmt.Errorf("list pods: %w", err))
	}
	r.listed = err == nil
	return found
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
