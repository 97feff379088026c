package source

import (
	"fmt"
	"strings"
	"testing"
)

// oneDocument parses text that holds one object.
func oneDocument(t testing.TB, file, text string) *Document {
	t.Helper()
	items := Parse(file, []byte(text), Options{})
	if len(items) != 1 || items[0].Document == nil {
		t.Fatalf("want one document, got %v", items)
	}
	return items[0].Document
}

const anchored = `# a comment
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
x-resources: &resources
  limits: &limits
    cpu: 500m          # line 8
    memory: 1Gi
x-base: &base
  image: eclipse-temurin:17
  resources: *resources
  env:
  - name: A            # line 14
    value: "1"
spec:
  template:
    spec:
      containers:
      - <<: *base      # line 20
        name: main
      - name: second
        <<: [{image: other}, *base]
        resources:
          <<: {limits: {cpu: 1}}
          limits:
            <<: *limits
            memory: 2Gi  # line 28
      -
        name: third    # line 30
        resources: {limits: {cpu: 1,
          memory: 3Gi}}
      - *base
`

func TestLineOf(t *testing.T) {
	containers := "/spec/template/spec/containers"
	for _, test := range []struct {
		pointer string
		want    int
	}{
		{"", 2},
		{"/kind", 3},
		{"/metadata/name", 5},
		{"/metadata/annotations/headroom.dev~1workload-class", 4}, // absent: its ancestor
		{"/nothing/at/all", 2},
		{containers, 19},
		{containers + "/0", 20},
		{containers + "/0/name", 21},
		{containers + "/0/image", 11},
		{containers + "/0/resources", 12}, // the text of the alias
		{containers + "/0/resources/limits", 7},
		{containers + "/0/resources/limits/cpu", 8},
		{containers + "/0/resources/requests/cpu", 12},
		{containers + "/0/env/0/name", 14},
		{containers + "/0/env/0/value", 15},
		{containers + "/0/env/1/value", 13},
		{containers + "/1/image", 23},     // the first map of a merge list wins
		{containers + "/1/resources", 24}, // a key below the merge overrides it
		{containers + "/1/resources/limits", 26},
		{containers + "/1/resources/limits/cpu", 8},
		{containers + "/1/resources/limits/memory", 28},
		{containers + "/2", 30},
		{containers + "/2/resources/limits/cpu", 31},
		{containers + "/2/resources/limits/memory", 32},
		{containers + "/3", 33},
		{containers + "/3/image", 11},
		{containers + "/4/image", 19},
		{containers + "/x", 19},
		{containers + "/-1", 19},
	} {
		document := oneDocument(t, "a.yaml", anchored)
		if got := document.LineOfPointer(test.pointer); got != test.want {
			t.Errorf("line of %q = %d, want %d", test.pointer, got, test.want)
		}
	}
}

func TestLineOfTakesIndexesOfAnyKind(t *testing.T) {
	document := oneDocument(t, "a.yaml", anchored)
	for _, index := range []any{2, int64(2), 2.0, "2"} {
		path := []any{"spec", "template", "spec", "containers", index, "name"}
		if got := document.LineOf(path); got != 30 {
			t.Errorf("with index %T: line %d, want 30", index, got)
		}
	}
	if got := document.LineOf([]any{"spec", "template", 7}); got != 17 {
		t.Errorf("a number in a map: line %d, want 17", got)
	}
}

// TestLineOfEveryField puts a unique value into every field and looks each up.
func TestLineOfEveryField(t *testing.T) {
	for name, data := range manifestFiles(t) {
		lines := strings.Split(string(data), "\n")
		for _, item := range Parse(name, data, Options{}) {
			if item.Skipped == reasonEmpty {
				continue
			}
			if item.Document == nil {
				t.Fatalf("%v", item)
			}
			eachField(item.Document.Object, nil, func(path []any) {
				line := item.Document.LineOf(path)
				text := strings.TrimLeft(lines[line-1], " -")
				key := fmt.Sprint(path[len(path)-1])
				found := strings.HasPrefix(strings.TrimLeft(text, `"'`), key)
				if strings.Contains(text, "{") { // in flow style keys share a line
					found = strings.Contains(text, key)
				}
				if _, isIndex := path[len(path)-1].(int); !isIndex && !found {
					t.Errorf("%s:%d: %q is not where %v stands", name, line, text, path)
				}
			})
		}
	}
}

