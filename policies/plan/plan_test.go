package plan_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/planner"
)

// document is the data that all policies are tested with.
const document = `{"over": {"x": 1, "list": [1, 2]}}`

// inputs are what they are asked about.
var inputs = []string{
	`{}`, `null`, `[]`, `{"a": 1}`, `{"a": [1, 2, 3], "b": {"c": "d"}}`, `{"a": ["x", "y"], "b": {"x": 1, "y": 2, "z": 3}}`,
	`{"a": [], "b": {}}`, `{"a": [1, 1.0, "1", null, true], "b": {"c": null}}`, `{"a": [[1, 2], [1], []], "b": 7}`,
	`{"a": [0.1, 0.2, 3], "b": {"c": {"d": {"e": 5}}}}`, `{"a": "text", "b": false}`,
}

// policies have the statements of a plan in all the ways in which rules can be written.
var rules = map[string]string{
	"complete rules":          `r := 1 if input.a; r := 1 if input.b`,
	"a conflict":              `r := 1 if input.a; r := 2 if input.b`,
	"a default":               `default r := "none"; r := input.a if is_string(input.a)`,
	"else":                    `r := 1 if input.a == 1 else := 2 if input.a[0] == 1 else := input.b if input.b else := "x"`,
	"functions":               `r := [f(x) | some x in input.a]; f(x) := x + 1 if is_number(x) else := upper(x) if is_string(x)`,
	"a function's conflict":   `r := [f(x) | some x in input.a]; f(x) := 1 if x; f(x) := 2 if x == "y"`,
	"patterns":                `r := {f([x, {"k": y}]) | some x in input.a; some y in input.a}; f([1, {"k": v}]) := v; f([x, {"k": x}]) := "same"`,
	"a set":                   `r contains x if some x in input.a; r contains 7; r contains k if some k, _ in input.b`,
	"an empty set that grows": `r contains x if some x in input.none`,
	"an object":               `r[k] := v if some k, v in input.b; r["more"] := 1 if input.a`,
	"an object's conflict":    `r["k"] := v if some v in input.a; r["k"] := 0`,
	"nested objects":          `r.x.y[k] := v if some k, v in input.b; r.x.z := 1`,
	"a set in an object":      `r[k] contains v if some k, v in input.b; r.all contains 1`,
	"comprehensions":          `r := {"a": [x | some x in input.a; x != 1], "s": {x | some x in input.a}, "o": {k: v | some k, v in input.b}}`,
	"a key twice":             `r := {k: v | some v in input.a; k := 1}`,
	"within each other":       `r := [[y | some y in input.a; y == x] | some x in input.a]`,
	"negation":                `r if not input.a`,
	"negation in a loop":      `r contains x if { some x in input.a; not x == 1; not _in_b(x) }; _in_b(x) if input.b[x]`,
	"negation of a loop":      `r if not _any; _any if { some x in input.a; x == 1 }`,
	"every":                   `r if every x in input.a { is_number(x); x > 0 }`,
	"every key":               `r if every k, v in input.b { k != "c"; v }`,
	"every in every":          `r if every x in input.a { every y in x { y > 0 } }`,
	"membership":              `r := {"in": 1 in input.a, "key": "x", "pair": {k | some k in ["c", "x"]; k, input.b[k] in input.b}}`,
	"references":              `r := input.b.c.d.e; s := 1`,
	"a reference by a value":  `r := {v | v := input.b[input.a[_]]}`,
	"two loops":               `r := {[i, j] | input.a[i] == input.a[j]; i < j}`,
	"walk":                    `r := [[p, v] | walk(input, [p, v])]`,
	"with input":              `r := [x | some y in [1, 2]; x := _a with input as {"a": y}]; _a := input.a`,
	"a value in the input":    `r := x if x := _all with input.new.deep as 5; _all := input`,
	"with data":               `r := [_x, y, _x] if y := _x with data.over.x as 9; _x := data.over.x`,
	"data":                    `r := {k: v | some k, v in data.over}`,
	"data and rules":          `r := data.over.list[input.a[_]]`,
	"a package as a value":    `r := data.other; s := 1`,
	"any rule of a name":      `r := {n: v | v := data.other[n].value}`,
	"a rule by a value":       `r := [v | some n in ["one", "two", "three"]; v := data.other[n].value]`,
	"a rule by its own name":  `r := [v | some n in ["p", "q", "none"]; v := data.other.one[n]]`,
	"literals":                `r := [[], {}, set(), {"a": [1, {"b": null}], "c": {1, 2, 1.0}}, [input.a, 1], {"k": input.b}, {input.a, 1}]`,
	"a literal in a loop":     `r := [[x, []] | some x in input.a]`,
	"numbers":                 `r := [y | some x in input.a; is_number(x); y := x / 3]; s := 0.1 + 0.2`,
	"equality of numbers":     `r := {[x, y] | some x in input.a; some y in [1, 1.0, 1e0, 0.1]; x == y}`,
	"texts":                   `r := [sprintf("%v %d %s", [x, count(input.a), "t"]) | some x in input.a]`,
	"a template":              `r := [$"{x} of {count(input.a)}" | some x in input.a]`,
	"a built-in that fails":   `r := [to_number(x) | some x in input.a]`,
	"units":                   `r := [units.parse(x) | some x in ["1Ki", "5m", input.b.c]]`,
	"a constant":              `r := [_table[x] | some x in input.a]; _table := {"x": [1, {"y": 2}], "y": _more, 1: "one"}; _more := {"z"}`,
	"unification":             `r := [a, b, c] if [a, [b, c]] = [input.a, [1, input.b]]`,
	"objects unified":         `r := x if {"c": x} = input.b`,
	"an array taken apart":    `r := {y | [x, y] := input.a[_]; x == 1}`,
	"partly undefined":        `r := {"a": input.a, "b": input.none}`,
	"false":                   `r := [_false, _true]; _false := false; default _true := true; _false if input.none`,
	"an early end":            `r := "yes" if { some x in input.a; some y in input.a; x == y }`,
	"logic":                   `r := [x | some x in input.a; x in {1, "y"}]`,
	"dates":                   `r := time.now_ns() > 0`,
	"the same call twice":     `r := [f(input), f(input), f(input.none)]; f(x) := count(x) if not is_null(x)`,
	"an undefined call":       `r := {x: y | some x in input.a; y := f(x)}; f(x) := v if v := input.b[x]`,
	"unions":                  `r := object.union_n([{"a": {"b": 1}}, {"a": {"c": input.a}}, input.b])`,
}

