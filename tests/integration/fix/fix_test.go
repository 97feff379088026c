//go:build integration

// Package fix_test holds the fixes to what they promise. No more is changed than was meant, nothing
// is left that could be fixed, and no object is worse off than it was.
package fix_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	pathpkg "path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"sigs.k8s.io/yaml"

	goyaml "go.yaml.in/yaml/v3"

	"github.com/go-openapi/jsonpointer"
	"github.com/headroom-dev/headroom/policies/engine"
)

// A given is one object, with what stands beside it.
type given struct {
	name   string
	object map[string]any
	around map[string][]map[string]any
}

func newEngine(tb testing.TB, config map[string]any) *engine.Engine {
	tb.Helper()
	e, err := engine.New(context.Background(), engine.Options{Config: config, Now: 1795219200e9})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func (g given) review() (engine.Review, error) {
	if g.around == nil {
		return engine.Review{Manifest: g.object}, nil
	}
	around, err := engine.NewContext("shop", g.around)
	return engine.Review{Manifest: g.object, Around: around}, err
}

// check fixes an object and says which promise is broken.
func check(e *engine.Engine, g given) (engine.Fixed, error) {
	raw, err := json.Marshal(g.object)
	if err != nil {
		return engine.Fixed{}, fmt.Errorf("write the object: %w", err)
	}
	review, err := g.review()
	if err != nil {
		return engine.Fixed{}, err
	}
	fixed, err := e.Fix(context.Background(), review)
	if err != nil {
		return fixed, err
	}
	if fixed.Dropped > 0 {
		return fixed, fmt.Errorf("%d changes had to be left out: the rules would have made it worse", fixed.Dropped)
	}
	if after, _ := json.Marshal(g.object); !bytes.Equal(raw, after) {
		return fixed, errors.New("the manifest itself was changed")
	}
	if len(fixed.Patch) == 0 {
		return fixed, nothingLeft(fixed)
	}
	patched, err := applied(raw, fixed.Patch)
	if err != nil {
		return fixed, err
	}
	if err := nothingElse(g.object, patched, fixed.Applied); err != nil {
		return fixed, err
	}
	review.Manifest = patched
	again, err := e.Fix(context.Background(), review)
	if err != nil {
		return fixed, err
	}
	if len(again.Patch) > 0 {
		return fixed, fmt.Errorf("fixed twice is not fixed once: %+v", again.Patch)
	}
	if !reflect.DeepEqual(fixed.After, again.Before) {
		return fixed, fmt.Errorf("After is not what the patched object is judged to be:\n%+v\n%+v", fixed.After, again.Before)
	}
	if err := nothingLeft(again); err != nil {
		return fixed, err
	}
	return fixed, nothingNew(fixed.Before, again.Before)
}

// applied applies a patch to the raw bytes with a library that is not ours.
func applied(raw []byte, operations []engine.Operation) (map[string]any, error) {
	text, err := json.Marshal(operations)
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, fmt.Errorf("read the patch %s: %w", text, err)
	}
	out, err := patch.Apply(raw)
	if err != nil {
		return nil, fmt.Errorf("apply %s: %w", text, err)
	}
	return decode(out)
}

func decode(text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	return object, nil
}

func nothingLeft(fixed engine.Fixed) error {
	for _, f := range fixed.After.Findings {
		if f.Fixable {
			return fmt.Errorf("%s of %q is still fixable", f.Rule, f.Container)
		}
	}
	return nil
}

var weights = map[string]int{engine.SeverityInfo: 1, engine.SeverityWarning: 2, engine.SeverityError: 3}

func nothingNew(before, after engine.Result) error {
	worst := map[string]int{}
	for _, f := range append(before.Findings, before.Exempted...) {
		key := f.Rule + " of " + f.Container
		worst[key] = max(worst[key], weights[f.Severity])
	}
	for _, f := range after.Findings {
		// An info is no harm: another collector brings those that speak of its own threads.
		if key := f.Rule + " of " + f.Container; weights[f.Severity] > max(weights[engine.SeverityInfo], worst[key]) {
			return fmt.Errorf("%s, %s, is new: %s", key, f.Severity, f.Message)
		}
	}
	return nil
}

