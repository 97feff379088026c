package edit_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestRemoveAtTheEnd(t *testing.T) {
	const last = `{"op":"remove","path":"/a/c"}`
	check(t, []change{
		{"behind a block that takes newlines", "a:\n  b: |\n    x\n  c: 1", last, "a:\n  b: |\n    x\n"},
		{"behind a block that takes none", "a:\n  b: |-\n    x\n  c: 1", last, "a:\n  b: |-\n    x"},
		{"behind a map of such a block", "a:\n  b:\n    y:\n    - |\n     x\n  c: 1", last, "a:\n  b:\n    y:\n    - |\n     x\n"},
		{"behind a block, with a newline", "a:\n  b: |\n    x\n  c: 1\n", last, "a:\n  b: |\n    x\n"},
		{"behind braces", "a:\n  b: {x: y}\n  c: 1", last, "a:\n  b: {x: y}"},
		{"in front of a block", "a:\n  c: 1\n  b: |\n    x", last, "a:\n  b: |\n    x"},
		{"of one line", "c: 1", `{"op":"remove","path":"/c"}`, "{}"},
		{"of the first line", "c: 1\nb: 2", `{"op":"remove","path":"/c"}`, "b: 2"},
		{"the only one of the top", "# c\nc: 1 # d\n", `{"op":"remove","path":"/c"}`, "# c\n{} # d\n"},
		{"the only item, anchored", "l: &x # c\n- a\nz: 1\n", `{"op":"remove","path":"/l/0"}`, "l: &x [] # c\nz: 1\n"},
		{"the only one, anchored, over lines", "a:\n  &x\n  c: 1\nz: 1\n", last, "a:\n  &x {}\nz: 1\n"},
		{"behind a dash, blank lines follow", "l:\n-   a: 1\n\n    b: 2\n", `{"op":"remove","path":"/l/0/a"}`, "l:\n-   b: 2\n"},
		{"behind a wide dash, a comment follows", "l:\n-   a: 1\n    # b\n    b: 2\n", `{"op":"remove","path":"/l/0/a"}`, "l:\n-\n    # b\n    b: 2\n"},
		{"the middle one in braces", "a: {b: 1, c: 2, d: 3}\n", last, "a: {b: 1, d: 3}\n"},
		{"the last one in braces with a comma", "a: {b: 1, c: 2, }\n", last, "a: {b: 1, }\n"},
	})
	refused(t, "comment behind one in braces", "a: {c: 1 # d\n  , b: 1}\n", last, "line 1: a comment stands beside")
	refused(t, "comment in front of one in braces", "a: {b: 1, # d\n  c: 1}\n", last, "line 2: a comment stands beside")
	refused(t, "comment beside the only one in braces", "a: { # d\n  c: 1}\n", last, "line 2: a comment stands beside")
}

func TestReplaceAtPlaces(t *testing.T) {
	const set = `{"op":"replace","path":"/a/c","value":"x"}`
	const fill = `{"op":"replace","path":"/a/c","value":{"x":1}}`
	check(t, []change{
		{"a map with a hash in its key", "a:\n  c#:\n    d: 1\n", `{"op":"replace","path":"/a/c#","value":"x"}`, "a:\n  c#: x\n"},
		{"a map filled with a hash in its key", "a:\n  c#:\n    d: 1\n", `{"op":"replace","path":"/a/c#","value":{"x":1}}`, "a:\n  c#:\n    x: 1\n"},
		{"an anchor without a value", "a:\n  c: &x\n", set, "a:\n  c: &x x\n"},
		{"a list in a list", "l:\n- - a\n  - b\n", `{"op":"replace","path":"/l/0","value":"x"}`, "l:\n- x\n"},
		{"an item that is null", "l:\n-\n- b\n", `{"op":"replace","path":"/l/0","value":"x"}`, "l:\n- x\n- b\n"},
		{"null in braces", "a: {c: }\n", set, "a: {c: x }\n"},
		{"braces over a comment", "a:\n  c: {} # d\n", fill, "a:\n  c: # d\n    x: 1\n"},
		{"a value in the next line", "a:\n  c:\n    y\n", fill, "a:\n  c:\n    x: 1\n"},
	})
	refused(t, "a block without lines", "a:\n  c: |", set, "line 2: a value over several lines")
	refused(t, "a block with blank lines", "a:\n  c: |\n\n\n", set, "line 2: a value over several lines")
	refused(t, "a block of other text", "a:\n  c: |\n    y\n", set, "line 2: a value over several lines")
	refused(t, "the same without its end", "a:\n  c: |\n    yx\n", `{"op":"replace","path":"/a/c","value":"y"}`, "line 2: a value over several lines")
	refused(t, "a comment in a map", "a:\n  c: # d\n    e: 1\n", set, "line 3: comments stand inside")
	refused(t, "a comment in a map to be filled", "a:\n  c: # d\n    e: 1\n", fill, "line 3: comments stand inside")
	refused(t, "a comment in braces", "a: {c: {e: 1, # d\n  f: 1}}\n", set, "line 1: comments stand inside")
	refused(t, "a comment in empty braces", "a: {c: { # d\n  }}\n", `{"op":"add","path":"/a/c/x","value":1}`, "line 1: a comment stands inside of the braces")
	refused(t, "lines to be filled", "a:\n  c: |\n    x\n", fill, "line 2: a value over several lines")
	refused(t, "lines to become a number", "a:\n  c: |\n    x\n", `{"op":"replace","path":"/a/c","value":1}`, "line 2: a value over several lines")
	refused(t, "template in a second comment", "a:\n  c: 1 # {{ x\n  #{{ y\n", set, "line 3: a template")
	refused(t, "template behind braces", "a:\n  c: 1\nb: '{{'\n  # b {{ y\n", set, "line 4: a template")
	refused(t, "template as the kind", "kind: '{{ x'\na:\n  c: 1\n", set, "line 1: a template")
	refused(t, "template in the key", "a:\n  '{{c': 1\n", `{"op":"remove","path":"/a/{{c"}`, "line 2: a template")
	check(t, []change{
		{"metadata is a list", "metadata:\n- a\na:\n  c: 1\n", set, "metadata:\n- a\na:\n  c: x\n"},
		{"braces elsewhere", "b: '# {{ x'\na:\n  c: 1 # {{ y\n", set, "b: '# {{ x'\na:\n  c: x # {{ y\n"},
		{
			"the key of a merge in quotes", "m: &m {b: 1}\na:\n  <<: *m\n", `{"op":"add","path":"/a/<<","value":"x"}`,
			"m: &m {b: 1}\na:\n  <<: *m\n  \"<<\": x\n",
		},
	})
}

