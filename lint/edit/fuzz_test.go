package edit_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// FuzzApply: whatever the text, an edit is done as meant or refused, and never a panic.
func FuzzApply(f *testing.F) {
	for _, text := range []string{
		"a:\n  b: 1 # c\n- d\n", "a: {b: [1, {c: d}], e: }\n", "a: &x\n  b: 1\nc: *x\n", "a: |\n  b\n c: >-\n",
		"? a\n: b\n", "{\"a\": {\"b\": \"c\"}}", "a: !!str 1\nb: ! x\n", "\ufeffa: 'b'\r\nc: \"d\"\r\n",
		"- - a\n  - b: c\n", "a:\n- b: 1\n\n  c: 2\n- {}\n", "%YAML 1.1\n--- a: 1\n...\nb: 2\n",
		"a: b\n  c\nd: \"e\n  f\"\n", "a:   # x\n  b:\n\n  # y\n  c: []\n", "<<: {a: 1}\nb: 1\n",
	} {
		for op := range uint8(4) {
			f.Add([]byte(text), uint16(1), op, "2")
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, place uint16, op uint8, value string) {
		if len(text) > 1<<12 || strings.ToValidUTF8(value, "") != value {
			return
		}
		items := source.Parse("", text, source.Options{})
		if items[0].Document == nil {
			_, err := edit.Apply(text, 0, []engine.Operation{{Op: "add", Path: "/a", Value: value}})
			if err == nil {
				t.Fatal("edited what cannot be read")
			}
			return
		}
		places := slices.Sorted(maps.Keys(followers(items[0].Document.Object, "")))
		path := places[int(place)%len(places)]
		operation := engine.Operation{Op: []string{"replace", "remove", "add", "add"}[op%4], Path: path, Value: value}
		if op%4 >= 2 {
			operation.Path += []string{"/new", "/-"}[op%2]
		}
		if operation.Path == "" {
			return
		}
		before := string(text)
		after, err := edit.Apply(text, 0, []engine.Operation{operation})
		if string(text) != before {
			t.Fatal("the text given was changed")
		}
		if err != nil {
			if after != nil || errors.Is(err, edit.ErrUnsafe) && strings.Contains(err.Error(), "bug in headroom") {
				t.Fatalf("%v, %q", err, after)
			}
			return
		}
		if again := source.Parse("", after, source.Options{}); len(again) != len(items) {
			t.Fatalf("%d documents became %d", len(items), len(again))
		}
		if operation.Op == "remove" {
			operation.Value = nil
		}
		if problem := reads(after, items[0].Document, []engine.Operation{operation}); problem != "" {
			t.Fatalf("%s\n%+v\n%q\n%q", problem, operation, text, after)
		}
	})
}
