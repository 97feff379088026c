//go:build integration

package suggest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

// objectsOf are what was rendered, by kind and name.
func objectsOf(t *testing.T, items []source.Item) map[string]map[string]any {
	t.Helper()
	objects := map[string]map[string]any{}
	for _, item := range items {
		if item.Problem != nil {
			t.Fatal(item.Problem)
		}
		if item.Document == nil || item.Skipped != "" {
			continue
		}
		object := item.Document.Object
		metadata, _ := object["metadata"].(map[string]any)
		key := fmt.Sprint(object["kind"], " ", metadata["namespace"], "/", metadata["name"])
		if strings.Contains(key, "-test-") {
			continue // a Pod of Helm's, called otherwise each time
		}
		if objects[key] != nil {
			t.Fatalf("two of %s", key)
		}
		objects[key] = object
	}
	if len(objects) == 0 {
		t.Fatal("nothing was rendered")
	}
	return objects
}

// fixesOf are the objects that have something to be fixed.
func fixesOf(t *testing.T, objects map[string]map[string]any) (list []suggest.Fixed, names map[string]bool) {
	t.Helper()
	names = map[string]bool{}
	for _, key := range sorted(objects) {
		fixed, err := defaults.Engine(t).Fix(context.Background(), engine.Review{Manifest: objects[key]})
		if err != nil {
			t.Fatal(err)
		}
		if len(fixed.Patch) > 0 {
			names[key] = true
			list = append(list, suggest.Fixed{
				Before: objects[key], After: patched(t, objects[key], fixed.Patch),
			})
		}
	}
	return list, names
}

func patched(t *testing.T, object map[string]any, patch []engine.Operation) map[string]any {
	t.Helper()
	decoded, err := jsonpatch.DecodePatch([]byte(asJSON(t, patch)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := decoded.Apply([]byte(asJSON(t, object)))
	if err != nil {
		t.Fatal(err)
	}
	after := map[string]any{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&after); err != nil {
		t.Fatal(err)
	}
	return after
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tool runs a program that the Makefile builds.
func tool(t *testing.T, name string, arguments ...string) []byte {
	t.Helper()
	var errs bytes.Buffer
	command := exec.Command(program.Tool(t, name), arguments...)
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, errs.String())
	}
	return out
}

// settled checks what the real programs made of the snippets: nothing is left to fix, and
// no other object is another than it was.
func settled(t *testing.T, before, after map[string]map[string]any, changed map[string]bool) {
	t.Helper()
	if list, _ := fixesOf(t, after); len(list) > 0 {
		for _, f := range list {
			t.Errorf("still to be fixed: %v", f.After["metadata"])
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d objects became %d", len(before), len(after))
	}
	for key, was := range before {
		is, ok := after[key]
		switch {
		case !ok:
			t.Errorf("%s is gone", key)
		case !changed[key] && was["kind"] != "Secret" && !reflect.DeepEqual(was, is):
			t.Errorf("%s is another:\n%v\n%v", key, was, is)
		case changed[key] && reflect.DeepEqual(was, is):
			t.Errorf("%s is as it was", key)
		}
	}
}

// checkGolden compares snippets with what was read and found good.
func checkGolden(t *testing.T, name string, snippets []suggest.Snippet) {
	t.Helper()
	var b strings.Builder
	for _, s := range snippets {
		fmt.Fprintf(&b, "%s of %s, %d objects\n", s.Kind, s.Origin, s.Covers)
		fmt.Fprintf(&b, "where: %s\nnote: %s\n%s\n", s.Where, s.Note, s.Text)
	}
	golden.Check(t, filepath.Join("testdata/golden", name+".txt"), b.String())
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func sorted(objects map[string]map[string]any) []string {
	keys := make([]string, 0, len(objects))
	for key := range objects {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func itemsOf(text []byte) []source.Item {
	return slices.Collect(source.Items("printed", text, source.Options{}))
}
