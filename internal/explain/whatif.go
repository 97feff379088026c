package explain

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// WhatIf is a container as it would be.
type WhatIf struct {
	Done     []Step
	Then     *engine.Explanation
	Gained   []engine.Finding // verdicts that it would have and has not
	Lost     []engine.Finding // verdicts that it has and would not
	Kept     []engine.Finding
	Timeline *Timeline
}

// Step is one change that was made, and where.
type Step struct {
	What string `json:"what"` // a field, a variable, an annotation
	Old  string `json:"old"`  // "" if it is not set
	New  string `json:"new"`
	Note string `json:"note"` // that it changes nothing, and why
}

// words are for text with arrows.
func (s Step) words() string {
	text := s.What + ": " + cmp.Or(s.Old, none) + " → " + cmp.Or(s.New, none)
	if s.Old == s.New {
		text = s.What + ": " + cmp.Or(s.Old, none) + ", as it is"
	}
	if s.Note != "" {
		text += ", which changes nothing: " + s.Note
	}
	return text
}

// whatIf tries the changes on one container of a workload.
func (r *runner) whatIf(ctx context.Context, review engine.Review, w *Workload, now *answer, line int) error {
	if len(r.options.WhatIf) == 0 {
		return nil
	}
	c, err := subject(w)
	if err == nil {
		c.WhatIf, err = r.try(ctx, review, c, now)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.problem(w.File, line, fmt.Errorf("--what-if, %s: %w", sentences.Title(w.Resource), err))
	}
	return nil
}

// subject is the container that changes are tried on: the only one, or the only one that is
// neither a sidecar nor an init container.
func subject(w *Workload) (*Container, error) {
	if len(w.Containers) == 1 {
		return &w.Containers[0], nil
	}
	var found []*Container
	var names []string
	for i := range w.Containers {
		c := &w.Containers[i]
		names = append(names, terminal.Printable(c.Container))
		if (c.Role == "" || c.Role == "app") && c.Class != "sidecar" && c.Skipped == "" {
			found = append(found, c)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, fmt.Errorf("which of its containers %s is meant? --container NAME says", strings.Join(names, ", "))
}

func (r *runner) try(ctx context.Context, review engine.Review, c *Container, now *answer) (*WhatIf, error) {
	collectors, err := collectors(ctx, r.engine)
	if err != nil {
		return nil, err
	}
	t, err := newTrial(review.Manifest, &c.Explanation, collectors)
	if err != nil {
		return nil, err
	}
	for _, change := range r.options.WhatIf {
		if err := r.known(ctx, change); err != nil {
			return nil, err
		}
		if err := t.apply(change); err != nil {
			return nil, err
		}
	}
	review.Manifest = t.manifest
	then, err := (&runner{engine: r.engine, options: r.changed(&c.Explanation)}).ask(ctx, review)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(now.explanations, func(e engine.Explanation) bool { return e.Path == c.Path })
	if then == nil || i < 0 || i >= len(then.explanations) {
		return nil, fmt.Errorf("internal: the changed workload is none")
	}
	w := &WhatIf{Done: t.done, Then: &then.explanations[i]}
	w.doubt(r.options.WhatIf)
	w.compare(append(now.of(""), now.of(c.Container)...), append(then.of(""), then.of(c.Container)...))
	return w, nil
}

// collectors are the flags that choose a collector.
func collectors(ctx context.Context, e *engine.Engine) ([]string, error) {
	found, err := e.Value(ctx, "data.headroom.runtime.jvm.collectors")
	if err != nil {
		return nil, err
	}
	of, _ := found.(map[string]any)
	return slices.Sorted(maps.Keys(of)), nil
}

// changed are the options for the changed workload: a pause that is tried stands in its annotation, and another is that
// of the threads that there are now.
func (r *runner) changed(now *engine.Explanation) Options {
	o := r.options
	if slices.ContainsFunc(o.WhatIf, func(c Change) bool { return c.Key == "pause" }) {
		o.Pause = 0
	} else if now.JVM != nil {
		threads, _ := collectorThreads(now)
		o.gcThreads = float64(threads)
	}
	return o
}

// known refuses a class that the matrix does not have.
func (r *runner) known(ctx context.Context, c Change) error {
	if c.Key != "class" || c.Value == "" {
		return nil
	}
	found, err := r.engine.Value(ctx, "data.headroom.config.settings.matrix")
	if err != nil {
		return err
	}
	matrix, _ := found.(map[string]any)
	if _, ok := matrix[c.Value]; ok {
		return nil
	}
	classes := slices.Sorted(maps.Keys(matrix))
	return fmt.Errorf("class %q is not one of %s", terminal.Printable(c.Value), strings.Join(classes, ", "))
}

// doubt notes which flags were set and do not win.
func (w *WhatIf) doubt(changes []Change) {
	for _, c := range changes {
		for _, f := range w.Then.Flags {
			if c.Text == "" || f.Text != c.Text || f.Wins || f.Note == "" {
				continue
			}
			for i := range w.Done {
				if w.Done[i].New == terminal.Printable(c.Text) {
					w.Done[i].Note = terminal.Printable(f.Note)
				}
			}
		}
	}
}

func (w *WhatIf) compare(now, then []engine.Finding) {
	in := func(list []engine.Finding, f engine.Finding) bool {
		return slices.ContainsFunc(list, func(o engine.Finding) bool {
			return o.Rule == f.Rule && o.Container == f.Container
		})
	}
	for _, f := range then {
		if in(now, f) {
			w.Kept = append(w.Kept, f)
		} else {
			w.Gained = append(w.Gained, f)
		}
	}
	for _, f := range now {
		if !in(then, f) {
			w.Lost = append(w.Lost, f)
		}
	}
}
