package size

import (
	"context"
	"sync"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Live sizes what runs in a cluster. It reads as an audit does; what could not be read is a Problem.
func Live(ctx context.Context, e *engine.Engine, o audit.Options) (*Report, error) {
	r := &Report{}
	var mutex sync.Mutex
	o.Each = func(ctx context.Context, judged audit.Judged) error {
		sizing, err := e.Size(ctx, judged.Review)
		if err != nil || len(sizing.Containers) == 0 {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		r.Workloads = append(r.Workloads, Workload{
			Resource: judged.Resource, Replicas: judged.Replicas, Made: judged.Made, Manifest: judged.Review.Manifest,
			Scalers: judged.Autoscalers, Sizing: sizing, Untold: untold(sizing, judged.Review.Measured),
		})
		return nil
	}
	found, err := audit.Run(ctx, e, o)
	if err != nil {
		return nil, err
	}
	r.Problems = found.Problems
	if found.Cluster != nil {
		r.Measured = found.Cluster.Measured
	}
	r.sort()
	return r, nil
}
