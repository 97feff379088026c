package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

const several = `spec:
  containers:
    - name: app
      env:
        - name: A
          value: b
      resources:
        requests: {cpu: "1", memory: 1Gi}
        limits:
          cpu: "2"
          memory: 2Gi
`

const app = "/spec/containers/0"

// TestRulesOfSuggestions: each names the rules whose fixes change its lines, and no other rule of the
// container.
func TestRulesOfSuggestions(t *testing.T) {
	requests := app + "/resources/requests"
	for name, c := range map[string]struct {
		patch   []engine.Operation
		applied []engine.Applied
		want    string
	}{
		"apart": {
			patch: []engine.Operation{
				{Op: "replace", Path: requests + "/memory", Value: "2Gi"},
				{Op: "remove", Path: app + "/resources/limits/cpu"},
				{Op: "add", Path: app + "/env/-", Value: map[string]any{"name": "GOMAXPROCS", "value": "2"}},
			},
			applied: []engine.Applied{
				{Rule: "HR302", Path: requests + "/memory"},
				{Rule: "HR202", Path: app + "/resources/limits/cpu"},
				{Rule: "HR501", Path: app + "/env/1"},
			},
			want: "6-6 HR501; 8-8 HR302; 10-10 HR202",
		},
		"one line": {
			patch: []engine.Operation{
				{Op: "replace", Path: requests + "/memory", Value: "2Gi"},
				{Op: "replace", Path: requests + "/cpu", Value: "2"},
			},
			applied: []engine.Applied{
				{Rule: "HR302", Path: requests + "/memory"},
				{Rule: "HR203", Path: requests + "/cpu"},
			},
			want: "8-8 HR203 HR302",
		},
		"one rule on two lines": {
			patch: []engine.Operation{
				{Op: "replace", Path: requests + "/memory", Value: "2Gi"},
				{Op: "replace", Path: requests + "/cpu", Value: "4"},
				{Op: "replace", Path: app + "/resources/limits/cpu", Value: "4"},
			},
			applied: []engine.Applied{
				{Rule: "HR302", Path: requests + "/memory"},
				{Rule: "HR205", Path: requests + "/cpu"},
				{Rule: "HR205", Path: app + "/resources/limits/cpu"},
			},
			want: "8-8 HR205 HR302; 10-10 HR205",
		},
		"lines that nothing is known of": {
			patch: []engine.Operation{{Op: "replace", Path: requests + "/memory", Value: "2Gi"}},
			applied: []engine.Applied{
				{Rule: "HR302", Path: app + "/resources/limits/memory"},
				{Rule: "HR202", Path: app + "/resources/limits/cpu"},
			},
			want: "8-8 HR202 HR302",
		},
	} {
		after, err := edit.Apply([]byte(several), 0, c.patch)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := FixedFile{Name: "a.yaml", Before: []byte(several), After: after, Objects: []FixedObject{
			{Line: 1, Patch: c.patch, Applied: c.applied},
		}}
		var got []string
		for _, s := range suggestions(&file) {
			got = append(got, fmt.Sprintf("%d-%d %s", s.First, s.Last, strings.Join(s.Rules, " ")))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s\n%s", name, text, c.want, after)
		}
	}
}

// TestRulesOfManySuggestions: beyond the work that is allowed, a suggestion names all rules.
func TestRulesOfManySuggestions(t *testing.T) {
	o := FixedObject{
		Patch: []engine.Operation{{Op: "remove", Path: app + "/resources/limits/cpu"}},
		Applied: []engine.Applied{
			{Rule: "HR202", Path: app + "/resources/limits/cpu"}, {Rule: "HR501", Path: app + "/env/1"},
		},
	}
	tries := 0
	all := touchedBy([]byte(several), &o, &tries)
	if slices.ContainsFunc(all, func(by touched) bool { return len(by.lines) > 0 }) || len(all) != 2 {
		t.Errorf("%v", all)
	}
}
