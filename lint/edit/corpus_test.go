package edit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// TestManifests writes the fixes of every manifest of the repository into its file. What comes
// out reads, with the reader that kubectl has, as the object that the webhook would make.
func TestManifests(t *testing.T) {
	e, err := engine.New(context.Background(), engine.Options{Config: map[string]any{
		"jvm": map[string]any{"inject": []any{"metaspace", "direct", "code-cache", "stack"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, root := range repo.Manifests() {
		for _, file := range manifests(t, root) {
			changed += fixFile(t, e, file)
		}
	}
	t.Logf("%d objects were changed", changed)
	if changed < 30 {
		t.Errorf("only %d objects were changed", changed)
	}
}

func manifests(t *testing.T, root string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".yaml") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s: %v", len(files), root, err)
	}
	return files
}

func fixFile(t *testing.T, e *engine.Engine, file string) (changed int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, item := range source.Parse(file, text, source.Options{}) {
		if item.Problem != nil || item.Skipped != "" {
			continue
		}
		for j, object := range itemsOf(item.Document.Object) {
			fixed, err := e.Fix(context.Background(), engine.Review{Manifest: object})
			if err != nil {
				t.Fatal(err)
			}
			if len(fixed.Patch) == 0 {
				continue
			}
			name := fmt.Sprintf("%s, document %d, object %d", file, i, j)
			ops := fixed.Patch
			if _, isList := item.Document.Object["items"]; isList {
				ops = below(fmt.Sprintf("/items/%d", j), ops)
			}
			after, err := edit.Apply(text, i, ops)
			if errors.Is(err, edit.ErrUnsafe) {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			changed++
			if problem := onlyTarget(text, after, item.Document, ops); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
			asWebhook(t, name, text, after, i, ops)
		}
	}
	return changed
}

func itemsOf(object map[string]any) []map[string]any {
	items, ok := object["items"].([]any)
	if !ok {
		return []map[string]any{object}
	}
	var all []map[string]any
	for _, item := range items {
		all = append(all, item.(map[string]any))
	}
	return all
}

func below(prefix string, ops []engine.Operation) []engine.Operation {
	out := make([]engine.Operation, len(ops))
	for i, op := range ops {
		op.Path = prefix + op.Path
		out[i] = op
	}
	return out
}

// asWebhook compares with what a JSON patch makes of the document as kubectl reads it.
func asWebhook(t *testing.T, name string, before, after []byte, index int, ops []engine.Operation) {
	t.Helper()
	patch, err := json.Marshal(ops)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatal(err)
	}
	want, err := decoded.Apply(asJSON(t, before, index))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var a, b any
	if json.Unmarshal(want, &a) != nil || json.Unmarshal(asJSON(t, after, index), &b) != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("%s: the file does not read as the webhook's object:\n%s", name, after)
	}
}

// asJSON reads a document as kubectl does.
func asJSON(t *testing.T, text []byte, index int) []byte {
	t.Helper()
	text = []byte(strings.ReplaceAll(string(text), "\r\n", "\n"))
	texts, err := source.Texts(text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := yaml.YAMLToJSON(text[texts[index].Start:texts[index].End])
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}
