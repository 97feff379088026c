package engines

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Rego evaluates the policies in this process: what the others are compared with.
func Rego(e *engine.Engine) Engine {
	return Engine{Name: "engine", Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		answer := newAnswer()
		for i := range corpus {
			c := &corpus[i]
			around, err := surroundings(ctx, e, c)
			if err != nil {
				return nil, err
			}
			result, err := e.Evaluate(ctx, engine.Review{Manifest: c.Object, Around: around})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.Source, err)
			}
			for _, f := range result.Findings {
				answer.Verdicts.add(Verdict{c.ID, f.Rule, f.Container}, f.Severity)
			}
		}
		return answer, nil
	}}
}

func surroundings(ctx context.Context, e *engine.Engine, c *cases.Case) (*engine.Context, error) {
	if len(c.Around) == 0 {
		return nil, nil
	}
	lists := map[string][]map[string]any{}
	for _, neighbour := range c.Around {
		apiVersion, _ := neighbour["apiVersion"].(string)
		name, _ := neighbour["kind"].(string)
		kind, err := e.Kind(ctx, apiVersion, name)
		if err != nil {
			return nil, err
		}
		lists[kind.ContextList] = append(lists[kind.ContextList], neighbour)
	}
	return engine.NewContext("", lists)
}
