package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// Evaluate judges one review.
func (e *Engine) Evaluate(ctx context.Context, r Review) (Result, error) {
	input, err := r.input()
	if err != nil {
		return Result{}, err
	}
	return e.decide(ctx, input)
}

func (e *Engine) decide(ctx context.Context, input ast.Value) (Result, error) {
	var answer *ast.Term
	_, err := e.result.Eval(ctx, rego.EvalParsedInput(input),
		rego.EvalGenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) {
			answer = term
			return nil, nil
		}))
	if err != nil {
		return Result{}, fmt.Errorf("evaluate policies: %w", err)
	}
	if answer == nil {
		return Result{}, errUndefined
	}
	result, err := decode(answer)
	if err != nil {
		return Result{}, fmt.Errorf("read the verdict: %w", err)
	}
	slices.SortStableFunc(result.Findings, compare)
	slices.SortStableFunc(result.Exempted, compare)
	return result, nil
}

// errUndefined cannot happen while main.result is total; were it to, the answer must be an
// error and never "no findings".
var errUndefined = errors.New("the policies gave no answer")

// compare orders findings so that the same input gives the same output.
func compare(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Resource.Namespace, b.Resource.Namespace),
		strings.Compare(a.Resource.Kind, b.Resource.Kind),
		strings.Compare(a.Resource.Name, b.Resource.Name),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Container, b.Container),
		strings.Compare(a.Path, b.Path),
		strings.Compare(a.Message, b.Message),
	)
}
