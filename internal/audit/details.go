package audit

import (
	"context"

	"github.com/headroom-dev/headroom/policies/engine"
)

// details are what the policies know of each container; nil if the report needs none.
func (a *auditor) details(ctx context.Context, r engine.Review) ([]engine.Detail, error) {
	if !a.options.Details && a.options.Measure == nil {
		return nil, nil
	}
	return a.engine.Details(ctx, r)
}
