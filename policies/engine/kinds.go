package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Kind is what the policies say of an object before they have read it.
type Kind struct {
	// Inert: no rule looks at objects of this kind, so that they need not be judged.
	Inert bool
	// ContextList is the list of a Context that objects of this kind belong to; "" for a
	// kind that says nothing about its neighbours.
	ContextList string
}

// kindCache remembers what the policies say of a kind.
type kindCache struct {
	mu    sync.RWMutex
	known map[[2]string]Kind
}

// maxKinds bounds the cache: input may name any number of kinds.
const maxKinds = 1024

// KindOf asks the policies about the kind of a manifest.
func (e *Engine) KindOf(ctx context.Context, manifest map[string]any) (Kind, error) {
	r := ResourceOf(manifest)
	return e.Kind(ctx, r.APIVersion, r.Kind)
}

// Kind asks the policies about a kind.
func (e *Engine) Kind(ctx context.Context, apiVersion, kind string) (Kind, error) {
	key := [2]string{apiVersion, kind}
	e.kinds.mu.RLock()
	known, ok := e.kinds.known[key]
	e.kinds.mu.RUnlock()
	if ok {
		return known, nil
	}
	input := plan.NewObject(plan.Pair{Key: "apiVersion", Value: apiVersion}, plan.Pair{Key: "kind", Value: kind})
	list, err := e.policies.eval(ctx, "data.headroom.workload.context_kind", input)
	if err != nil {
		return Kind{}, fmt.Errorf("ask the policies about %s: %w", kind, err)
	}
	inert, err := e.policies.eval(ctx, "data.headroom.workload.inert", input)
	if err != nil {
		return Kind{}, fmt.Errorf("ask the policies about %s: %w", kind, err)
	}
	known.Inert, _ = inert.(bool)
	known.ContextList, _ = list.(string)
	e.kinds.mu.Lock()
	defer e.kinds.mu.Unlock()
	if e.kinds.known == nil || len(e.kinds.known) >= maxKinds {
		e.kinds.known = map[[2]string]Kind{}
	}
	e.kinds.known[key] = known
	return known, nil
}
