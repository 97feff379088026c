package evaluate

import (
	"slices"
	"testing"

	"github.com/headroom-dev/headroom/policies/export/cel"
)

// Threads that a JVM takes on the largest node are an info where that has no more than twice the container's cores.
func TestThreadsOnFewCores(t *testing.T) {
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "shop", "annotations": map[string]any{"cpu-average.headroom.dev/app": "1"}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "image": "example.com/app:1.0",
			"env":       []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:+UseG1GC"}},
			"resources": map[string]any{"requests": map[string]any{"cpu": "1"}, "limits": map[string]any{"memory": "4Gi"}},
		}}},
	}
	threads := []string{"HR402", "HR403", "HR404", "HR405"}
	for cores, warned := range map[int][]string{0: threads, 4: nil, 5: threads} {
		set, err := cel.New(t.Context(), map[string]any{"nodes": map[string]any{"cores": cores}}, cel.Native)
		if err != nil {
			t.Fatal(err)
		}
		for i := range set.Rules {
			set.Rules[i].Findings = "(" + set.Rules[i].Findings + ").filter(f, f[?'severity'].orValue('') != 'info')"
		}
		judge, err := New(set)
		if err != nil {
			t.Fatal(err)
		}
		verdicts, err := judge.Judge(t.Context(), pod, nil)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, v := range verdicts {
			if v.Err != nil {
				t.Errorf("%s: %v", v.Rule, v.Err)
			}
			if slices.Contains(threads, v.Rule) {
				found = append(found, v.Rule)
			}
		}
		if slices.Sort(found); !slices.Equal(found, warned) {
			t.Errorf("nodes of %d cores: warned by %v, want %v", cores, found, warned)
		}
	}
}
