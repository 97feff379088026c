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
		"entrypoint": anyTexts(c.Entrypoint), "command": anyTexts(c.Command),
		"environment": anyFields(c.Environment), "labels": anyFields(c.Labels),
	})
	if err != nil {
		return ImageConfig{}, fmt.Errorf("read the image's config: %w", err)
	}
	answer, err := e.policies.eval(ctx, "data.headroom.lock.kept", input)
	return answered[ImageConfig](ctx, "what a lock holds", answer, err)
}

func anyTexts(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

func anyFields(texts map[string]string) map[string]any {
	all := make(map[string]any, len(texts))
	for name, text := range texts {
		all[name] = text
	}
	return all
}
