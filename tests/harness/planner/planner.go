// Package planner makes the plan of policies, with OPA's own compiler. It serves the generator: a program
// that evaluates plans has no need of it.
package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
	"github.com/open-policy-agent/opa/v1/rego"
)

// Plan compiles modules, by file, into the plan of some rules, data.a.b, and of what they use.
func Plan(ctx context.Context, modules map[string]*ast.Module, rules ...string) (*ir.Policy, error) {
	compiler := ast.NewCompiler()
	if compiler.Compile(modules); compiler.Failed() {
		return nil, fmt.Errorf("compile policies: %w", compiler.Errors)
	}
	return Compiled(ctx, compiler, rules...)
}

// Compiled is Plan of modules that are compiled already.
func Compiled(ctx context.Context, compiler *ast.Compiler, rules ...string) (*ir.Policy, error) {
	query := make([]string, len(rules))
	for i, rule := range rules {
		query[i] = fmt.Sprintf("value%d = %s", i, rule)
	}
	prepared, err := rego.New(
		rego.Compiler(compiler), rego.Query(strings.Join(query, "\n")), rego.Target(target),
	).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("plan %v: %w", rules, err)
	}
	var got planned
	_, err = prepared.Eval(ctx)
	if !errors.As(err, &got) {
		return nil, fmt.Errorf("plan %v: OPA evaluated it: %w", rules, err)
	}
	return got.policy, nil
}

// OPA's planner is internal. But it hands the plan to what evaluates a target of its own, and ours hands it
// on as an error when it is asked.
const target = "headroom.dev/plan"

func init() { rego.RegisterPlugin(target, plugin{}) }

type plugin struct{}

func (plugin) IsTarget(name string) bool { return name == target }

func (plugin) PrepareForEval(_ context.Context, p *ir.Policy, _ ...rego.PrepareOption) (rego.TargetPluginEval, error) {
	return planned{p}, nil
}

type planned struct{ policy *ir.Policy }

func (p planned) Eval(context.Context, *rego.EvalContext, ast.Value) (ast.Value, error) {
	return nil, p
}

func (planned) Error() string { return "planned" }
