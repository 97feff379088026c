package lint

import (
	"context"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Preview says what to preview; its zero value nothing.
type Preview struct {
	Mode string // preview.Enforce or preview.Warn
	// Mutate previews as if every namespace had the label headroom.dev/mutate=enabled.
	Mutate bool
}

// preview tells what the mode would do to an object. Labels of a Namespace in the same input
// count; of others nothing is known, which is as if they had none.
func (j *judge) preview(ctx context.Context, p *part, document *source.Document, review engine.Review) error {
	namespace := engine.ResourceOf(review.Manifest).Namespace
	labels := j.labels[namespace]
	if j.previewed.Mode == "" || !labels.Switched(namespace) {
		return nil
	}
	mutate := j.previewed.Mutate || labels.Mutates()
	item, any, err := preview.Of(ctx, j.engine, review, j.previewed.Mode, mutate)
	if err != nil || !any {
		return err
	}
	item.File, item.Line = document.File, document.LineOf(review.Prefix)
	for _, list := range [][]engine.Finding{item.Refused, item.Warned} {
		located(document, list)
	}
	p.preview = append(p.preview, item)
	return nil
}

// previewed joins what the parts have of a preview.
func previewed(o Preview, parts []part) *report.Preview {
	if o.Mode == "" {
		return nil
	}
	all := &report.Preview{Mode: o.Mode}
	for i := range parts {
		all.Items = append(all.Items, parts[i].preview...)
	}
	return all
}
