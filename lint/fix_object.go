package lint

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
	"github.com/headroom-dev/headroom/policies/engine"
)

// item gives the objects of a document that have something to fix.
func (f *fixer) item(ctx context.Context, p *fixedPart, item source.Item, document int) ([]FixedObject, error) {
	if item.Problem != nil {
		p.problems = append(p.problems, problem(*item.Problem))
	}
	if item.Document == nil || item.Skipped != "" {
		return nil, nil
	}
	var found []FixedObject
	for i, o := range objectsOf(item.Document) {
		if past(f.until) {
			p.problems = append(p.problems, inputs.Problem(item.File, item.Line, errMaxTime))
			break
		}
		known, err := f.engine.KindOf(ctx, o.manifest)
		if err != nil {
			return nil, err
		}
		comments := item.Document.CommentsOn(o.prefix, i == 0)
		if known.Inert && len(comments) == 0 {
			continue
		}
		fixed, err := f.object(ctx, p, item.Document, o, comments)
		if err != nil {
			return nil, err
		}
		if fixed != nil {
			fixed.Document = document
			found = append(found, *fixed)
		}
	}
	return found, nil
}

// object fixes one object; nil where there is nothing to fix.
func (f *fixer) object(
	ctx context.Context, p *fixedPart, document *source.Document, o object, comments []engine.Comment,
) (*FixedObject, error) {
	fixed, err := f.engine.FixOnly(ctx, engine.Review{
		Manifest: o.manifest,
		Prefix:   o.prefix,
		Around:   f.around.Of(engine.ResourceOf(o.manifest).Namespace, document.Place()),
		Place:    document.Place(),
		Comments: comments,
	}, f.only)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped: %w", ctx.Err())
	}
	if err != nil {
		p.problems = append(p.problems, unjudged(document, o.manifest, err))
		return nil, nil
	}
	for _, failure := range fixed.Before.Failed {
		p.problems = append(p.problems, brokenRule(document, failure))
	}
	p.dropped += fixed.Dropped
	for _, judged := range fixed.Before.Objects {
		if judged.Judged {
			p.judged++
		}
	}
	remaining := located(document, fixed.After.Findings)
	if len(fixed.Patch) == 0 {
		p.remaining = append(p.remaining, remaining...)
		return nil, nil
	}
	return &FixedObject{
		Resource: resourceOf(fixed.Before), File: document.File, Line: document.LineOf(o.prefix), Prefix: o.prefix,
		Before: o.manifest, After: fixed.Object, Patch: fixed.Patch, Applied: fixed.Applied,
		Fixed: located(document, solved(fixed)), Remaining: remaining,
	}, nil
}

func resourceOf(r engine.Result) engine.Resource {
	if len(r.Objects) > 0 {
		return r.Objects[0].Resource
	}
	return engine.Resource{}
}

// solved are the findings that are there before and not after.
func solved(fixed engine.Fixed) []engine.Finding {
	type key struct{ rule, container, path string }
	left := map[key]bool{}
	for _, f := range fixed.After.Findings {
		left[key{f.Rule, f.Container, f.Path}] = true
	}
	var gone []engine.Finding
	for _, f := range fixed.Before.Findings {
		if !left[key{f.Rule, f.Container, f.Path}] {
			gone = append(gone, f)
		}
	}
	return gone
}

// suggest asks what charts and kustomizations need to render what is right. They come first
// among the files, in the order of the options.
func (f *fixer) suggest(ctx context.Context, r *FixResult) error {
	charts := f.options.Source.HelmCharts
	for i, dir := range append(make([]string, len(charts)), f.options.Source.Kustomizations...) {
		var objects []suggest.Fixed
		for _, o := range f.parts[i].rendered {
			objects = append(objects, suggest.Fixed{Before: o.Before, After: o.After})
		}
		if len(objects) == 0 {
			continue
		}
		var snippets []suggest.Snippet
		var err error
		name := dir
		if i < len(charts) {
			name = charts[i].Path
			snippets, err = suggest.Helm(ctx, charts[i], objects)
		} else {
			snippets, err = suggest.Kustomize(ctx, dir, objects)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("stopped: %w", ctx.Err())
		}
		if err != nil {
			r.Problems = append(r.Problems, inputs.Problem(name, 0, err))
		}
		r.Snippets = append(r.Snippets, snippets...)
	}
	return nil
}
