package engine

import (
	"context"
	"strings"
	"testing"
)

// pod is a JVM whose budget the manifest tells.
var diagnosedPod = map[string]any{
	"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "cart"},
	"spec": map[string]any{"containers": []any{map[string]any{
		"name": "app", "image": "eclipse-temurin:21",
		"command":   []any{"java", "-Xmx512m", "-jar", "cart.jar"},
		"resources": map[string]any{"limits": map[string]any{"memory": "2Gi"}},
	}}},
}

func TestDiagnose(t *testing.T) {
	e := newEngine(t)
	cpu := func(periods, throttled, ns int64) map[string]any {
		return map[string]any{"periods": periods, "throttled": throttled, "throttled_ns": ns}
	}
	d, err := e.Diagnose(context.Background(), map[string]any{
		"pod": diagnosedPod, "container": "app", "jvm": true,
		// The figures of T5.
		"read": map[string]any{"cpu": cpu(0, 0, 0), "cpu_later": cpu(600, 19, 750e6), "seconds": 60},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Checks[0]; c.Check != "cpu-throttled" || c.Status != StatusWarning || c.Value != "3.2 %" || c.Fact != "T5, T14" {
		t.Errorf("throttled: %+v", c)
	}
	if c := d.Checks[1]; c.Value != "at most 39.5 ms" {
		t.Errorf("mean: %+v", c)
	}
	heap := Region{Name: "heap", BudgetMiB: 512, UsedMiB: -1, Source: "flag MaxHeapSize"}
	if len(d.Regions) != 6 || d.Regions[0] != heap {
		t.Errorf("regions: %+v", d.Regions)
	}
	again, err := e.Diagnose(context.Background(), map[string]any{"budget": d.Budget, "container": "app"})
	if err != nil || len(again.Regions) != 6 {
		t.Errorf("with the budget alone: %v, %+v", err, again.Regions)
	}
}

func TestDiagnoseNothing(t *testing.T) {
	d, err := newEngine(t).Diagnose(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Checks {
		if c.Status != StatusUnknown || c.Fix == "" {
			t.Errorf("of nothing: %+v", c)
		}
	}
}

// Linting compiles on every start, and Gatekeeper's templates carry every module.
func TestLintingLeavesTheDiagnosisAndExplanationsOut(t *testing.T) {
	files, err := moduleFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.Contains(file, "/diagnose/") || strings.Contains(file, "/explain/") || strings.Contains(file, "/size/") {
			t.Errorf("%s is compiled for linting", file)
		}
	}
}