const other = `package other.one
p := 1
value := "first" if input.a
f(x) := x`

const third = `package other.two
value(x) := x
q := 2`

// TestPlan holds the evaluator of plans to OPA's own.
func TestPlan(t *testing.T) {
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			modules := map[string]*ast.Module{}
			for file, text := range map[string]string{
				"rules.rego": "package rules\n" + strings.ReplaceAll(rule, "; "+"_", "\n_"), "other.rego": other, "third.rego": third,
			} {
				module, err := ast.ParseModule(file, split(text))
				if err != nil {
					t.Fatal(err)
				}
				modules[file] = module
			}
			data := parsed(document)
			program := programOf(t, modules).With(data)
			judge := judgeOf(t, modules)
			for _, text := range inputs {
				input := parsed(text)
				got, err := program.Eval(t.Context(), "data.top.r", input)
				want, wantErr := judge(input)
				if (err != nil) != (wantErr != nil) || printed(got) != want && err == nil {
					t.Errorf("%s: %s, %v\nnot %s, %v", text, printed(got), err, want, wantErr)
				}
			}
		})
	}
}

// split puts rules on lines of their own: what begins with a name and := or a brace.
func split(text string) string {
	for _, name := range []string{"r ", "r:", "r[", "r.", "f(", "_", "s :", "default "} {
		text = strings.ReplaceAll(text, "; "+name, "\n"+name)
	}
	return text
}

func parsed(text string) plan.Value { return plan.FromAST(ast.MustParseTerm(text).Value) }

