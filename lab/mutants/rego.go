package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/headroom-dev/headroom/tests/harness/regotest"
)

// ofOneTest bounds a test: a change may make it search without end.
const ofOneTest = 30 * time.Second

// swapped are the operators that take each other's place.
var swapped = map[string]string{
	"equal": "neq", "neq": "equal", "lt": "lte", "lte": "lt", "gt": "gte", "gte": "gt",
	"plus": "minus", "minus": "plus", "mul": "div", "div": "mul",
}

// place is where a change can be made: the n-th of a file, in the order in which edits finds
// them.
type place struct {
	file string
	n    int
}

type regoSuite struct {
	modules map[string]*ast.Module
	places  []place
	// tests are those that reach a line, the quickest first.
	tests   map[string]map[int][]reached
	current *ast.Compiler
	at      mutant
}

type reached struct {
	name string
	took time.Duration
}

func newRegoSuite(ctx context.Context, folder, only string) (*regoSuite, error) {
	modules, err := regotest.Load(folder)
	if err != nil {
		return nil, err
	}
	s := &regoSuite{modules: modules}
	for _, file := range slices.Sorted(maps.Keys(modules)) {
		if regotest.IsTest(file) || generated(modules[file]) || !matches(only, file) {
			continue
		}
		for n := range edits(modules[file].Copy()) {
			s.places = append(s.places, place{file, n})
		}
	}
	return s, s.learn(ctx)
}

// generated says whether a module is written by a tool, which has tests of its own.
func generated(m *ast.Module) bool {
	return slices.ContainsFunc(m.Comments, func(c *ast.Comment) bool { return strings.Contains(string(c.Text), "DO NOT EDIT") })
}

// learn runs each test alone, and remembers the lines that it reaches.
func (s *regoSuite) learn(ctx context.Context) error {
	compiler, err := compile(ctx, s.copy())
	if err != nil {
		return err
	}
	s.tests = map[string]map[int][]reached{}
	for _, name := range testNames(s.modules) {
		covered := cover.New()
		results, err := runTests(ctx, compiler, []string{name}, covered)
		if err != nil {
			return err
		}
		for _, r := range results {
			if !r.Pass() {
				return fmt.Errorf("%s fails without a change: %s", name, r)
			}
			s.remember(covered, reached{name, r.Duration})
		}
	}
	for _, lines := range s.tests {
		for _, list := range lines {
			slices.SortFunc(list, func(a, b reached) int { return int(a.took - b.took) })
		}
	}
	return nil
}

func (s *regoSuite) remember(covered *cover.Cover, test reached) {
	for file, report := range covered.Report(s.modules).Files {
		if regotest.IsTest(file) {
			continue
		}
		lines := s.tests[file]
		if lines == nil {
			lines = map[int][]reached{}
			s.tests[file] = lines
		}
		for _, span := range report.Covered {
			for row := span.Start.Row; row <= span.End.Row; row++ {
				lines[row] = append(lines[row], test)
			}
		}
	}
}

func (s *regoSuite) next(ctx context.Context, random *rand.Rand) (mutant, bool, error) {
	for len(s.places) > 0 {
		i := random.IntN(len(s.places))
		p := s.places[i]
		s.places = slices.Delete(s.places, i, i+1)
		modules := s.copy()
		e := edits(modules[p.file])[p.n]
		e.make()
		compiler, err := compile(ctx, modules)
		if err != nil {
			continue // a line that something else needs, say
		}
		s.current = compiler
		s.at = mutant{file: filepath.ToSlash(p.file), line: e.at.Row, within: e.within, change: e.change}
		return s.at, true, nil
	}
	return mutant{}, false, nil
}

// noticed asks the tests that reach the line, in groups, the quickest first.
func (s *regoSuite) noticed(ctx context.Context) (bool, error) {
	list := s.tests[s.at.file][s.at.line]
	for size := 8; len(list) > 0; size *= 4 {
		size = min(size, len(list))
		var names []string
		for _, test := range list[:size] {
			names = append(names, test.name)
		}
		list = list[size:]
		results, err := runTests(ctx, s.current, names, nil)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(results, func(r *tester.Result) bool { return !r.Pass() }) {
			return true, nil
		}
	}
	return false, nil
}

func (s *regoSuite) copy() map[string]*ast.Module {
	modules := make(map[string]*ast.Module, len(s.modules))
	for file, module := range s.modules {
		modules[file] = module.Copy()
	}
	return modules
}

