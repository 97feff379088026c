package main

import (
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestParseBenchmark(t *testing.T) {
	name, values, ok := parseBenchmark(
		"BenchmarkDecision/pod-2   210  5952572 ns/op  1861750 best-cpu-ns  0 findings  7307 allocs/op")
	if !ok || name != "BenchmarkDecision/pod" || values["best-cpu-ns"] != 1861750 || values["allocs/op"] != 7307 {
		t.Error(name, values, ok)
	}
	for _, line := range []string{"", "PASS", "ok  	github.com/a/b	1.2s", "BenchmarkA", "BenchmarkA-2 1 x ns/op"} {
		if name, values, ok := parseBenchmark(line); ok {
			t.Errorf("%q is read as %s %v", line, name, values)
		}
	}
}

func TestManifestsAreTheSameEveryTime(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	const n = 40 // all combinations of what varies but sizes
	for _, dir := range []string{first, second} {
		if err := writeManifests(dir, n); err != nil {
			t.Fatal(err)
		}
	}
	jvms, sidecars := 0, 0
	for i := range n {
		text, err := os.ReadFile(filepath.Join(first, fileName(i)))
		if err != nil {
			t.Fatal(err)
		}
		again, err := os.ReadFile(filepath.Join(second, fileName(i)))
		if err != nil || string(again) != string(text) {
			t.Errorf("%s differs; %v", fileName(i), err)
		}
		var object map[string]any
		if err := yaml.UnmarshalStrict(text, &object); err != nil {
			t.Errorf("%s: %v", fileName(i), err)
		}
		if workloadOf(i).JVM {
			jvms++
		}
		if workloadOf(i).Sidecar {
			sidecars++
		}
	}
	if jvms != n/5 || sidecars != 2*n/5 {
		t.Errorf("%d JVMs and %d sidecars among %d", jvms, sidecars, n)
	}
}
