package suggest

import (
	"context"
	"time"

	"github.com/headroom-dev/headroom/lint/source"
)

// Helm says which values make a chart render objects as they should be, and gives a
// kustomize patch for what no value can do. What it says has been tried.
func Helm(ctx context.Context, from source.HelmChart, objects []Fixed) ([]Snippet, error) {
	if len(objects) == 0 {
		return nil, nil
	}
	s, err := newSearch(ctx, from, objects)
	if err != nil {
		return nil, err
	}
	if len(s.targets) == 0 {
		return nil, nil
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	snippets, err := s.values(from)
	if err != nil {
		return nil, err
	}
	patches, err := s.patches(ctx, from)
	return append(snippets, patches...), err
}

func newSearch(ctx context.Context, from source.HelmChart, objects []Fixed) (*search, error) {
	chart, err := source.OpenChart(ctx, from, source.Options{})
	if err != nil {
		return nil, err
	}
	s := &search{
		chart: chart, banned: map[string]bool{}, names: map[string]bool{},
		left: maxRenderings, until: time.Now().Add(maxTime),
	}
	rendered, err := chart.Render(ctx, chart.Given)
	if err != nil {
		return nil, err
	}
	s.base = newWorld(rendered)
	again, err := chart.Render(ctx, chart.Given)
	if err != nil {
		return nil, err
	}
	s.fickle = fickleIn(s.base, newWorld(again))
	seen := map[string]bool{}
	for _, o := range objects {
		t := targetOf(s.base, o)
		if t == nil {
			continue
		}
		if seen[t.id] {
			t.id = "" // of two objects of one name no value is told apart
		}
		seen[t.id] = true
		s.targets = append(s.targets, t)
	}
	for _, t := range s.targets {
		s.names[plain(metaOf(t.before, "name"))] = true
		for _, n := range t.needs {
			s.names[plain(n.container())] = true
		}
	}
	delete(s.names, "")
	return s, nil
}

// targetOf finds an object in a world; nil where there is nothing to change.
func targetOf(w *world, o Fixed) *target {
	id := w.find(o.Before)
	t := newTarget(id, o.Before, o.After)
	if id != "" {
		t.subchart = w.objects[id].Subchart
	}
	if len(t.wants) == 0 {
		return nil
	}
	return t
}
