package engine

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"
)

// realServer is a server that was measured, and the container as a manifest would have it. Sizes are MiB.
type realServer struct {
	Name, Fact  string
	Java, Limit int
	Image       string
	Flags       []string
	Shown       []string // behind the flags
	Env         map[string]string
	Held        [2]float64 // with a full heap: the least and the most of its runs
	Known       bool       // its kind has figures of its own
	Unbounded   bool       // of native memory that no manifest shows
}

func (s realServer) pod(limitMiB int) Review {
	command := []any{"java"}
	for _, word := range slices.Concat(s.Flags, s.Shown) {
		command = append(command, word)
	}
	env := []any{}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, map[string]any{"name": name, "value": s.Env[name]})
	}
	image := s.Image
	if image == "" {
		image = "registry.example.com/app:1"
	}
	return Review{Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		// Without a class, HR303 is a warning at most.
		"metadata": map[string]any{"name": "app", "annotations": map[string]any{
			"jvm.headroom.dev/app": fmt.Sprintf("version=%d", s.Java), "headroom.dev/workload-class": "batch",
		}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "image": image, "command": command, "env": env,
			"resources": map[string]any{"limits": map[string]any{"memory": fmt.Sprintf("%dMi", limitMiB), "cpu": "1"}},
		}}},
	}}
}

// TestRealServers holds the budget to what real servers held. There is no error on one that lives with a fifth free, and
// no silence about one that is OOMKilled. The range holds nineteen in twenty, and of kinds that are known
// the expected use is within a quarter.
func TestRealServers(t *testing.T) {
	text, err := os.ReadFile("testdata/servers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var table struct{ Servers []realServer }
	if err := yaml.UnmarshalStrict(text, &table); err != nil {
		t.Fatal(err)
	}
	e, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	outside := 0
	for _, s := range table.Servers {
		b, said := budgetOf(t, e, s, s.Limit)
		over := b.TotalMiB/s.Held[1] - 1
		t.Logf("%-42s held %4.0f to %4.0f, expected %4.0f (%+3.0f %%), %4.0f to %4.0f, %s: %s under %d",
			s.Name, s.Held[0], s.Held[1], b.TotalMiB, 100*over, b.LeastMiB, b.BoundMiB, b.Grade, said, s.Limit)
		if said == "error" && s.Held[1] <= 0.8*float64(s.Limit) {
			t.Errorf("%s lives with a fifth of %d MiB free, and HR303 is an error", s.Name, s.Limit)
		}
		if b.LeastMiB > s.Held[0] || b.BoundMiB < s.Held[1] {
			outside++
			t.Logf("%s: the range does not hold what was measured", s.Name)
		}
		near := b.TotalMiB >= 0.75*s.Held[0] && b.TotalMiB <= 1.25*s.Held[1]
		if s.Known && !near {
			t.Errorf("%s: %v MiB are expected, which is not within a quarter of %v", s.Name, b.TotalMiB, s.Held)
		}
		if b.TotalMiB <= 0.8*s.Held[1] && !s.Unbounded {
			t.Errorf("%s is OOMKilled under %v MiB, and nothing is said", s.Name, s.Held[1]-1)
		}
	}
	if outside*20 > len(table.Servers) {
		t.Errorf("the range does not hold what was measured of %d in %d", outside, len(table.Servers))
	}
}

// budgetOf is what the policies expect of a server under a limit, and how grave HR303 or HR304 is; "" where neither speaks.
func budgetOf(t *testing.T, e *Engine, s realServer, limitMiB int) (*Budget, string) {
	t.Helper()
	details, err := e.Details(t.Context(), s.pod(limitMiB))
	if err != nil {
		t.Fatal(err)
	}
	result, err := e.Evaluate(t.Context(), s.pod(limitMiB))
	if err != nil {
		t.Fatal(err)
	}
	if len(details) != 1 || details[0].Budget == nil {
		t.Fatalf("%s: no budget", s.Name)
	}
	said := ""
	for _, f := range result.Findings {
		if f.Rule == "HR303" || f.Rule == "HR304" {
			said = f.Severity
		}
	}
	return details[0].Budget, said
}