func eachField(value any, path []any, visit func([]any)) {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			next := append(path[:len(path):len(path)], key)
			visit(next)
			eachField(below, next, visit)
		}
	case []any:
		for i, below := range value {
			next := append(path[:len(path):len(path)], i)
			visit(next)
			eachField(below, next, visit)
		}
	}
}

func TestLinesInJSON(t *testing.T) {
	text := "\n{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"List\",\n  \"items\": [\n    {\"kind\": \"Pod\",\n" +
		"     \"spec\": {\"containers\": [{\"name\": \"a\"},\n       {\"name\":\n \"b\"}]}}\n  ]\n}\n"
	for _, file := range []string{"a.json", "stdin", "a.yaml"} {
		document := oneDocument(t, file, text)
		for pointer, want := range map[string]int{
			"": 2, "/kind": 4, "/items": 5, "/items/0": 6, "/items/0/spec/containers/0/name": 7,
			"/items/0/spec/containers/1/name": 8, "/items/1": 5,
		} {
			if got := document.LineOfPointer(pointer); got != want {
				t.Errorf("%s: line of %q = %d, want %d", file, pointer, got, want)
			}
		}
	}
}

// TestLinesAreThoseOfEditors covers the line ends that YAML knows and editors
// do not, and the other way round.
func TestLinesAreThoseOfEditors(t *testing.T) {
	for name, text := range map[string]string{
		"CRLF":        "# c\r\napiVersion: v1\r\nkind: Pod\r\nspec:\r\n  x: 1\r\n",
		"CR":          "# c\rapiVersion: v1\rkind: Pod\rspec:\r  x: 1\r",
		"NEL":         "# \u0085\napiVersion: \"\u0085\"\nkind: Pod\nspec:\n  x: 1\n",
		"LS and PS":   "# \u2028\u2029\napiVersion: \"a\u2028b\"\nkind: Pod\nspec:\n  x: 1\n",
		"UTF-8 BOM":   "\ufeff# c\napiVersion: v1\nkind: Pod\nspec:\n  x: 1\n",
		"before ---":  "# c\n---\napiVersion: v1\nkind: Pod\nspec: {x: 1}",
		"directive":   "%YAML 1.1\n---\napiVersion: v1\nkind: Pod\nspec: {x: 1}",
		"block style": "# c\napiVersion: v1\nkind: |\n  Pod\nspec: {x: 1}",
	} {
		document := oneDocument(t, "a.yaml", text)
		if got := document.LineOfPointer("/spec/x"); got != 5 {
			t.Errorf("%s: line %d, want 5", name, got)
		}
	}
}

// TestLinesOfItems asks for each item of long Lists: that takes milliseconds, and took minutes when the items were counted
// anew for each.
func TestLinesOfItems(t *testing.T) {
	const count, apart = 300_000, 2 * apartBytes / len("- a: 1\n") // the second is read item by item
	yaml := "kind: List\napiVersion: v1\nitems:\n" + strings.Repeat("- a: 1\n", apart) + "b: 1\n"
	json := `{"kind": "List", "apiVersion": "v1", "items": [` + "\n" + strings.Repeat("{},\n", count-1) + "{}],\n" + `"b": 1}`
	for _, c := range []struct {
		file, text          string
		first, count, after int
	}{{"list.yaml", yaml, 4, apart, apart + 4}, {"list.json", json, 2, count, count + 2}} {
		items := Parse(c.file, []byte(c.text), Options{MaxFileBytes: 1 << 30})
		if len(items) != 1 || items[0].Document == nil {
			t.Fatalf("want one document, got %v", items)
		}
		document := items[0].Document
		for i := range c.count {
			if line := document.LineOf([]any{"items", i}); line != c.first+i {
				t.Fatalf("%s: item %d stands on line %d, and not %d", c.file, i, line, c.first+i)
			}
		}
		if line := document.LineOf([]any{"items", c.count}); line != document.LineOf([]any{"items"}) {
			t.Errorf("%s: an item too many stands on line %d", c.file, line)
		}
		if line := document.LineOf([]any{"b"}); line != c.after {
			t.Errorf("%s: what follows the items stands on line %d, and not %d", c.file, line, c.after)
		}
	}
}
