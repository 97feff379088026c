//go:build system

package kernel_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// judged is what the policies say of a JVM: the bound of its budget in MiB, and which of HR303 and HR304 fire.
func judged(t *testing.T, feature, limitMiB, threads int, flags []string) (float64, []string) {
	t.Helper()
	e := defaults.Engine(t)
	limit := fmt.Sprintf("%dMi", limitMiB)
	command := []any{"java"}
	for _, flag := range flags {
		command = append(command, flag)
	}
	review := engine.Review{Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "load", "annotations": map[string]any{
			"headroom.dev/workload-class": "batch",
			"jvm.headroom.dev/load":       fmt.Sprintf("version=%d threads=%d", feature, threads),
		}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "load", "image": "load", "command": append(command, "Load"),
			"resources": map[string]any{
				"requests": map[string]any{"cpu": "1", "memory": limit},
				"limits":   map[string]any{"cpu": "2", "memory": limit},
			},
		}}},
	}}
	result, err := e.Evaluate(context.Background(), review)
	if err != nil {
		t.Fatal(err)
	}
	rules := []string{}
	for _, f := range result.Findings {
		if f.Rule == "HR409" {
			t.Errorf("HR409: %s", f.Message)
		}
		if (f.Rule == "HR303" || f.Rule == "HR304") && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	details, err := e.Details(context.Background(), review)
	if err != nil {
		t.Fatal(err)
	}
	budget := details[0].Budget
	if budget == nil || !budget.Complete {
		t.Fatalf("no whole budget: %+v", budget)
	}
	return budget.BoundMiB, rules
}
