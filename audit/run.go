package audit

import (
	"context"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/render"
)

func run(_ context.Context, _ *engine.Engine, o Options) (*render.Report, error) {
	return &render.Report{Cluster: &render.Cluster{Name: o.ContextName}}, nil
}
