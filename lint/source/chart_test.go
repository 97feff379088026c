package source

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

func writeChart(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {size: {{ .Values.size | quote }}}\n"

// A schema that leads elsewhere is not asked: rendering fetches nothing.
func TestSchemasAreNotFetched(t *testing.T) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	for _, schema := range []string{
		`{"$ref": "` + server.URL + `/values.json"}`,
		`{"$schema": "` + server.URL + `/draft", "properties": {"size": {"type": "integer"}}}`,
		`{"properties": {"size": {"allOf": [{"$ref": "file:///etc/hostname"}]}}}`,
	} {
		dir := writeChart(t, map[string]string{
			"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n", "values.yaml": "size: 1\n",
			"values.schema.json": schema, "templates/a.yaml": configMap,
		})
		c, err := OpenChart(context.Background(), HelmChart{Path: dir}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		objects, err := c.Render(context.Background(), map[string]any{"size": "large"})
		if err != nil || len(objects) != 1 {
			t.Errorf("%s: %v, %v", schema, objects, err)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// A schema that stands for itself holds for values that are tried, unless the user's own
// break it already.
func TestSchemasHold(t *testing.T) {
	dir := writeChart(t, map[string]string{
		"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n", "values.yaml": "size: 1\n",
		"values.schema.json": `{"$schema": "http://json-schema.org/draft-07/schema#",
			"properties": {"size": {"type": "integer"}}}`,
		"templates/a.yaml": configMap,
	})
	for _, c := range []struct {
		given, tried any
		ok           bool
	}{{2, 3, true}, {2, "large", false}, {"small", "large", true}} {
		text := filepath.Join(t.TempDir(), "values.yaml")
		if err := os.WriteFile(text, []byte("size: "+scalarOf(c.given)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		chart, err := OpenChart(context.Background(), HelmChart{Path: dir, Values: []string{text}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = chart.Render(context.Background(), map[string]any{"size": c.tried})
		if (err == nil) != c.ok {
			t.Errorf("%v, then %v: %v", c.given, c.tried, err)
		}
	}
}

func scalarOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return "2"
}

// What is built with patches is not written anywhere.
func TestBuildPatchedWritesNothing(t *testing.T) {
	dir := writeChart(t, map[string]string{
		"kustomization.yaml": "resources: [a.yaml]\npatches:\n- target: {kind: ConfigMap}\n" +
			"  patch: '- {op: add, path: /data/size, value: b}'\n",
		"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {size: a}\n",
	})
	for patches, want := range map[string]string{"": "b", "- {op: replace, path: /data/size, value: c}": "c"} {
		var more []map[string]any
		if patches != "" {
			more = []map[string]any{{"target": map[string]any{"kind": "ConfigMap"}, "patch": patches}}
		}
		objects, err := BuildPatched(dir, more)
		if err != nil || len(objects) != 1 {
			t.Fatalf("%v, %v", objects, err)
		}
		if got := objects[0]["data"].(map[string]any)["size"]; got != any(want) {
			t.Errorf("%q gives %v, want %s", patches, got, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	objects, err := PatchObjects([]map[string]any{{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "a"},
	}}, []map[string]any{{"target": map[string]any{"name": "a"}, "patch": "- {op: add, path: /data, value: {b: c}}"}})
	if err != nil || len(objects) != 1 || objects[0]["data"] == nil {
		t.Errorf("%v, %v", objects, err)
	}
}
