package edit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

func TestMain(m *testing.M) {
	search.Rapid(100, 20261121)
	os.Exit(m.Run())
}

// TestGenerated edits files that only a test would write. Without anchors and values over
// several lines, nothing may be refused but what needs a comment to be thrown away.
func TestGenerated(t *testing.T) {
	for _, hostile := range []bool{false, true} {
		t.Run(fmt.Sprintf("hostile %v", hostile), func(t *testing.T) {
			done, left := 0, map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				w := &writer{t: t, hostile: hostile}
				text := []byte(w.document())
				items := source.Parse("", text, source.Options{})
				if items[0].Problem != nil || items[0].Document == nil {
					t.Skipf("%v", items[0].Problem)
				}
				ops := anyPatch(t, items[0].Document.Object)
				after, err := edit.Apply(text, 0, ops)
				if errors.Is(err, edit.ErrUnsafe) {
					reason := err.Error()[strings.Index(err.Error(), ": ")+2:]
					left[reason]++
					// A comment or blank line behind what goes can become part of a | value above.
					swallowed := hostile && ops[0].Op == "remove" && strings.Contains(reason, "read as meant")
					if !expected(reason, hostile) && !swallowed {
						t.Fatalf("%v\n%+v\n%s", err, ops, visible(string(text)))
					}
					return
				}
				if err != nil {
					t.Fatalf("%v\n%+v\n%s", err, ops, visible(string(text)))
				}
				done++
				if problem := hold(text, after, items[0].Document, ops); problem != "" {
					t.Fatalf("%s\n%+v\nbefore\n%s\nafter\n%s", problem, ops, visible(string(text)), visible(string(after)))
				}
			})
			t.Logf("%d edited, left alone: %v", done, left)
		})
	}
}

// expected says whether an edit may be refused for a reason.
func expected(reason string, hostile bool) bool {
	reasons := []string{"comment", "template", "not written here as it reads"}
	if hostile {
		reasons = append(reasons, "alias", "anchor", "several lines", "without a newline")
	}
	return slices.ContainsFunc(reasons, func(known string) bool { return strings.Contains(reason, known) })
}

// hold says which promise an edit of one operation breaks; "" for none.
func hold(before, after []byte, document *source.Document, ops []engine.Operation) string {
	if problem := reads(after, document, ops); problem != "" {
		return problem
	}
	if ops[0].Op == "replace" && len(ops) == 1 {
		again, err := edit.Apply(after, 0, ops)
		if err != nil {
			return "a second time: " + err.Error()
		}
		if string(again) != string(after) {
			return "a second time is not the same:\n" + visible(string(again))
		}
	}
	return onlyTarget(before, after, document, ops)
}

// reads compares the first document with what a JSON patch makes of the one before.
func reads(after []byte, document *source.Document, ops []engine.Operation) string {
	items := source.Parse("", after, source.Options{})
	if items[0].Problem != nil || items[0].Document == nil {
		return fmt.Sprint("cannot be read: ", items[0].Problem)
	}
	patch, _ := json.Marshal(withNulls(ops))
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return err.Error()
	}
	object, _ := json.Marshal(document.Object)
	object, err = decoded.Apply(object)
	if err != nil {
		return err.Error()
	}
	got, _ := json.Marshal(items[0].Document.Object)
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal(object, &b) != nil || !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("reads as %s, not as %s", got, object)
	}
	return ""
}

func withNulls(ops []engine.Operation) []map[string]any {
	var all []map[string]any
	for _, op := range ops {
		all = append(all, map[string]any{"op": op.Op, "path": op.Path, "value": op.Value})
	}
	return all
}

// anyPatch draws an operation, or two, that fit an object.
func anyPatch(t *rapid.T, object map[string]any) []engine.Operation {
	places := slices.Sorted(maps.Keys(followers(object, "")))
	path := rapid.SampledFrom(places).Draw(t, "path")
	values := rapid.SampledFrom([]any{
		"2", "500m", "a: b", "yes", "-Xmx1g", nil, true, json.Number("1"), json.Number("0.5"), "2026-01-01", "x\ny", "é", "",
		map[string]any{},
		[]any{},
		map[string]any{"cpu": "1", "name": "x"},
		[]any{"a", map[string]any{"name": "b", "c": []any{"d"}}},
	})
	value := values.Draw(t, "value")
	switch kind := rapid.IntRange(0, 3).Draw(t, "op"); {
	case path == "" || kind == 0:
		key := rapid.SampledFrom([]string{"new", "cpu", "a~1b"}).Draw(t, "key")
		op := engine.Operation{Op: "add", Path: path + "/" + key, Value: value}
		if at := lookUp(object, path); at != nil {
			switch at := at.(type) {
			case []any:
				op.Path = path + "/" + rapid.SampledFrom([]string{"-", "0", strconv.Itoa(len(at))}).Draw(t, "index")
			case map[string]any:
			default:
				return []engine.Operation{{Op: "replace", Path: path, Value: value}}
			}
			return []engine.Operation{op}
		}
		return []engine.Operation{{Op: "replace", Path: path, Value: value}}
	case kind == 1:
		return []engine.Operation{{Op: "remove", Path: path}}
	}
	return []engine.Operation{{Op: "replace", Path: path, Value: value}}
}
