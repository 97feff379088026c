//go:build !js

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/plan"
)

// opa evaluates the policies with OPA's own evaluator, which judges ours: it compiles them when a rule is
// first asked. It is safe for concurrent use.
type opa struct {
	compiled func() (*ast.Compiler, error)
	store    storage.Store
	queries  sync.Map // of *opaQuery, by rule
}

type opaQuery struct {
	once     sync.Once
	prepared rego.PreparedEvalQuery
	err      error
}

// opaFrom evaluates what `compiled` gives.
func opaFrom(compiled func() (*ast.Compiler, error)) func(plan.Value) evaluator {
	return func(data plan.Value) evaluator { return newOPA(compiled, data) }
}

func newOPA(compiled func() (*ast.Compiler, error), data plan.Value) *opa {
	var document map[string]any
	if value, err := ast.JSON(plan.ToAST(data)); err == nil {
		document, _ = value.(map[string]any)
	}
	return &opa{compiled: compiled, store: inmem.NewFromObjectWithOpts(document,
		inmem.OptRoundTripOnWrite(true), inmem.OptReturnASTValuesOnRead(true))}
}

func (o *opa) eval(ctx context.Context, rule string, input plan.Value) (plan.Value, error) {
	found, _ := o.queries.LoadOrStore(rule, &opaQuery{})
	q, _ := found.(*opaQuery)
	q.once.Do(func() {
		// The first caller may cancel; the query is for all callers.
		q.prepared, q.err = o.prepare(context.WithoutCancel(ctx), rule)
	})
	if q.err != nil {
		return nil, fmt.Errorf("prepare %s: %w", rule, q.err)
	}
	var answer plan.Value
	_, err := q.prepared.Eval(ctx, rego.EvalParsedInput(plan.ToAST(input)),
		rego.EvalGenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) {
			answer = plan.FromAST(term.Value)
			return nil, nil
		}))
	if err == nil && answer == nil {
		err = errUndefined
	}
	return answer, err
}

func (o *opa) prepare(ctx context.Context, query string) (rego.PreparedEvalQuery, error) {
	compiler, err := o.compiled()
	if err != nil {
		return rego.PreparedEvalQuery{}, err
	}
	return rego.New(
		rego.Compiler(compiler),
		rego.Store(o.store),
		rego.Query(query),
		// A built-in that fails must stop the evaluation, not make a rule vanish.
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(ctx)
}

// compiledPolicies compiles the policies of all roots.
var compiledPolicies = sync.OnceValues(func() (*ast.Compiler, error) {
	files, err := filesWithRoots()
	if err != nil {
		return nil, err
	}
	modules, err := parseModules(files, false)
	if err != nil {
		return nil, err
	}
	return compile(modules)
})

func compile(modules map[string]*ast.Module) (*ast.Compiler, error) {
	// The search for recursion takes longer than all else. The generator makes it, which compiles the same modules.
	compiler := ast.NewCompiler().WithSkipStages(ast.StageCheckRecursion)
	compiler.Compile(modules)
	if compiler.Failed() {
		return nil, fmt.Errorf("compile policies: %w", compiler.Errors)
	}
	return compiler, nil
}

// FromModules makes an Engine of the given policies, which OPA evaluates. A test adds a rule that fails, and asks what
// becomes of the others.
func FromModules(modules map[string]*ast.Module, o Options) (*Engine, error) {
	return with(opaFrom(sync.OnceValues(func() (*ast.Compiler, error) { return compile(modules) })), o)
}

func (e *Engine) expression(ctx context.Context, ref string) (any, error) {
	o, ok := e.policies.(*opa)
	if !ok {
		o = newOPA(compiledPolicies, e.document())
	}
	// A call alone would be a statement, and its value whether it holds.
	query, err := o.prepare(ctx, "value := "+ref)
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
	return plainJSON(results, ref)
}

// plainJSON gives the value with numbers as float64: a caller should not have to know OPA's types.
func plainJSON(results rego.ResultSet, ref string) (any, error) {
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

// planImage is the plan in the binary without its header; "" where it is of other policies than these.
func planImage() (string, error) {
	header, err := PlanHeader()
	if err != nil {
		return "", err
	}
	image, ours := strings.CutPrefix(policies.Plan, header)
	if !ours {
		return "", nil
	}
	return image, nil
}
