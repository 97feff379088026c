// Package schema holds the schemas for editors to what the policies say: they may refuse
// nothing that the policies let through.
package schema

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

const (
	folder = "."
	base   = "https://headroom.dev/schema/v1alpha1/"
)

// compiled is a schema, with a part of it behind a #.
func compiled(t testing.TB, name string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	files, err := filepath.Glob(folder + "/*.schema.json")
	if err != nil || len(files) != 4 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := compiler.AddResource(base+filepath.Base(file), document); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(base + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// complaints are the annotations and labels that the policies complain of, by key, and why.
func complaints(t testing.TB, object map[string]any) map[string]string {
	t.Helper()
	e := defaults.Engine(t)
	result, err := e.Evaluate(context.Background(), engine.Review{Manifest: object})
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, f := range result.Findings {
		switch f.Rule {
		case "HR102", "HR105", "HR106":
			steps := strings.Split(f.Path, "/")
			key := jsonpointer.Unescape(steps[len(steps)-1])
			keys[key] = f.Rule + " " + f.Message
		}
	}
	return keys
}

// generic is an object as JSON has it.
func generic(t testing.TB, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// pod has these annotations, and a container for each name.
func pod(annotations map[string]any, containers ...string) map[string]any {
	list := make([]any, len(containers))
	for i, name := range containers {
		list[i] = map[string]any{"name": name, "image": "example.com/app:1"}
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "a", "annotations": annotations},
		"spec":     map[string]any{"containers": list},
	}
}

func namespace(annotations, labels map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": "a", "annotations": annotations, "labels": labels},
	}
}
