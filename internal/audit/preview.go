package audit

import (
	"context"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/policies/engine"
)

// preview tells what the mode would do to a workload, were it created now.
func (a *auditor) preview(ctx context.Context, p *part, t target, replicas int, r engine.Review) error {
	if a.options.Preview == "" {
		return nil
	}
	var labels preview.Labels
	if t.namespace.object != nil {
		labels = preview.LabelsOf(t.namespace.object.Manifest)
	}
	if !labels.Switched(t.namespace.name) {
		return nil
	}
	item, affected, err := preview.Of(ctx, a.engine, r, a.options.Preview, a.options.PreviewMutate || labels.Mutates())
	if err != nil || !affected {
		return err
	}
	item.Replicas = replicas
	if t.owner != nil {
		item.Resource = *t.owner
		for _, list := range [][]engine.Finding{item.Refused, item.Warned} {
			for i := range list {
				list[i].Resource = *t.owner
			}
		}
	}
	p.preview = append(p.preview, item)
	return nil
}
