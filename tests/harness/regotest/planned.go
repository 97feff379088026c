package regotest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/tester"
	"golang.org/x/sync/errgroup"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/planner"
)

// testsOf are the tests of compiled modules, by file and place.
func testsOf(compiler *ast.Compiler) []*ast.Rule {
	var tests []*ast.Rule
	for _, file := range slices.Sorted(maps.Keys(compiler.Modules)) {
		for _, rule := range compiler.Modules[file].Rules {
			name := string(rule.Head.Name)
			if strings.HasPrefix(name, tester.TestPrefix) || strings.HasPrefix(name, tester.SkipTestPrefix) {
				tests = append(tests, rule)
			}
		}
	}
	return tests
}

var errFails = errors.New("not true in the plan of the policies; opa test tells more")

// inPlan runs tests in a plan of their own.
func inPlan(ctx context.Context, compiler *ast.Compiler, tests []*ast.Rule) ([]*tester.Result, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	names := make([]string, len(tests))
	for i, test := range tests {
		names[i] = test.Ref().String()
	}
	program, err := programOf(ctx, compiler, names)
	if err != nil {
		return nil, err
	}
	results := make([]*tester.Result, len(tests))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, test := range tests {
		work.Go(func() error {
			value, err := program.Eval(ctx, names[i], nil)
			if err == nil && value != true {
				err = errFails
			}
			results[i] = &tester.Result{
				Location: test.Location, Package: test.Module.Package.Path.String(), Name: string(test.Head.Name), Error: err,
			}
			return nil
		})
	}
	return results, work.Wait()
}

func programOf(ctx context.Context, compiler *ast.Compiler, rules []string) (*plan.Data, error) {
	policy, err := planner.Compiled(ctx, compiler, rules...)
	if err != nil {
		return nil, fmt.Errorf("plan the tests: %w", err)
	}
	image, err := plan.Encode(policy)
	if err != nil {
		return nil, fmt.Errorf("plan the tests: %w", err)
	}
	program, err := plan.Open(string(image))
	if err != nil {
		return nil, fmt.Errorf("plan the tests: %w", err)
	}
	return program.With(plan.FromAST(ast.NewObject())), nil
}

// replacing tells the tests that replace rules, functions or built-ins with something else. The product does that
// nowhere but with whole rules, and a plan of these tests would hold the policies once more for each.
type replacing struct {
	compiler *ast.Compiler
	known    map[*ast.Rule]bool
}

// does looks at a test, and at what it uses of other tests' rules.
func (r replacing) does(rule *ast.Rule) bool {
	if known, ok := r.known[rule]; ok {
		return known
	}
	r.known[rule] = false // for rules that use each other
	found := false
	ast.WalkWiths(rule, func(with *ast.With) bool {
		target, ok := with.Target.Value.(ast.Ref)
		found = found || !ok || !target.HasPrefix(ast.InputRootRef) &&
			(!target.HasPrefix(ast.DefaultRootRef) || len(r.compiler.GetRulesDynamic(target)) > 0)
		return found
	})
	for used := range r.compiler.Graph.Dependencies(rule) {
		if other, ok := used.(*ast.Rule); ok && IsTest(other.Location.File) && !found {
			found = r.does(other)
		}
	}
	r.known[rule] = found
	return found
}
