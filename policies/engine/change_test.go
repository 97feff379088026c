package engine

import (
	"reflect"
	"testing"
)

func TestDecodeChanges(t *testing.T) {
	answer := parsed(`{"findings": [
		{"resource": {}, "rule": "A"},
		{"resource": {}, "rule": "B", "fix": []},
		{"resource": {}, "rule": "C", "fix": [{"change": "set", "path": ["spec", 2, "a"], "value": "1"}]},
		{"resource": {}, "rule": "D", "fix": [
			{"change": "remove", "path": ["spec"], "container": ["other"]},
			{"change": "jvm-flags", "container": ["spec", 0], "path": ["other"], "flags": ["-A", "-B"]},
			{"change": "env", "container": ["spec", 1], "path": ["other"], "name": "N", "value": "V"}
		]}
	]}`)
	result, err := decode(t.Context(), answer)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]Change{
		nil,
		{},
		{{Kind: "set", Path: []any{"spec", 2, "a"}, Value: "1"}},
		{
			{Kind: "remove", Path: []any{"spec"}},
			{Kind: "jvm-flags", Path: []any{"spec", 0}, Flags: []string{"-A", "-B"}},
			{Kind: "env", Path: []any{"spec", 1}, Name: "N", Value: "V"},
		},
	}
	for i, f := range result.Findings {
		if !reflect.DeepEqual(f.Changes, want[i]) {
			t.Errorf("%s: %+v, not %+v", f.Rule, f.Changes, want[i])
		}
	}
}

func TestWithin(t *testing.T) {
	c := Change{Path: []any{"spec", "containers", 0}}
	for _, tc := range []struct {
		path []string
		want bool
	}{
		{nil, true},
		{[]string{"spec"}, true},
		{[]string{"status"}, false},
		{[]string{"spec", "containers"}, true},
		{[]string{"spec", "initContainers"}, false},
		{[]string{"spec", "containers", "0"}, false},
		{[]string{"spec", "containers", "0", "name"}, false},
	} {
		if c.Within(tc.path) != tc.want {
			t.Errorf("within %v: %t", tc.path, !tc.want)
		}
	}
	if at := (Change{Path: []any{"spec"}}); !at.Within([]string{"spec"}) {
		t.Error("a place is not within itself")
	}
}

func TestTemplatePath(t *testing.T) {
	for _, tc := range []struct{ apiVersion, kind, want string }{
		{"v1", "Pod", "-"},
		{"example.com/v1", "Pod", ""},
		{"v1", "ReplicationController", "spec.template"},
		{"apps/v1", "ReplicationController", ""},
		{"v1", "ConfigMap", ""},
		{"apps/v1", "Deployment", "spec.template"},
		{"extensions/v1beta1", "DaemonSet", "spec.template"},
		{"apps/v1", "ControllerRevision", ""},
		{"example.com/v1", "Deployment", ""},
		{"v1", "Deployment", ""},
		{"batch/v1", "Job", "spec.template"},
		{"batch/v1", "CronJob", "spec.jobTemplate.spec.template"},
		{"apps/v1", "Job", ""},
		{"apps/v1", "CronJob", ""},
		{"batch/v1", "Deployment", ""},
	} {
		if got := TemplatePath(tc.apiVersion, tc.kind); got != tc.want {
			t.Errorf("%s %s: %q, want %q", tc.apiVersion, tc.kind, got, tc.want)
		}
	}
}

func TestFixableInPods(t *testing.T) {
	inSpec := []Change{{Path: []any{"metadata"}}, {Path: []any{"spec", "containers"}}}
	inTemplate := []Change{{Path: []any{"spec", "template", "spec", "containers"}}}
	given := []Finding{
		{Rule: "in a Pod", Fixable: true, Changes: inSpec},
		{Rule: "not fixable", Changes: inSpec},
		{Rule: "without changes", Fixable: true},
		{Rule: "in a template", Fixable: true, Changes: inTemplate},
		{Rule: "beside a template", Fixable: true, Changes: []Change{{Path: []any{"metadata", "labels"}}}},
	}
	for kind, want := range map[string][]bool{
		`{"apiVersion": "v1", "kind": "Pod"}`:             {true, false, false, true, false},
		`{"apiVersion": "apps/v1", "kind": "Deployment"}`: {false, false, false, true, false},
		`{}`: {true, false, false, true, false},
	} {
		findings := append([]Finding{}, given...)
		FixableInPods(findings, decodeJSON(t, kind).(map[string]any))
		for i, f := range findings {
			if f.Fixable != want[i] {
				t.Errorf("%s, %s: %t", kind, f.Rule, f.Fixable)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, tc := range []struct {
		severity              string
		fixable, inPods, want bool
	}{
		{SeverityError, false, false, true},
		{SeverityError, false, true, true},
		{SeverityError, true, false, true},
		{SeverityError, true, true, false},
		{SeverityWarning, false, false, false},
		{SeverityInfo, true, true, false},
	} {
		if got := (Finding{Severity: tc.severity, Fixable: tc.fixable}).Refuses(tc.inPods); got != tc.want {
			t.Errorf("%+v: %t", tc, got)
		}
	}
}
