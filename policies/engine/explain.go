package engine

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/policies/plan"
)

// ExplainOptions change what an explanation assumes.
type ExplainOptions struct {
	PauseMS  float64 // of a garbage collection; 0 is that of the annotation, the config or the default
	PeriodMS float64 // of the CPU quota; 0 is 100 (T9)
	Workers  int64   // of a pool; 0 is what the manifest says
	// GCThreads is the number of threads with which a collection takes GCPause; another number changes the pause (T6).
	// 0 means the container's own number.
	GCThreads float64
}

// Explain says for each container what the policies know of it and why, in the order of Details;
// behind those of an object come the containers that are skipped.
func (e *Engine) Explain(ctx context.Context, r Review, o ExplainOptions) ([]Explanation, error) {
	return asking(ctx, e, r, func(ctx context.Context, input plan.Value) ([]Explanation, error) {
		return e.explanations(ctx, input, o)
	})
}

func (e *Engine) explanations(ctx context.Context, review plan.Value, o ExplainOptions) ([]Explanation, error) {
	asked, err := plan.FromGo(map[string]any{
		"pause_ms": o.PauseMS, "period_ms": o.PeriodMS, "workers": o.Workers,
		"gc_threads": o.GCThreads,
	})
	if err != nil {
		return nil, fmt.Errorf("read what is asked: %w", err)
	}
	asking := &Engine{open: e.open, data: e.data.With("asked", asked)}
	asking.policies = e.open(asking.document())
	answer, _, err := asking.eval(ctx, "data.headroom.explain.result", review)
	return answered[[]Explanation](ctx, "the explanation", answer, err)
}