// nothingElse: every place that differs is, or lies below, one that was recorded, and only
// fields that fixes are about are among them.
func nothingElse(before, after map[string]any, record []engine.Applied) error {
	for _, path := range differences("", before, after) {
		known := false
		for _, a := range record {
			known = known || path == a.Path || strings.HasPrefix(a.Path, path+"/") || strings.HasPrefix(path, a.Path+"/") ||
				sameWords(path, a.Path) // what is put in front of a word moves it on
		}
		if !known {
			return fmt.Errorf("%s was changed, and nothing recorded", path)
		}
		if !intended(path) {
			return fmt.Errorf("%s is no field of a fix", path)
		}
	}
	return nil
}

// sameWords says that two paths lead to words of one command.
func sameWords(path, other string) bool {
	list, word := pathpkg.Split(path)
	otherList, _ := pathpkg.Split(other)
	_, err := strconv.Atoi(word)
	return err == nil && list == otherList && (strings.HasSuffix(list, "/command/") || strings.HasSuffix(list, "/args/"))
}

func intended(path string) bool {
	for _, part := range []string{"/resources", "/env", "/annotations", "/command/", "/args/"} {
		if strings.Contains(path, part) {
			return true
		}
	}
	// A template without metadata gets some for its annotation.
	return strings.HasSuffix(path, "/template/metadata")
}

// differences lists the places in which two objects differ, as deep as they can be named.
func differences(path string, before, after any) []string {
	var list []string
	switch a := after.(type) {
	case map[string]any:
		b, ok := before.(map[string]any)
		if !ok {
			break
		}
		for key, value := range a {
			at := path + "/" + jsonpointer.Escape(key)
			if was, there := b[key]; there {
				list = append(list, differences(at, was, value)...)
			} else {
				list = append(list, at)
			}
		}
		for key := range b {
			if _, there := a[key]; !there {
				list = append(list, path+"/"+jsonpointer.Escape(key))
			}
		}
		return list
	case []any:
		b, ok := before.([]any)
		if !ok || len(b) > len(a) {
			break
		}
		for i, value := range a {
			at := fmt.Sprintf("%s/%d", path, i)
			if i < len(b) {
				list = append(list, differences(at, b[i], value)...)
			} else {
				list = append(list, at)
			}
		}
		return list
	}
	x, _ := json.Marshal(before)
	y, _ := json.Marshal(after)
	if !bytes.Equal(x, y) {
		list = append(list, path)
	}
	return list
}

// objects reads every document below a folder; those of one file stand beside each other.
func objects(tb testing.TB, folder, pattern string) []given {
	tb.Helper()
	lists := map[string]string{
		"Namespace": "namespaces", "LimitRange": "limit_ranges", "ResourceQuota": "resource_quotas", "ConfigMap": "config_maps",
	}
	var found []given
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ok, _ := filepath.Match(pattern, entry.Name()); !ok {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		around := map[string][]map[string]any{}
		first := len(found)
		decoder := goyaml.NewDecoder(bytes.NewReader(text))
		for i := 0; ; i++ {
			var document any
			if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			one, err := goyaml.Marshal(document)
			if err != nil {
				return err
			}
			converted, err := yaml.YAMLToJSON(one)
			if err != nil {
				return err
			}
			object, err := decode(converted)
			if err != nil || object == nil || object["kind"] == "CustomResourceDefinition" {
				continue
			}
			if list, ok := lists[fmt.Sprint(object["kind"])]; ok {
				around[list] = append(around[list], object)
			}
			relative, _ := filepath.Rel(folder, path)
			found = append(found, given{name: fmt.Sprintf("%s#%d", relative, i), object: object, around: around})
		}
		for i := first; i < len(found); i++ {
			found[i].around = around
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	if len(found) == 0 {
		tb.Fatalf("nothing in %s", folder)
	}
	return found
}
