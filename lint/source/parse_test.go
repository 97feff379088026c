package source

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"
)

func pod(name string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n"
}

// TestParse gives for each text what becomes of its documents.
func TestParse(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"one", pod("a"), "f:1: Pod"},
		{"many", "---\n" + pod("a") + "---\n" + pod("b") + "--- # c\n" + pod("c"), "f:2: Pod|f:7: Pod|f:12: Pod"},
		{"bare after end", pod("a") + "...\n" + pod("b"), "f:1: Pod|f:6: Pod"},
		{"comment first", "# c\n---\n" + pod("a"), "f:3: Pod"},
		{"empty", "", "f:1: skipped: an empty document"},
		{"only comments", "# c\n\n", "f:1: skipped: an empty document"},
		{
			"empty between", pod("a") + "---\n---\n" + pod("b") + "---\n",
			"f:1: Pod|f:5: skipped: an empty document|f:7: Pod|f:11: skipped: an empty document",
		},
		{"list", "- a\n- b\n", "f:1: skipped: a list at the top, not a Kubernetes object"},
		{"scalar", "hello\n", "f:1: skipped: a single value, not a Kubernetes object"},
		{"no kind", "apiVersion: v2\nname: x\n", "f:1: skipped: not a Kubernetes object: no kind"},
		{"no version", "kind: x\n", "f:1: skipped: not a Kubernetes object: no apiVersion"},
		{"neither", "a: 1\n", "f:1: skipped: not a Kubernetes object: no apiVersion and no kind"},
		{"kind is a number", "apiVersion: v1\nkind: 1\n", "f:1: skipped: not a Kubernetes object: no kind"},
		{
			"kustomization", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
			"f:1: skipped: a kustomization; render it with --kustomize",
		},
		{
			"broken in the middle", pod("a") + "---\nkind: Pod\n  x: 1\n---\n" + pod("b"),
			"f:1: Pod|f:7: broken YAML: mapping values are not allowed in this context; " +
				"a second colon on this line, or one that is indented too far; quote the value if it holds a " +
				"colon|f:9: Pod",
		},
		{
			"bad indentation", "a:\n  b:\n    - 1\n   c: 2\n",
			"f:4: broken YAML: did not find expected key; is this line indented like its neighbours?",
		},
		{"tab", "a:\n\tb: 1\n", "f:2: broken YAML: found character that cannot start any token; a tab indents " +
			"this line, and YAML takes blanks only"},
		{"unclosed", "a: 1\nb: [1,\n  2\n", "f:3: broken YAML: did not find expected ',' or ']'; is a bracket, [ or {, not closed, here or above?"},
		{"template of another tool", "a: 1\nb: {{ .Values.x }}\n", "f:1: skipped: a template, not a Kubernetes object"},
		{"template of Terraform", "a: ${b}\n\n%{ if c }\nd:\n  e: 1\n%{ endif }", "f:1: skipped: a template, not a Kubernetes object"},
		{"template of Jinja", "{% if c %}\nd: 1\n{%- endif %}\n", "f:1: skipped: a template, not a Kubernetes object"},
		{"template of an object by Terraform", "apiVersion: v1\n%{ if c }\nd: 1\n%{ endif }\n", "f:2: broken YAML: could not find " +
			"expected directive name; this looks like a template of Jinja or Terraform: render it first"},
		{"template of an object by Jinja", "kind: Pod\nspec:\n{% if c %}\n  d: 1\n{% endif %}\n", "f:3: broken YAML: found character that " +
			"cannot start any token; this looks like a template of Jinja or Terraform: render it first"},
		{"no comma", "args: [\"a\" \"b\"]\n", "f:1: broken YAML: did not find expected ',' or ']'; is a comma missing, or do quotes belong around a value?"},
		{"one document behind a value", "\"a\" b\n", "f:1: broken YAML: did not find expected <document start>"},
		{"brackets in quotes", "a: '['\nb: {\"[\": 1 2: # [\n}\n", "f:2: broken YAML: did not find expected ',' or '}'; is a comma missing, or do quotes belong around a value?"},
		{"template behind a condition", "{{- if .Values.a -}}apiVersion: v1\nb: {{ .x }}\n{{- end }}\n", "f:1: broken YAML: did not find " +
			"expected node content; this looks like a template, and a Helm chart is rendered with --helm-chart"},
		{"template in braces", "{\"apiVersion\": \"v1\", \"a\": {{ a }}}\n", "f:1: a key is a list or a map; Kubernetes takes " +
			"strings only; this looks like a template, and a Helm chart is rendered with --helm-chart"},
		{"template with a comment", "# apiVersion: v1\nb: {{ .Values.x }}\n", "f:1: skipped: a template, not a Kubernetes object"},
		{"template of an unknown object", "a: 1\n{{- include \"x\" . }}\n", "f:2: broken YAML: could not find expected ':'; " +
			"a key without a colon, here or on the line above; this looks like a template, and a Helm chart is rendered with --helm-chart"},
		{"template", "apiVersion: v1\nb: {{ .Values.x }}\n", "f:2: a key is a list or a map; Kubernetes takes strings only; " +
			"this looks like a template, and a Helm chart is rendered with --helm-chart"},
		{"duplicate", pod("a") + "b:\n  c: 1\n  d: 2\n  c: 3\n", `f:8: key "c" is given twice, first 2 lines above` + byLast},
		{
			"duplicate with anchors", pod("a") + "x: &x 1\nb:\n  c: *x\n  c: 3\n",
			`f:8: key "c" is given twice, first on the line above` + byLast,
		},
		{
			"duplicate of many", pod("a") + "x: &x 1\n" + manyKeys(40) + "k3: 1\nk4: 1\nk4: 1\n",
			`f:46: key "k3" is given twice, first 37 lines above (so are 2 more)` + byLast,
		},
		{"duplicate in braces", pod("a") + "a: {b: 1, b: 2}\n", `f:5: key "b" is given twice on this line` + byLast},
		{"duplicate elsewhere", "a: 1\na: 2\n", "f:1: skipped: not a Kubernetes object: no apiVersion and no kind"},
		{"duplicate as text", "1: a\n\"1\": b\n", `f:2: key "1" is given twice, first on the line above`},
		{"merge overridden", "apiVersion: v1\nkind: Pod\n<<: {kind: x}\n", "f:1: x"},
		{"unknown alias", "a: 1\nb: *nothing\n", "f:2: alias *nothing has no anchor in front of it"},
		{"cycle", "a: &a\n  b: 1\n  c: *a\n", `f:3: anchor "a" contains itself`},
		{"infinite", "a: 1\nb: .inf\n", "f:2: a number here is infinite or not a number, which JSON cannot hold"},
		{"wrong tag", "a: !!int secret\n", "f:1: the value is not what its tag !!int says it is"},
		{"null key", "a: 1\n~: 1\n", "f:2: a key is empty (null) or too large a number; Kubernetes takes strings only"},
		{"map as key", "a: 1\n? {b: 1}\n: 2\n", "f:2: a key is a list or a map; Kubernetes takes strings only"},
		{"merge of nothing", "a: 1\n<<: 2\n", "f:2: a merge key (<<) wants a map or a list of maps"},
		{
			"NUL", pod("a") + "---\na: 1\nb: \"\x00\"\n---\n" + pod("b"),
			"f:1: Pod|f:7: a NUL byte in the text; is this a binary file?|f:9: Pod",
		},
		{"control", "a: 1\nb: \x07\n", "f:2: control character 0x07 in the text, which YAML does not allow"},
		{"C1 control", "a: 1\nb: \u0084\n", "f:2: control character 0x84 in the text, which YAML does not allow"},
		{"not UTF-8", pod("a") + "---\na: 1\nb: \xe9t\xe9\n", "f:1: Pod|f:7: not UTF-8: byte 0xe9 in the text"},
		{"JSON in YAML", `{"apiVersion": "v1", "kind": "Pod"}`, "f:1: Pod"},
		{"JSON after JSON", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\n{\"apiVersion\": \"v1\", \"kind\": " +
			"\"Node\"}", "f:1: Pod|f:2: Node"},
	} {
		if got := describe(Parse("f", []byte(test.text), Options{})); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

func TestParseJSON(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"object", `{"apiVersion": "v1", "kind": "Pod"}`, "f.json:1: Pod"},
		{"empty", " ", "f.json:1: skipped: an empty document"},
		{"list", "[1]", "f.json:1: skipped: a list at the top, not a Kubernetes object"},
		{
			"duplicate", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n\"kind\": \"Node\"}",
			`f.json:2: key "kind" is given twice, first on the line above` + byLast,
		},
		{"comma", "{\"a\": 1,\n}", "f.json:2: broken JSON: invalid character '}'"},
		{"cut off", "{\"a\": [1,\n2", "f.json:2: broken JSON: the text ends in the middle of a value"},
		{"template", `{{ $x := 1 }}[{{ $x }}]`, "f.json:1: skipped: a template, not a Kubernetes object"},
		{"template of an object", `{{ if .x }}{"apiVersion": "v1"}{{ end }}`, "f.json:1: broken JSON"},
		{"YAML", "a: 1", "f.json:1: broken JSON: invalid character 'a' looking for beginning of value"},
		{"huge number", "{\"a\": 1e999}", "f.json:1: a number is out of range"},
		{
			"second broken", "{\"apiVersion\": \"v1\", \"kind\": \"Pod\"}\n{]",
			"f.json:1: Pod|f.json:2: broken JSON: invalid character ']'",
		},
	} {
		got := describe(Parse("f.json", []byte(test.text), Options{}))
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

const byLast = ": only the last counts, as for kubectl"

// The last value of a key holds, and its line is the one that is told.
func TestTheLastHolds(t *testing.T) {
	for name, text := range map[string]string{
		"f":      pod("a") + "spec:\n  hostname: a\n  subdomain: s\n  hostname: b\n",
		"f.json": "{\"apiVersion\": \"v1\",\n\"kind\": \"Pod\",\n\n\n\n\"spec\": {\"hostname\": \"a\",\n\n\"hostname\": \"b\"}}",
	} {
		item := Parse(name, []byte(text), Options{})[0]
		spec, _ := item.Document.Object["spec"].(map[string]any)
		if item.Problem == nil || item.Document.Twice == nil || item.Skipped != "" || spec["hostname"] != "b" {
			t.Errorf("%s: %v, %v", item, item.Document.Object, item.Document.Twice)
		}
		if line := item.Document.LineOf([]any{"spec", "hostname"}); line != 8 {
			t.Errorf("%s: line %d", name, line)
		}
	}
}

func describe(items []Item) string {
	var all []string
	for _, item := range items {
		all = append(all, item.String())
	}
	return strings.Join(all, "|")
}

func manyKeys(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	return b.String()
}

func TestUTF16(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		text := order.AppendUint16(nil, 0xfeff)
		for _, unit := range utf16.Encode([]rune(pod("caf\u00e9\U0001F600"))) {
			text = order.AppendUint16(text, unit)
		}
		items := Parse("f", text, Options{})
		if got := describe(items); got != "f:1: Pod" {
			t.Fatal(got)
		}
		if got := items[0].Document.Object["metadata"].(map[string]any)["name"]; got != "caf\u00e9\U0001F600" {
			t.Errorf("name is %q", got)
		}
		if got := describe(Parse("f", text[:len(text)-1],
			Options{})); got != "f:1: UTF-16 text with an odd number of bytes" {
			t.Error(got)
		}
	}
}