func printed(v plan.Value) string {
	if v == nil {
		return "undefined"
	}
	return plan.ToAST(v).String()
}

func programOf(t testing.TB, modules map[string]*ast.Module) *plan.Program {
	t.Helper()
	modules["top.rego"] = ast.MustParseModule("package top\nr := data.rules.r")
	program, _ := planned(t, modules, "data.top.r")
	return program
}

func planned(t testing.TB, modules map[string]*ast.Module, rule string) (*plan.Program, *ir.Policy) {
	t.Helper()
	policy, err := planner.Plan(context.Background(), modules, rule)
	if err != nil {
		t.Fatal(err)
	}
	image, err := plan.Encode(policy)
	if err != nil {
		t.Fatal(err)
	}
	program, err := plan.Open(string(image))
	if err != nil {
		t.Fatal(err)
	}
	return program, policy
}

// judgeOf evaluates with OPA.
func judgeOf(t testing.TB, modules map[string]*ast.Module) func(plan.Value) (string, error) {
	t.Helper()
	compiler := ast.NewCompiler()
	if compiler.Compile(modules); compiler.Failed() {
		t.Fatal(compiler.Errors)
	}
	var data map[string]any
	value, err := ast.JSON(ast.MustParseTerm(document).Value)
	if err == nil {
		data, _ = value.(map[string]any)
	}
	query, err := rego.New(rego.Compiler(compiler), rego.Store(inmem.NewFromObject(data)),
		rego.Query("data.top.r"), rego.StrictBuiltinErrors(true)).PrepareForEval(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return func(input plan.Value) (string, error) {
		answer := "undefined"
		_, err := query.Eval(context.Background(), rego.EvalParsedInput(plan.ToAST(input)),
			rego.EvalGenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) {
				answer = term.String()
				return nil, nil
			}))
		return answer, err
	}
}

// A decision ends when its context does, also within a loop and within a built-in.
func TestCancelled(t *testing.T) {
	for name, rule := range map[string]string{
		"a loop":     `r := count([1 | some a in numbers.range(1, 5000); some b in numbers.range(1, 5000); a * b == 0])`,
		"a built-in": `r := count(numbers.range(1, 100000000))`,
	} {
		program := programOf(t, map[string]*ast.Module{"a.rego": ast.MustParseModule("package rules\n" + rule + " if input")})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := program.With(plan.NewObject()).Eval(ctx, "data.top.r", plan.NewObject())
		cancel()
		if !topdown.IsCancel(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Calls are told, also of a copy of a function for rules that are replaced, and of a function that is not there nothing is
// evaluated.
func TestListener(t *testing.T) {
	modules := map[string]*ast.Module{"rules.rego": ast.MustParseModule(`package rules
base := 1
f(x) := x + base + count(input.a)
r := {"all": [f(x) | some x in input.a], "other": y}
y := v if v := f(20) with data.rules.base as 5`)}
	program := programOf(t, modules).With(parsed(`{}`))
	var told []string
	listen := func(function string) (plan.Value, error) {
		ctx := plan.WithListener(t.Context(), function, func(argument plan.Value) { told = append(told, printed(argument)) })
		return program.Eval(ctx, "data.top.r", parsed(`{"a": [1, 2, 1]}`))
	}
	value, err := listen("data.rules.f")
	if slices.Sort(told); err != nil || !slices.Equal(slices.Compact(told), []string{"1", "2", "20"}) {
		t.Errorf("told %q, %v", told, err)
	}
	if want := `{"all": [5, 6, 5], "other": 28}`; printed(value) != want {
		t.Errorf("%s, not %s", printed(value), want)
	}
	if _, err := listen("data.rules.none"); !errors.Is(err, plan.ErrNoRule) {
		t.Errorf("a function that is not there: %v", err)
	}
}

// Goroutines that share a program, and what is known of its constants, get the same.
func TestShared(t *testing.T) {
	modules := map[string]*ast.Module{"a.rego": ast.MustParseModule(`package rules
r := {x: [_table[x], _sorted, _over] | some x in input.a}
_table := {"x": {3, 1, 2}, "y": {"b": {2, 1}}}
_sorted := sort([x | some x in _table.x])
_over := data.over.x + count(_sorted)`)}
	data := programOf(t, modules).With(parsed(document))
	input := parsed(`{"a": ["x", "y", "z"]}`)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				got, err := data.Eval(context.Background(), "data.top.r", input)
				if want := `{"x": [{1, 2, 3}, [1, 2, 3], 4], "y": [{"b": {1, 2}}, [1, 2, 3], 4]}`; err != nil || printed(got) != want {
					t.Errorf("%s, %v", printed(got), err)
				}
			}
		})
	}
	group.Wait()
}

