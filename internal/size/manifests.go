package size

import (
	"context"
	"slices"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Options say which manifests are sized, and with what.
type Options struct {
	Paths  []string
	Source source.Options
	// Lookup gives measured use; nil takes that of the annotations.
	Lookup annotate.Lookup
}

// Manifests sizes the workloads of files, charts and kustomizations, with what stands beside them: their Namespace,
// LimitRanges, autoscalers and the like.
func Manifests(ctx context.Context, e *engine.Engine, o Options) (*Report, error) {
	found := source.Find(o.Paths, o.Source)
	r := &Report{Problems: inputs.Problems(found.Problems), NotRead: inputs.NotRead(found.Unread)}
	var items []source.Item
	scalers := map[string]map[string]map[string]any{} // by namespace and name
	gathered := beside.Gathered{}
	for _, f := range found.Files {
		for item := range source.Stream(f, o.Source) {
			if item.Problem != nil {
				r.Problems = append(r.Problems, inputs.Problem(item.File, item.Problem.Line, item.Problem.Cause))
			}
			if item.Document == nil || item.Skipped != "" {
				continue
			}
			items = append(items, item)
			collectScalers(scalers, item.Document.Object)
			if err := collect(ctx, e, gathered, item.Document); err != nil {
				return nil, err
			}
		}
	}
	around, err := gathered.Contexts()
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		for _, m := range annotate.Workloads(item.Document.Object) {
			place := item.Document.Place()
			review := engine.Review{Manifest: m.Object, Around: around.Of(m.Resource.Namespace, place), Place: place}
			w, err := one(ctx, e, o, m, review, scalers[m.Resource.Namespace])
			if err != nil {
				return nil, err
			}
			for _, failure := range w.Failed {
				r.Problems = append(r.Problems, inputs.Problem(item.File, item.Document.LineOf(m.Prefix), failure))
			}
			if len(w.Containers) > 0 {
				w.File, w.Line = item.File, item.Document.LineOf(m.Prefix)
				r.Workloads = append(r.Workloads, w)
			}
		}
	}
	r.sort()
	return r, nil
}

func one(
	ctx context.Context, e *engine.Engine, o Options, m annotate.Workload, review engine.Review,
	scalers map[string]map[string]any,
) (Workload, error) {
	w := Workload{Resource: m.Resource, Replicas: replicas(m.Object), Manifest: m.Object, Scalers: scalers}
	var err error
	if review.Around == nil {
		review.Around = &engine.Context{}
	}
	if o.Lookup != nil {
		if review.Measured, err = o.Lookup(ctx, m.Resource.Kind, m.Resource.Namespace, m.Resource.Name); err != nil {
			return w, err
		}
	}
	w.Sizing, err = e.Size(ctx, review)
	w.Untold = untold(w.Sizing, review.Measured)
	return w, err
}

// collect gathers the objects of a document that speak for others.
func collect(ctx context.Context, e *engine.Engine, gathered beside.Gathered, document *source.Document) error {
	for object := range source.Objects(document) {
		apiVersion, _ := object["apiVersion"].(string)
		kind, _ := object["kind"].(string)
		known, err := e.Kind(ctx, apiVersion, kind)
		if err != nil {
			return err
		}
		if known.ContextList != "" {
			gathered.Add(known.ContextList, object, document.Place())
		}
	}
	return nil
}

func collectScalers(all map[string]map[string]map[string]any, object map[string]any) {
	if items, ok := object["items"].([]any); ok {
		for _, item := range items {
			if item, ok := item.(map[string]any); ok {
				collectScalers(all, item)
			}
		}
	}
	if object["kind"] != any("HorizontalPodAutoscaler") {
		return
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	if all[namespace] == nil {
		all[namespace] = map[string]map[string]any{}
	}
	all[namespace][name] = object
}

// untold counts the JVMs of a workload that tell nothing of themselves.
func untold(sizing engine.Sizing, measured map[string]engine.Measured) int {
	n := 0
	for i := range sizing.Containers {
		m, ok := measured[sizing.Containers[i].Container]
		if ok && sizing.Containers[i].Runtime == "jvm" && sentences.TellsNothing(&m) {
			n++
		}
	}
	return n
}

// asides are the lines that stand before the total.
func (r *Report) asides() []string {
	n := 0
	for i := range r.Workloads {
		n += r.Workloads[i].Untold
	}
	return slices.Concat(sentences.NotRead(r.NotRead), sentences.Untold(n))
}
