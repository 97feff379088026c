package engine

import (
	"reflect"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies/plan"
)

// parsed is a value as Rego writes it.
func parsed(text string) plan.Value { return plan.FromAST(ast.MustParseTerm(text).Value) }

func TestDecode(t *testing.T) {
	answer := parsed(`{
		"findings": [{
			"rule": "HR202", "slug": "latency-cpu-limit", "severity": "error", "class": "latency-sensitive",
			"resource": {"apiVersion": "v1", "kind": "Pod", "namespace": "shop", "name": "a"},
			"container": "app", "path": ["spec", "containers", 0, "a/b~c"], "message": "m", "expected": "e",
			"figures": {"limit_millicores": 2000, "of": [0.5, {"a": 1}], "text": "1"}, "fixable": true,
			"suppressed": {"reason": "r", "until": "2027-01-31", "source": "annotation"}
		}],
		"exempted": [],
		"skipped": [{"resource": {"kind": "Pod"}, "what": "containers", "reason": "Windows"}],
		"objects": [{
			"resource": {"kind": "Pod"}, "path": [], "judged": true,
			"containers": [{"name": "app", "role": "app", "path": ["spec"], "class": "cron", "evidence": "x", "runtime": "jvm", "runtime_text": "runs a JVM"}]
		}]
	}`)
	want := Result{
		Findings: []Finding{{
			Rule: "HR202", Slug: "latency-cpu-limit", Severity: "error", Class: "latency-sensitive",
			Resource:  Resource{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "a"},
			Container: "app", Path: "/spec/containers/0/a~1b~0c", Message: "m", Expected: "e",
			Figures: map[string]any{"limit_millicores": 2000.0, "of": []any{0.5, map[string]any{"a": 1.0}}, "text": "1"},
			Fixable: true, Suppressed: &Suppression{Reason: "r", Until: "2027-01-31", Source: "annotation"},
		}},
		Exempted: []Finding{},
		Skipped:  []Skip{{Resource: Resource{Kind: "Pod"}, What: "containers", Reason: "Windows"}},
		Objects: []Object{{
			Resource: Resource{Kind: "Pod"}, Judged: true,
			Containers: []Container{
				{Name: "app", Role: "app", Path: "/spec", Class: "cron", Evidence: "x", Runtime: "jvm", Runs: "runs a JVM"},
			},
		}},
	}
	got, err := decode(t.Context(), answer)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestDecodeRefusesOtherShapes(t *testing.T) {
	for _, answer := range []string{
		`[]`,
		`{"findings": {}}`,
		`{"findings": ["a"]}`,
		`{"findings": [{}]}`,
		`{"findings": [{"resource": {}, "rule": 1}]}`,
		`{"findings": [{"resource": {}, "path": [true]}]}`,
		`{"findings": [{"resource": {}, "fixable": "yes"}]}`,
		`{"findings": [{"resource": {}, "suppressed": "yes"}]}`,
		`{"objects": [{"resource": {}, "containers": [1]}]}`,
		`{"findings": [{"resource": {}, "fix": {}}]}`,
		`{"findings": [{"resource": {}, "fix": [{"change": "move", "path": ["a"]}]}]}`,
		`{"findings": [{"resource": {}, "fix": [{"change": "set", "path": [0.5]}]}]}`,
		`{"findings": [{"resource": {}, "fix": [{"change": "jvm-flags", "container": ["a"], "flags": [1]}]}]}`,
		`{"findings": [{"resource": {}, "figures": {1: 2}}]}`,
	} {
		if result, err := decode(t.Context(), parsed(answer)); err == nil {
			t.Errorf("%s is read as %+v", answer, result)
		}
	}
}

func TestDecodeTellsTheFirstError(t *testing.T) {
	for answer, want := range map[string]string{
		`{"findings": [{"resource": {}, "rule": 1, "slug": 2, "figures": {1: 2}}]}`:             "rule cannot be 1",
		`{"findings": [{"resource": {}, "fix": [{"change": "move", "path": "a", "name": 1}]}]}`: `path cannot be "a"`,
		`{"findings": [{"resource": {}, "fix": [{"change": "move"}]}]}`:                         `a change cannot be "move"`,
		`{"findings": [{}]}`: "an object cannot be missing",
	} {
		if _, err := decode(t.Context(), parsed(answer)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", answer, err, want)
		}
	}
}
