package main

import (
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestManifestsAreTheSameEveryTime(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	const n = 40 // all combinations of what varies but sizes
	for _, dir := range []string{first, second} {
		if err := writeManifests(dir, n, workloadOf); err != nil {
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