// TestHostileInput holds what must end in an error rather than in exhaustion.
func TestHostileInput(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, c-1, c-1, c-1, c-1, c-1,
			c-1, c-1, c-1, c-1)
	}
	merges := "a: &a {x: 1}\n"
	for c := 'b'; c < 'z'; c++ {
		merges += fmt.Sprintf("%c: &%c {<<: [*%c, *%c, *%c]}\n", c, c, c-1, c-1, c-1)
	}
	for _, test := range []struct{ name, text, want string }{
		{"alias bomb", bomb, "aliases expand to too much"},
		{"merge bomb", merges, "aliases expand to too much"},
		{"deep flow", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nested more than 1000 levels deep"},
		{"deep block", deepBlock(2000), "nested more than 1000 levels deep"},
		{"deeper than the library allows", strings.Repeat("[", 200_000), "broken YAML: "},
		{"deep JSON", strings.Repeat(`{"a":`, 200_000) + "1" + strings.Repeat("}", 200_000), "broken YAML: "},
	} {
		items := Parse("f", []byte(test.text), Options{})
		if len(items) != 1 || items[0].Problem == nil || !strings.Contains(items[0].Problem.Error(), test.want) {
			t.Errorf("%s: %.200v, want %q", test.name, items, test.want)
		}
	}
	items := Parse("f.json", []byte(strings.Repeat(`{"a":`, 200_000)), Options{})
	if got := describe(items); got != "f.json:1: nested more than 1000 levels deep" {
		t.Error(got)
	}
}

