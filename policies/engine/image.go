package engine

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/policies/plan"
)

// ImageConfig is what an image's config says of how it starts.
type ImageConfig struct {
	Entrypoint  []string          `rego:"entrypoint"`
	Command     []string          `rego:"command"`
	Environment map[string]string `rego:"environment"`
	Labels      map[string]string `rego:"labels"`
}

// Kept is the part of an image's config that the policies read, as a lock holds it: no other variable's value.
func (e *Engine) Kept(ctx context.Context, c ImageConfig) (ImageConfig, error) {
	input, err := plan.FromGo(map[string]any{
		"entrypoint": c.Entrypoint, "command": c.Command, "environment": c.Environment, "labels": c.Labels,
	})
	if err != nil {
		return ImageConfig{}, fmt.Errorf("read the image's config: %w", err)
	}
	answer, err := e.policies.eval(ctx, "data.headroom.lock.kept", input)
	return answered[ImageConfig](ctx, "what a lock holds", answer, err)
}