func TestEncodeRefusesWhatItDoesNotKnow(t *testing.T) {
	modules := map[string]*ast.Module{"a.rego": ast.MustParseModule("package rules\nr := 1 / input.a")}
	program, policy := planned(t, modules, "data.rules.r")
	if _, err := program.With(nil).Eval(t.Context(), "data.rules.none", nil); !errors.Is(err, plan.ErrNoRule) {
		t.Error(err)
	}
	for _, name := range []string{"dig", "http.send", "rand.intn", "opa.runtime", "internal.print"} {
		calls := 0
		for _, f := range policy.Funcs.Funcs {
			for _, b := range f.Blocks {
				for _, s := range b.Stmts {
					if call, ok := s.(*ir.CallStmt); ok {
						call.Func = name
						calls++
					}
				}
			}
		}
		if _, err := plan.Encode(policy); calls != 1 || err == nil || !strings.Contains(err.Error(), "a function that is not known: "+name) {
			t.Errorf("%s in %d calls: %v", name, calls, err)
		}
	}
	type newStmt struct{ ir.ReturnLocalStmt }
	policy.Funcs.Funcs[0].Blocks[0].Stmts = []ir.Stmt{&newStmt{}}
	if _, err := plan.Encode(policy); err == nil || !strings.Contains(err.Error(), "a statement that is not known: *plan_test.newStmt") {
		t.Error(err)
	}
}

// An image that is cut off, changed, or has a byte too many, is an error when it is opened.
func TestDamagedImage(t *testing.T) {
	modules := map[string]*ast.Module{"a.rego": ast.MustParseModule("package rules\nr := {x | some x in input.a; not x == data.over.x}")}
	policy, err := planner.Plan(t.Context(), modules, "data.rules.r")
	if err != nil {
		t.Fatal(err)
	}
	image, err := plan.Encode(policy)
	if err != nil {
		t.Fatal(err)
	}
	for n := range image {
		if _, err := plan.Open(string(image[:n])); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(image))
		}
		changed := slices.Clone(image)
		changed[n] ^= 0x10
		if _, err := plan.Open(string(changed)); err == nil || !strings.Contains(err.Error(), "it is damaged") {
			t.Errorf("with another byte at %d: %v", n, err)
		}
	}
	if _, err := plan.Open(string(image) + "\x00"); err == nil {
		t.Error("a byte too many is read")
	}
}

// Under a bound, no long text is searched.
func TestLongTexts(t *testing.T) {
	for name, rule := range map[string]string{
		"match": `regex.match("b", input)`, "find": `count(regex.find_n("b", input, -1)) >= 0`,
		"split": `count(regex.split("b", input)) > 0`, "replace": `regex.replace(input, "b", "c") != ""`,
	} {
		program := programOf(t, map[string]*ast.Module{"a.rego": ast.MustParseModule("package rules\nr := 1 if " + rule)})
		for size, want := range map[int]error{10_000: nil, 10_001: plan.ErrLongText} {
			ctx := plan.WithLongest(t.Context(), 10_000)
			_, err := program.With(plan.NewObject()).Eval(ctx, "data.top.r", strings.Repeat("b", size))
			if !errors.Is(err, want) || want != nil && !topdown.IsCancel(err) {
				t.Errorf("%s of %d bytes: %v", name, size, err)
			}
		}
	}
}
