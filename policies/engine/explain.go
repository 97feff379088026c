package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// ExplainOptions change what an explanation assumes.
type ExplainOptions struct {
	PauseMS  float64 // of a garbage collection; 0 is that of the annotation, the config or the default
	PeriodMS float64 // of the CPU quota; 0 is 100 (T9)
	Workers  int64   // of a pool; 0 is what the manifest says
}

// Explain says for each container what the policies know of it and why, in the order of Details;
// behind those of an object come the containers that are skipped. Its policies are compiled when
// they are first asked, as those of Diagnose.
func (e *Engine) Explain(ctx context.Context, r Review, o ExplainOptions) ([]Explanation, error) {
	input, err := r.input()
	if err != nil {
		return nil, err
	}
	return e.explanations(ctx, input, o)
}

// explained evaluates with the object as the input, so that the policies see what they always see.
const explained = "data.headroom.explain.result with input as input.review with data.headroom.asked as input.asked"

var explainer = sync.OnceValues(func() (*ast.Compiler, error) { return withRoot(explainRoot) })

func (e *Engine) explainQuery(ctx context.Context) (rego.PreparedEvalQuery, error) {
	compiler, err := explainer()
	if err != nil {
		return rego.PreparedEvalQuery{}, err
	}
	return rego.New(
		rego.Compiler(compiler),
		rego.Store(e.store),
		rego.Query(explained),
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(ctx)
}

func (e *Engine) explanations(ctx context.Context, review ast.Value, o ExplainOptions) ([]Explanation, error) {
	e.explain.once.Do(func() {
		// The first caller may cancel; the query is for all callers.
		e.explain.query, e.explain.err = e.explainQuery(context.WithoutCancel(ctx))
	})
	if e.explain.err != nil {
		return nil, fmt.Errorf("prepare the explanation: %w", e.explain.err)
	}
	asked, err := ast.InterfaceToValue(map[string]any{
		"pause_ms": o.PauseMS, "period_ms": o.PeriodMS, "workers": o.Workers,
	})
	if err != nil {
		return nil, fmt.Errorf("read what is asked: %w", err)
	}
	results, err := e.explain.query.Eval(ctx, rego.EvalParsedInput(ast.NewObject(
		[2]*ast.Term{ast.StringTerm("review"), ast.NewTerm(review)},
		[2]*ast.Term{ast.StringTerm("asked"), ast.NewTerm(asked)},
	)))
	if err != nil {
		return nil, fmt.Errorf("evaluate the explanation: %w", err)
	}
	if len(results) != 1 {
		return nil, errUndefined
	}
	answer, err := ast.InterfaceToValue(results[0].Expressions[0].Value)
	if err != nil {
		return nil, fmt.Errorf("read the explanation: %w", err)
	}
	var d decoder
	list := each(&d, ast.NewObject([2]*ast.Term{keyDetails, ast.NewTerm(answer)}), "details", d.explanation)
	if d.err != nil {
		return nil, fmt.Errorf("read the explanation: %w", d.err)
	}
	return list, nil
}
