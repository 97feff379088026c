// Package regotest runs the Rego tests of the policies in this process: what runs them needs Go alone.
package regotest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/tester"
)

// Options say which tests run, and how.
type Options struct {
	Filter string       // a regular expression on data.<package>.<test>; "" runs all
	Cover  *cover.Cover // collects the lines that were evaluated, all tests by OPA; nil collects none
}

// unbounded is longer than any test binary may run: OPA's own 5 s for a test would make the speed of
// the machine part of its verdict.
const unbounded = 24 * time.Hour

// Load parses every Rego file below the folders, tests too, by its path.
func Load(folders ...string) (map[string]*ast.Module, error) {
	modules := map[string]*ast.Module{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".rego" {
				return err
			}
			text, err := os.ReadFile(path) //nolint:gosec // our own folders
			if err != nil {
				return fmt.Errorf("read a policy: %w", err)
			}
			module, err := ast.ParseModuleWithOpts(path, string(text), ast.ParserOptions{ProcessAnnotation: true})
			if err != nil {
				return fmt.Errorf("parse a policy: %w", err)
			}
			modules[path] = module
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return modules, nil
}

// Compile compiles modules, tests too, as strictly as `opa check --strict` but for recursion. The search for
// recursion takes longer than all else; it is done where policies are compiled without their tests. A test that
// stands twice is an error: either of the two would do.
func Compile(modules map[string]*ast.Module) (*ast.Compiler, error) {
	compiler := ast.NewCompiler().WithStrict(true).WithSkipStages(ast.StageCheckRecursion)
	if compiler.Compile(modules); compiler.Failed() {
		return nil, fmt.Errorf("compile the policies: %w", compiler.Errors)
	}
	seen := map[string]*ast.Rule{}
	for _, test := range testsOf(compiler) {
		if before := seen[test.Ref().String()]; before != nil {
			return nil, fmt.Errorf("%s: %s stands in %s already", test.Location, test.Head.Name, before.Location)
		}
		seen[test.Ref().String()] = test
	}
	return compiler, nil
}

// Run runs the tests of compiled modules, sorted by package and name. It runs them in their plan, as the product
// does. Tests that replace rules run in OPA's evaluator, which takes ten times as long.
func Run(ctx context.Context, compiler *ast.Compiler, o Options) ([]*tester.Result, error) {
	filter, err := regexp.Compile(o.Filter)
	if err != nil {
		return nil, fmt.Errorf("read the filter: %w", err)
	}
	var toPlan []*ast.Rule
	var toOPA []ast.Ref
	replacing := replacing{compiler: compiler, known: map[*ast.Rule]bool{}}
	for _, test := range testsOf(compiler) {
		switch {
		case !filter.MatchString(test.Ref().String()):
		case o.Cover != nil || replacing.does(test):
			toOPA = append(toOPA, test.Ref())
		default:
			toPlan = append(toPlan, test)
		}
	}
	results, err := inPlan(ctx, compiler, toPlan)
	if err != nil {
		return nil, err
	}
	more, err := byOPA(ctx, compiler, toOPA, o.Cover)
	if err != nil {
		return nil, err
	}
	results = append(results, more...)
	slices.SortFunc(results, func(a, b *tester.Result) int {
		return strings.Compare(a.Package+"."+a.Name, b.Package+"."+b.Name)
	})
	return results, nil
}

// byOPA runs tests with OPA's own runner.
func byOPA(ctx context.Context, compiler *ast.Compiler, tests []ast.Ref, covered *cover.Cover) ([]*tester.Result, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	runner := tester.NewRunner().SetCompiler(compiler).SetPrefixMatchers(tests...).SetTimeout(unbounded)
	if covered != nil {
		// A line counts as covered where a test evaluates it as the product does.
		runner.SetCoverageQueryTracer(covered).SetCoverageRuns(nil)
	}
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests of the policies: %w", err)
	}
	var all []*tester.Result
	for result := range results {
		all = append(all, result)
	}
	if len(all) != len(tests) {
		return nil, fmt.Errorf("OPA ran %d tests of %d", len(all), len(tests))
	}
	return all, nil
}

// IsTest says whether a file holds tests.
func IsTest(file string) bool { return strings.HasSuffix(file, "_test.rego") }

// Gaps are the lines of the policies, not of their tests, that no test evaluated.
func Gaps(c *cover.Cover, modules map[string]*ast.Module) []string {
	var gaps []string
	for file, report := range c.Report(modules).Files {
		if IsTest(file) {
			continue
		}
		for _, gap := range report.NotCovered {
			gaps = append(gaps, fmt.Sprintf("%s:%d-%d", file, gap.Start.Row, gap.End.Row))
		}
	}
	slices.Sort(gaps)
	return gaps
}