// compile compiles the modules as the runner of tests wants them, and runs none.
func compile(ctx context.Context, modules map[string]*ast.Module) (*ast.Compiler, error) {
	compiler := ast.NewCompiler().WithEnablePrintStatements(true)
	results, err := tester.NewRunner().SetCompiler(compiler).SetModules(modules).Filter("^$").RunTests(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("compile the policies: %w", err)
	}
	for range results {
	}
	return compiler, nil
}

func runTests(ctx context.Context, compiler *ast.Compiler, names []string, covered *cover.Cover) ([]*tester.Result, error) {
	quoted := make([]string, 0, len(names))
	for _, name := range names {
		quoted = append(quoted, regexp.QuoteMeta(name))
	}
	runner := tester.NewRunner().SetCompiler(compiler).SetTimeout(ofOneTest).Filter("^(" + strings.Join(quoted, "|") + ")$")
	if covered != nil {
		runner.SetCoverageQueryTracer(covered).SetCoverageRuns(nil)
	}
	results, err := runner.RunTests(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("run the tests: %w", err)
	}
	var all []*tester.Result
	for r := range results {
		all = append(all, r)
	}
	return all, nil
}

// testNames are all tests, as the runner's filter sees them: data.<package>.<test>.
func testNames(modules map[string]*ast.Module) []string {
	names := map[string]bool{}
	for _, module := range modules {
		for _, rule := range module.Rules {
			if name := rule.Head.Ref().String(); strings.HasPrefix(name, "test_") {
				names[module.Package.Path.String()+"."+name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// edit is a change that can be made to a module.
type edit struct {
	at     *ast.Location
	within string
	change string
	make   func()
}

// edits finds every change that can be made to a module, always in the same order.
func edits(m *ast.Module) []edit {
	var all []edit
	for _, rule := range m.Rules {
		within := rule.Head.Ref().String()
		ast.WalkBodies(rule, func(body ast.Body) bool {
			if len(body) > 1 {
				for i, expr := range body {
					all = append(all, edit{expr.Location, within, "deleted `" + text(expr.Location) + "`", func() { remove(body, i) }})
				}
			}
			return false
		})
		ast.WalkExprs(rule, func(expr *ast.Expr) bool {
			all = append(all, ofExpression(expr, within)...)
			return false
		})
		ast.WalkTerms(rule, func(term *ast.Term) bool {
			all = append(all, ofTerm(term, within)...)
			return false
		})
	}
	return slices.DeleteFunc(all, func(e edit) bool { return e.at == nil || e.at.Row == 0 })
}

func ofExpression(expr *ast.Expr, within string) []edit {
	var all []edit
	if expr.Negated {
		all = append(all, edit{expr.Location, within, "without not: `" + text(expr.Location) + "`", func() { expr.Negated = false }})
	}
	if terms, ok := expr.Terms.([]*ast.Term); ok && len(terms) == 3 {
		if to, ok := swapped[terms[0].Value.String()]; ok {
			all = append(all, edit{
				expr.Location, within, terms[0].Value.String() + " → " + to + " in `" + text(expr.Location) + "`",
				func() { terms[0] = operator(to, terms[0].Location) },
			})
		}
	}
	return all
}

func ofTerm(term *ast.Term, within string) []edit {
	switch value := term.Value.(type) {
	case ast.Call:
		if len(value) != 3 {
			return nil
		}
		to, ok := swapped[value[0].Value.String()]
		if !ok {
			return nil
		}
		return []edit{{
			term.Location, within, value[0].Value.String() + " → " + to + " in `" + text(term.Location) + "`",
			func() { value[0] = operator(to, value[0].Location) },
		}}
	case ast.Number:
		n, ok := value.Int64()
		if !ok {
			return nil
		}
		return []edit{{term.Location, within, fmt.Sprintf("%d → %d", n, n+1), func() { term.Value = ast.Number(fmt.Sprint(n + 1)) }}}
	}
	return nil
}

func operator(name string, at *ast.Location) *ast.Term {
	return ast.RefTerm(ast.VarTerm(name)).SetLocation(at)
}

// remove takes an expression out of a body: in its place stands one that always holds.
func remove(body ast.Body, i int) {
	always := ast.NewExpr(ast.BooleanTerm(true))
	always.Index, always.Location = body[i].Index, body[i].Location
	body[i] = always
}

// text is what stands at a place, in one line of at most 60 characters.
func text(at *ast.Location) string {
	if at == nil {
		return ""
	}
	runes := []rune(strings.Join(strings.Fields(string(at.Text)), " "))
	if len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return string(runes)
}