func TestMetadataInFrontOfSpec(t *testing.T) {
	const add = `{"op":"add","path":"/t/metadata","value":{"b":1}}`
	check(t, []change{
		{"spec first", "t:\n  spec: 1\n  z: 1\n", add, "t:\n  metadata:\n    b: 1\n  spec: 1\n  z: 1\n"},
		{"spec second", "t:\n  y: 1 # c\n  spec: 1\n", add, "t:\n  y: 1 # c\n  metadata:\n    b: 1\n  spec: 1\n"},
		{"no spec", "t:\n  y: 1\n", add, "t:\n  y: 1\n  metadata:\n    b: 1\n"},
		{"another key", "t:\n  y: 1\n  spec: 1\n", `{"op":"add","path":"/t/x","value":1}`, "t:\n  y: 1\n  spec: 1\n  x: 1\n"},
		{"spec at the top", "spec: 1\nz: 1\n", `{"op":"add","path":"/metadata","value":{"b":1}}`, "spec: 1\nz: 1\nmetadata:\n  b: 1\n"},
		{"an anchor", "t: &x\n  spec: 1\n", add, "t: &x\n  spec: 1\n  metadata:\n    b: 1\n"},
		{"an anchor in its line", "t:\n  &x\n  spec: 1\n", add, "t:\n  &x\n  spec: 1\n  metadata:\n    b: 1\n"},
		{"an item", "t:\n- spec: 1\n", `{"op":"add","path":"/t/0/metadata","value":1}`, "t:\n- spec: 1\n  metadata: 1\n"},
		{"an item below its dash", "t:\n-\n  spec: 1\n", `{"op":"add","path":"/t/0/metadata","value":1}`, "t:\n-\n  spec: 1\n  metadata: 1\n"},
	})
}

// A line that is new ends like that to which it is added, and the last one like that above.
func TestLineEnds(t *testing.T) {
	const first, last = `{"op":"add","path":"/a/x","value":1}`, `{"op":"add","path":"/x","value":1}`
	check(t, []change{
		{"of the line, mixed", "a:\r\n  b: 1\nc: 1\r", first, "a:\r\n  b: 1\n  x: 1\nc: 1\r"},
		{"of the line, mixed otherwise", "a:\n  b: 1\r\nc: 1\n", first, "a:\n  b: 1\r\n  x: 1\r\nc: 1\n"},
		{"of the line, old", "a:\n  b: 1\rc: 1\r\n", first, "a:\n  b: 1\r  x: 1\rc: 1\r\n"},
		{"of the line above, old", "a: 1\rb: 2", last, "a: 1\rb: 2\rx: 1"},
		{"of the line above, mixed", "a: 1\nb: 2\r\nc: 3", last, "a: 1\nb: 2\r\nc: 3\r\nx: 1"},
		{"of the line above, mixed otherwise", "a: 1\r\nb: 2\nc: 3", last, "a: 1\r\nb: 2\nc: 3\nx: 1"},
		{"of no line", "a: 1", last, "a: 1\nx: 1"},
		{"of an empty line above", "\na: 1", last, "\na: 1\nx: 1"},
		{"at the end", "a: 1\r\n", last, "a: 1\r\nx: 1\r\n"},
		{"old, at the end", "a: 1\r", last, "a: 1\rx: 1\r"},
		{"behind a byte order mark", "\ufeffa: 1\r\n", last, "\ufeffa: 1\r\nx: 1\r\n"},
	})
	refused(t, "line of an error", "a: 1\r\nb: 1\rc: &x 1\nd: *x\n", `{"op":"remove","path":"/c"}`, "line 3: ")
	refused(t, "line of an error behind a mark", "\ufeffa: &x 1\nd: *x\n", `{"op":"remove","path":"/a"}`, "line 1: ")
}

