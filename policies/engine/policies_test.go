package engine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// withPolicies is an engine with policies of a test's own.
func withPolicies(t *testing.T, modules ...string) *Engine {
	t.Helper()
	parsed := map[string]*ast.Module{}
	for i, text := range modules {
		module, err := ast.ParseModule(fmt.Sprint(i), text)
		if err != nil {
			t.Fatal(err)
		}
		parsed[fmt.Sprint(i)] = module
	}
	compiler := ast.NewCompiler()
	compiler.Compile(parsed)
	if compiler.Failed() {
		t.Fatal(compiler.Errors)
	}
	return must(with(opaFrom(func() (*ast.Compiler, error) { return compiler, nil }), Options{}))(t)
}

// harming asks for two fixes, of which that of HR1 gives its container another finding, and
// as often as it is asked for one that is never through.
const harming = `package headroom.main

result := {"findings": [f | some f in findings]}

findings contains {"rule": "HR1", "severity": "info", "container": "one", "resource": {}, "path": [],
	"fix": [{"change": "set", "path": ["one"], "value": "1"}]} if not input.object.one

findings contains {"rule": "HR2", "severity": "error", "container": "one", "resource": {}, "path": []} if input.object.one

findings contains {"rule": "HR3", "severity": "info", "container": "two", "resource": {}, "path": [],
	"fix": [{"change": "set", "path": ["two"], "value": "1"}]} if not input.object.two

findings contains {"rule": "HR4", "severity": "info", "container": "three", "resource": {}, "path": [],
	"fix": [{"change": "set", "path": ["three"], "value": sprintf("%dx", [count(object.get(input.object, "three", ""))])}]}
`

func TestFixesThatDoHarmAreLeftOut(t *testing.T) {
	e := withPolicies(t, harming)
	for _, tc := range []struct {
		name    string
		only    map[string]bool
		dropped int
		want    string
	}{
		{"all but the last", map[string]bool{"HR1": true, "HR3": true}, 1, `{"two":"1"}`},
		{"the one that harms", map[string]bool{"HR1": true}, 1, `null`},
		{"the one that does not", map[string]bool{"HR3": true}, 0, `{"two":"1"}`},
		{"all", nil, 1, `{"three":"2x","two":"1"}`},
	} {
		fixed, err := e.FixOnly(t.Context(), Review{Manifest: map[string]any{}}, tc.only)
		if err != nil {
			t.Fatal(err)
		}
		if got := jsonOf(t, fixed.Object); got != tc.want || fixed.Dropped != tc.dropped {
			t.Errorf("%s: %s, %d dropped, not %s, %d", tc.name, got, fixed.Dropped, tc.want, tc.dropped)
		}
		for _, a := range fixed.Applied {
			if a.Container == "one" || a.Rule == "" {
				t.Errorf("%s: %+v", tc.name, a)
			}
		}
	}
}

func TestVerdictsAreSorted(t *testing.T) {
	const unsorted = `package headroom.main

found := [{"rule": rule, "message": message, "resource": {"namespace": namespace}, "container": c, "path": []} |
	some namespace in ["b", "a"]; some rule in ["HR2", "HR1"]; some c in ["y", "x"]; some message in ["n", "m"]]

result := {"findings": found, "exempted": found}
`
	result, err := withPolicies(t, unsorted).Evaluate(t.Context(), Review{})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Findings) != 16 || !reflect.DeepEqual(result.Findings, result.Exempted) {
		t.Errorf("%+v\n%+v", result.Findings, result.Exempted)
	}
	var order []string
	for _, f := range result.Exempted {
		order = append(order, f.Resource.Namespace+f.Rule+f.Container+f.Message)
	}
	if !slices.IsSorted(order) || order[0] != "aHR1xm" {
		t.Errorf("%v", order)
	}
}

