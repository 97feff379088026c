package engine

import (
	"context"
	"encoding/json"
	"fmt"
)

// Value is what a document of the policies holds that depends on no input, as JSON shapes
// it: a table, a pattern, the settings with their defaults. Sets come as sorted lists. The
// CEL policies take their tables from here, so that none is written twice.
func (e *Engine) Value(ctx context.Context, ref string) (any, error) {
	// A call alone would be a statement, and its value whether it holds.
	query, err := e.prepare(ctx, "value := "+ref)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", ref, err)
	}
	results, err := query.Eval(ctx)
	if err != nil {
		return nil, fmt.Errorf("evaluate %s: %w", ref, err)
	}
	if len(results) != 1 {
		return nil, fmt.Errorf("%s is not defined", ref)
	}
	// Numbers arrive as json.Number, and a caller should not have to know OPA's types.
	text, err := json.Marshal(results[0].Bindings["value"])
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", ref, err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	return value, nil
}
