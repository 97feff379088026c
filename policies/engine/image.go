package engine

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/policies/plan"
)

// ImageConfig is what an image's config says of how it starts.
type ImageConfig struct {
	Entrypoint, Command []string
	Environment, Labels map[string]string
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
	if err != nil {
		return ImageConfig{}, fmt.Errorf("evaluate what a lock holds: %w", err)
	}
	var d decoder
	o := d.part(plan.NewObject(plan.Pair{Key: "kept", Value: answer}), "kept")
	kept := ImageConfig{
		Entrypoint: d.texts(o, "entrypoint"), Command: d.texts(o, "command"),
		Environment: d.textsByName(o, "environment"), Labels: d.textsByName(o, "labels"),
	}
	if d.err != nil {
		return ImageConfig{}, fmt.Errorf("read what a lock holds: %w", d.err)
	}
	return kept, nil
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

// textsByName reads an object whose values are texts.
func (d *decoder) textsByName(o *plan.Object, name string) map[string]string {
	fields, _ := d.json(o.Get(name)).(map[string]any)
	all := make(map[string]string, len(fields))
	for key, value := range fields {
		text, ok := value.(string)
		if !ok {
			d.fail("a text", value)
		}
		all[key] = text
	}
	return all
}
