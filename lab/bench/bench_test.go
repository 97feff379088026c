package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
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

// TestJoined holds the List and the documents that are compared to the same objects.
func TestJoined(t *testing.T) {
	dir := t.TempDir()
	if err := writeManifests(dir, 3, workloadOf); err != nil {
		t.Fatal(err)
	}
	read := map[string][]any{}
	for name, join := range map[string]func([][]byte) []byte{"list": asList, "documents": asDocuments} {
		file := filepath.Join(dir, name)
		if err := joined(file, dir, join); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range bytes.SplitSeq(text, []byte("---\n")) {
			var object map[string]any
			if err := yaml.UnmarshalStrict(document, &object); err != nil {
				t.Fatal(err)
			}
			if items, is := object["items"].([]any); is {
				read[name] = append(read[name], items...)
			} else {
				read[name] = append(read[name], object)
			}
		}
	}
	if len(read["list"]) != 3 || !reflect.DeepEqual(read["list"], read["documents"]) {
		t.Errorf("the List has %v, and the documents are %v", read["list"], read["documents"])
	}
}
