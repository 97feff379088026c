package engine

import "context"

// ExplainOptions change what an explanation assumes.
type ExplainOptions struct {
	PauseMS float64 // of a garbage collection; 0 is that of the annotation, the config or the default
	Workers int64   // of a pool; 0 is what the manifest says
}

// Explain says for each container what the policies know of it and why, in the order of Details.
func (e *Engine) Explain(ctx context.Context, r Review, _ ExplainOptions) ([]Explanation, error) {
	details, err := e.Details(ctx, r)
	if err != nil {
		return nil, err
	}
	explanations := make([]Explanation, len(details))
	for i, detail := range details {
		explanations[i] = Explanation{Detail: detail}
	}
	return explanations, nil
}
