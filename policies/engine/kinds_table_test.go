package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/tests/harness/golden"
)

const kindsFolder = "../rego/headroom/kinds"

// TestKindsOfOperators shows what is found in objects of each kind that the policies have data
// on: the containers, their class, and where their resources are.
func TestKindsOfOperators(t *testing.T) {
	e, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(kindsFolder + "/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			seen := map[string]bool{}
			var found strings.Builder
			for _, manifest := range documents(t, filepath.Join("testdata/kinds", name+".yaml")) {
				result, err := e.Evaluate(t.Context(), Review{Manifest: manifest})
				if err != nil {
					t.Fatal(err)
				}
				group, _, named := strings.Cut(fmt.Sprint(manifest["apiVersion"]), "/")
				if !named {
					group = ""
				}
				seen[group+" "+fmt.Sprint(manifest["kind"])] = true
				describe(&found, result)
			}
			golden.Check(t, filepath.Join("testdata/kinds", name+".txt"), found.String())
			for _, record := range documents(t, file)[0][name].([]any) {
				record := record.(map[string]any)
				for _, kind := range record["kinds"].([]any) {
					if !seen[fmt.Sprint(record["group"], " ", kind)] {
						t.Errorf("no manifest of %v %v", record["group"], kind)
					}
				}
			}
		})
	}
}

// describe writes what an object was taken for. Of the findings there are those that every
// container without resources gets, which show the paths, and those that are certain.
func describe(w *strings.Builder, result Result) {
	for _, o := range result.Objects {
		fmt.Fprintln(w, o.Resource.Kind, o.Resource.Name)
		for _, c := range o.Containers {
			fmt.Fprintf(w, "  %s %s %s: %s\n", c.Role, c.Name, c.Class, c.Path)
		}
	}
	for _, f := range result.Findings {
		switch f.Rule {
		case "HR002", "HR003", "HR201", "HR208", "HR301", "HR304":
			fmt.Fprintf(w, "  %s %s %s\n", f.Rule, f.Container, f.Path)
		}
	}
}

func documents(t *testing.T, file string) []map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document map[string]any
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return list
		case err != nil:
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, document)
	}
}