func deepBlock(levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

func TestTooManyDocuments(t *testing.T) {
	got := describe(Parse("f", []byte(strings.Repeat("---\n"+pod("a"), 4)), Options{MaxDocuments: 3}))
	if want := "f:2: Pod|f:7: Pod|f:12: Pod|f:16: more than 3 documents in one file"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	text := strings.Repeat(`{"apiVersion":"v1","kind":"Pod"}`+"\n", 4)
	got = describe(Parse("f.json", []byte(text), Options{MaxDocuments: 3}))
	if want := "f.json:1: Pod|f.json:2: Pod|f.json:3: Pod|f.json:4: more than 3 documents in one file"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestCausesQuoteNoValues plants a secret where reading fails.
func TestCausesQuoteNoValues(t *testing.T) {
	for _, text := range []string{
		"a: !!int hunter2\n", "a: !!binary hunter2!\n", "password: hunter2\n  b: 1\n", "a: \"hunter2\n",
		"a: [hunter2\n",
		"a: \"\\hunter2\"\n", "a: hunter2: b\n", "hunter2\nb: 1\n", "? [hunter2]\n: 1\n", "a: @hunter2\n",
		"a: !!float hunter2\n",
		"{\"a\": !!int hunter2}\n",
	} {
		for _, file := range []string{"f.yaml", "f.json"} {
			if got := describe(Parse(file, []byte(text), Options{})); strings.Contains(got, "hunter2") ||
				strings.Contains(got, "skipped") {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}