func TestPoliciesWithoutAnAnswer(t *testing.T) {
	silent := withPolicies(t, "package headroom.main", "package headroom.detail")
	if _, err := silent.Evaluate(t.Context(), Review{}); !errors.Is(err, errUndefined) {
		t.Error(err)
	}
	if _, err := silent.Fix(t.Context(), Review{}); !errors.Is(err, errUndefined) {
		t.Error(err)
	}
	if _, err := silent.Details(t.Context(), Review{}); !errors.Is(err, errUndefined) {
		t.Error(err)
	}
	if _, err := silent.Kind(t.Context(), "v1", "Pod"); !errors.Is(err, errUndefined) {
		t.Error(err)
	}
	odd := withPolicies(t, "package headroom.main\nresult := {\"findings\": 1}", "package headroom.detail\nresult := 1")
	if _, err := odd.Evaluate(t.Context(), Review{}); err == nil || err.Error() != "read the verdict: findings cannot be 1" {
		t.Error(err)
	}
	if _, err := odd.Details(t.Context(), Review{}); err == nil || err.Error() != "read the details: an answer cannot be 1" {
		t.Error(err)
	}
}

func TestDetailsAreReadInFull(t *testing.T) {
	const detail = `package headroom.detail

result := [
	{"container": "a", "evidence": "e",
	 "cpu": {"request": 1, "limit": 2, "average": 3, "peak": 4, "cores": 5,
	         "wanted_request": -1, "wanted_limit": 9223372036854775807},
	 "memory": {"request": 9223372036854775808, "limit": -9223372036854775809, "peak": 8},
	 "harm": {"oom_kills": 9, "throttled_cores": 0.5, "headroom_left": 0.25},
	 "facts": {"threads": 1, "classes": 2, "metaspace": 3, "code_cache": 4, "direct": 5, "live": 6, "processors": 7, "pause": 8},
	 "budget": {"limit_mib": 1.5, "least_mib": 1.25, "total_mib": 2.5, "bound_mib": 2.75, "left_mib": 3.5, "headroom": 4.5, "complete": true,
	            "terms": [{"name": "n", "mib": 5.5, "least_mib": 8.5, "bound_mib": 9.5, "source": "s", "assumed": true}]}},
	{"container": "b", "cpu": %s, "memory": {"request": 0, "limit": 0, "peak": 0}, "budget": null,
	 "harm": {"oom_kills": 0, "throttled_cores": 0, "headroom_left": 0},
	 "facts": {"threads": 0, "classes": 0, "metaspace": 0, "code_cache": 0, "direct": 0, "live": 0, "processors": 0, "pause": 0}},
]
`
	none := `{"request": 0, "limit": 0, "average": 0, "peak": 0, "cores": 0, "wanted_request": 0, "wanted_limit": 0}`
	got, err := withPolicies(t, fmt.Sprintf(detail, none)).Details(t.Context(), Review{})
	want := []Detail{
		{
			Container: "a", Evidence: "e",
			CPU: CPUDetail{
				Request: 1, Limit: 2, Average: 3, Peak: 4, Cores: 5,
				WantedRequest: -1, WantedLimit: math.MaxInt64,
			},
			Memory: MemoryDetail{Request: math.MaxInt64, Limit: math.MinInt64, Peak: 8},
			Harm:   Harm{OOMKills: 9, ThrottledCores: 0.5, HeadroomLeft: 0.25},
			Facts:  Facts{Threads: 1, Classes: 2, Metaspace: 3, CodeCache: 4, Direct: 5, Live: 6, Processors: 7, Pause: 8},
			Budget: &Budget{
				LimitMiB: 1.5, LeastMiB: 1.25, TotalMiB: 2.5, BoundMiB: 2.75, LeftMiB: 3.5, Headroom: 4.5, Complete: true,
				Terms: []Term{{Name: "n", MiB: 5.5, LeastMiB: 8.5, BoundMiB: 9.5, Source: "s", Assumed: true}},
			},
		},
		{Container: "b"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nnot %+v", got, err, want)
	}
	for cpu, want := range map[string]string{
		`{}`:                                   "read the details: request cannot be missing",
		`{"request": "1"}`:                     `read the details: request cannot be "1"`,
		`[]`:                                   "read the details: an object cannot be []",
		strings.Replace(none, "0", "1e999", 1): "read the details: request cannot be 1e999",
	} {
		if _, err := withPolicies(t, fmt.Sprintf(detail, cpu)).Details(t.Context(), Review{}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", cpu, err, want)
		}
	}
}

func TestKindIsAskedOnce(t *testing.T) {
	const kinds = `package headroom.workload

context_kind := "quotas" if input.kind == "Quota" else := ""

inert := input.apiVersion != "v1"
`
	e := withPolicies(t, kinds)
	for _, tc := range []struct {
		apiVersion, kind string
		want             Kind
	}{
		{"v1", "Quota", Kind{ContextList: "quotas"}},
		{"v2", "Quota", Kind{ContextList: "quotas", Inert: true}},
		{"v1", "Pod", Kind{}},
		{"v1", "Pod", Kind{}},
	} {
		if got, err := e.Kind(t.Context(), tc.apiVersion, tc.kind); err != nil || got != tc.want {
			t.Errorf("%+v: %+v, %v", tc, got, err)
		}
	}
	if len(e.kinds.known) != 3 {
		t.Errorf("%v", e.kinds.known)
	}
	remembered := Kind{ContextList: "remembered"}
	e.kinds.known[[2]string{"v1", "Pod"}] = remembered
	if got, err := e.Kind(t.Context(), "v1", "Pod"); err != nil || got != remembered {
		t.Errorf("%+v, %v", got, err)
	}
	for i := len(e.kinds.known); i < maxKinds-1; i++ {
		e.kinds.known[[2]string{"v1", fmt.Sprint(i)}] = Kind{}
	}
	for _, want := range []int{maxKinds, 1, 2} { // beyond the bound it begins anew
		if _, err := e.Kind(t.Context(), "v1", fmt.Sprint("new ", want)); err != nil || len(e.kinds.known) != want {
			t.Errorf("%d kinds are remembered, not %d; %v", len(e.kinds.known), want, err)
		}
	}
}

func TestValue(t *testing.T) {
	e := withPolicies(t, "package headroom.some\ntable := {\"a\": [1, {\"x\"}]}\nno := false")
	for ref, want := range map[string]any{
		"data.headroom.some.table": map[string]any{"a": []any{1.0, []any{"x"}}},
		"data.headroom.some.no":    false,
	} {
		if got, err := e.Value(t.Context(), ref); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v, %v", ref, got, err)
		}
	}
	for ref, want := range map[string]string{
		"data.headroom.some.other": "data.headroom.some.other is not defined",
		"data.headroom.":           "prepare data.headroom.: ",
		"1 / 0":                    "evaluate 1 / 0: ",
	} {
		if _, err := e.Value(t.Context(), ref); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

func TestOptionsReachThePolicies(t *testing.T) {
	compiler := ast.NewCompiler()
	for _, tc := range []struct {
		options Options
		want    map[string]any
	}{
		{Options{}, map[string]any{}},
		{Options{Now: 1}, map[string]any{"now": 1.0}},
		{Options{Config: map[string]any{}}, map[string]any{"overrides": map[string]any{}}},
		{Options{Now: -1, Config: map[string]any{"a": "b"}}, map[string]any{"now": -1.0, "overrides": map[string]any{"a": "b"}}},
	} {
		e := must(with(opaFrom(func() (*ast.Compiler, error) { return compiler, nil }), tc.options))(t)
		if got, err := e.Value(t.Context(), "data.headroom"); err != nil || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%+v: %#v, %v", tc.options, got, err)
		}
	}
}

func TestPoliciesThatCannotBeRead(t *testing.T) {
	if _, err := parseModules([]string{bundleRoot + "/none.rego"}, false); err == nil ||
		!strings.HasPrefix(err.Error(), "parse policy module rego/headroom/none.rego: ") {
		t.Error(err)
	}
	broken := ast.MustParseModule("package a\nb if { x := 1; x := 2 }")
	if _, err := compile(map[string]*ast.Module{"broken.rego": broken}); err == nil || !strings.HasPrefix(err.Error(), "compile policies: ") {
		t.Error(err)
	}
}

func TestOnceEach(t *testing.T) {
	a, b, again := Rule{ID: "HR1", Slug: "a"}, Rule{ID: "HR2", Slug: "b"}, Rule{ID: "HR1", Slug: "again"}
	for _, rules := range [][]Rule{{a, again, b}, {b, a, again}, {a, b, again}} {
		if err := onceEach(rules); err == nil || err.Error() != "rule ID HR1 stands in two directories: a and again" {
			t.Error(err)
		}
	}
	if err := onceEach([]Rule{a, b}); err != nil {
		t.Error(err)
	}
}