// Several operations of which one needs what another one makes.
func TestOperationsInOrder(t *testing.T) {
	check(t, []change{
		{"in what is new", "a: 1\n", `{"op":"add","path":"/b","value":{}},{"op":"add","path":"/b/c","value":1}`, "a: 1\nb:\n  c: 1\n"},
		{"the same twice", "a: 1\n", `{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/a","value":3}`, "a: 3\n"},
		{"below one that goes", "a:\n  b:\n    c: 1\n    d: 1\n  e: 1\n", `{"op":"replace","path":"/a/b/c","value":2},{"op":"remove","path":"/a/b"}`, "a:\n  e: 1\n"},
		{"above one that is new", "a:\n  b: 1\n", `{"op":"replace","path":"/a","value":{"c":{}}},{"op":"add","path":"/a/c/d","value":1}`, "a:\n  c:\n    d: 1\n"},
		{"names that begin alike", "a:\n  c: 1\nab:\n  c: 1\n", `{"op":"replace","path":"/ab/c","value":2},{"op":"replace","path":"/a/c","value":3}`, "a:\n  c: 3\nab:\n  c: 2\n"},
		{"from the end to the beginning", "a:\n  c: 1\nb:\n  c: 1\n", `{"op":"add","path":"/b/d","value":2},{"op":"add","path":"/a/d","value":3}`, "a:\n  c: 1\n  d: 3\nb:\n  c: 1\n  d: 2\n"},
		{"items that move", "l:\n- a\n- b\n- c\n", `{"op":"remove","path":"/l/0"},{"op":"remove","path":"/l/0"}`, "l:\n- c\n"},
		{"a short name", "l:\n- {a: {b: 1}}\n", `{"op":"replace","path":"/l/0/a","value":{"c":{}}},{"op":"add","path":"/l/0/a/c/d","value":1}`, "l:\n- {a: {c: {d: 1}}}\n"},
		{"the same value in a list again", "l:\n- a\n", `{"op":"add","path":"/l/0","value":"a"}`, "l:\n- a\n- a\n"},
		{"the value that a merge gives", "m: &m {b: 1}\na:\n  <<: *m\n", `{"op":"replace","path":"/a/b","value":1}`, "m: &m {b: 1}\na:\n  <<: *m\n"},
		{"over one of a merge that stands there", "m: &m {b: 1}\na:\n  <<: *m\n  b: 2\n", `{"op":"add","path":"/a/b","value":3}`, "m: &m {b: 1}\na:\n  <<: *m\n  b: 3\n"},
	})
}

func TestDocumentsOfFiles(t *testing.T) {
	text := "a: 1\n---\nb: 1\n---\nc: 1\n"
	patch := func(path string) []engine.Operation { return []engine.Operation{{Op: "replace", Path: path, Value: 2}} }
	out, errs := edit.ApplyAll([]byte(text), map[int][]engine.Operation{0: patch("/a"), 1: patch("/x"), 2: patch("/c"), 3: patch("/d"), -1: patch("/a")})
	if want := "a: 2\n---\nb: 1\n---\nc: 2\n"; string(out) != want {
		t.Errorf("%s", out)
	}
	if got := slices.Sorted(maps.Keys(errs)); !slices.Equal(got, []int{-1, 1, 3}) || errs[3].Error() != "the file has no such document" || errs[-1].Error() != errs[3].Error() {
		t.Errorf("%v", errs)
	}
	for text, want := range map[string]string{
		"a: 1\n---\n- b\n":        "line 2: the document is no object",
		"a: 1\n---\nb: 1\nb: 2\n": "line 4: ",
		"a: 1\n---\n\nb: !x 1\n":  "line 4: the value has a tag (!)",
		"a: 1\n---\n# {{\nb: 1\n": "line 3: a template",
	} {
		if _, err := edit.Apply([]byte(text), 1, patch("/b")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
	for _, op := range []engine.Operation{{Op: "move", Path: "/a"}, {Op: "remove", Path: "a"}, {Op: "remove"}} {
		if _, err := edit.Apply([]byte("a: 1\n"), 0, []engine.Operation{op}); err == nil || !strings.Contains(err.Error(), `"`) {
			t.Errorf("%v: %v", op, err)
		}
	}
}
