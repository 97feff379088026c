// Package regotest runs the Rego tests of the policies with OPA's own runner, in this process:
// what runs them needs Go alone.
package regotest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	Cover  *cover.Cover // collects the lines that were evaluated; nil collects none
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

// Run runs the tests of the modules, sorted by package and name. The modules are changed by
// the compiler: a second run needs copies.
func Run(ctx context.Context, modules map[string]*ast.Module, o Options) ([]*tester.Result, error) {
	runner := tester.NewRunner().SetModules(modules).Filter(o.Filter).SetTimeout(unbounded)
	if o.Cover != nil {
		// A line counts as covered where a test evaluates it as the product does.
		runner.SetCoverageQueryTracer(o.Cover).SetCoverageRuns(nil)
	}
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("compile the policies: %w", err)
	}
	var all []*tester.Result
	for result := range results {
		all = append(all, result)
	}
	slices.SortFunc(all, func(a, b *tester.Result) int {
		return strings.Compare(a.Package+"."+a.Name, b.Package+"."+b.Name)
	})
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
