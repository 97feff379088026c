package baseline

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// hostile names: what a manifest may hold in a name, and what YAML reads as something else.
var hostile = []string{
	"cart", "123", "1e3", "0x1f", "true", "No", "null", "~", "-", "", "a: b", "a, b", "{x}", "#c", "a #b", "'q'", `"q"`,
	"a\nb", "é", "\u2028", "2026-11-21", "*a", "&a", "!b", "%c", "a:b", "a.b", ".inf", "y", "@a", "`a`", "a\\b", "a\tb", "<a>",
	"=", "<<", "a:", " a ", "?", "inf", "0o17", "1_000", "\U0001F600", "\u0085", "\u007f", "\ufeff", "\uffff", "a\r\nb",
}

func TestRoundTrip(t *testing.T) {
	b := &Baseline{Covers: Scope{"path:deploy", "helm-chart:charts/a b"}}
	for i, name := range hostile {
		b.Entries = append(b.Entries, Entry{
			Key: Key{
				Workload:  Workload{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: name},
				Container: hostile[len(hostile)-1-i], Rule: "HR202",
			},
			Severity: "error", Count: 1 + i%3, Reason: name, Sizes: []float64{0.5, 75, 1e6}[:i%3],
		})
	}
	for _, file := range []string{"known.yaml", "known.json"} {
		text, err := Encode(file, b)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(file, text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, text)
		}
		if len(again.Entries) != len(b.Entries) || !reflect.DeepEqual(again.Covers, b.Covers) {
			t.Fatalf("%s: %d entries of %d, covers %q", file, len(again.Entries), len(b.Entries), again.Covers)
		}
		want := map[Key]Entry{}
		for _, e := range b.Entries {
			want[e.Key] = e
		}
		for _, e := range again.Entries {
			if e.Line == 0 {
				t.Errorf("%s: no line for %q", file, e.Workload.Name)
			}
			if e.Line = 0; len(e.Sizes) != len(want[e.Key].Sizes) || fmt.Sprint(e) != fmt.Sprint(want[e.Key]) {
				t.Errorf("%s: %+v came back", file, e)
			}
		}
		stable, err := Encode(file, again)
		if err != nil || string(stable) != string(text) {
			t.Errorf("%s: written again, it differs: %v\n%s\n%s", file, err, text, stable)
		}
	}
}

func TestOneLineAnEntry(t *testing.T) {
	b := Renew(nil, reported([]string{
		"error HR202 cart/app 2000", "error HR202 cart/app 500.5", "info HR413 api/", "warning HR303 cart/app 75",
	}), Scope{"path:deploy"})
	text, err := Encode("known.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	want := `schema: headroom.dev/baseline/v2
covers:
- path:deploy
findings:
- {kind: Deployment, group: apps, name: api, rule: HR413, severity: info}
- {kind: Deployment, group: apps, name: cart, container: app, rule: HR202, severity: error, count: "2", size: [500.5, 2000]}
- {kind: Deployment, group: apps, name: cart, container: app, rule: HR303, severity: warning, size: 75}
`
	want = strings.ReplaceAll(want, `"2"`, "2")
	if _, after, _ := strings.Cut(string(text), "March\"}\n"); after != want {
		t.Errorf("%s\nwant\n%s", after, want)
	}
}

func TestMistakes(t *testing.T) {
	const schema = "schema: headroom.dev/baseline/v1\n"
	for text, want := range map[string]string{
		"":                              "b.yaml:1: is empty",
		"a: [":                          "b.yaml:1: is not valid YAML",
		"findings: []\n":                "b.yaml:1: schema is missing",
		"schema: headroom.dev/v2\n":     `b.yaml:1: schema is "headroom.dev/v2"`,
		schema + "finding: []\n":        `b.yaml:2: unknown key "finding"`,
		schema + "findings: {}\n":       "b.yaml:2: findings is a list",
		schema + "---\n" + schema:       "b.yaml:2: has more than one document",
		schema + "findings:\n- HR202\n": "b.yaml:3: a finding has fields",
		schema + "findings:\n- {kind: Pod, name: a, rule: HR202, severity: error, count: 0}\n":                    "b.yaml:3: count is",
		schema + "findings:\n- {kind: Pod, name: a, rule: HR202, severity: error, size: [1, 2]}\n":                "b.yaml:3: there are 2 sizes",
		schema + "findings:\n- {kind: Pod, name: a, rule: HR202, severity: error, size: much}\n":                  "b.yaml:3: size is",
		schema + "findings:\n- {kind: Pod, name: a, rule: HR202, severity: error, size: .nan}\n":                  "b.yaml:3: size is",
		schema + "findings:\n- {kind: Pod, name: a, rule: HR202, severity: error, size: {a: 1}}\n":                "b.yaml:3: size is",
		schema + "findings:\n- {kind: Pod, name: a, rule: HR202, severity: high}\n":                               "b.yaml:3: severity is",
		schema + "findings:\n- {kind: Pod, name: a, rule: latency, severity: error}\n":                            "b.yaml:3: rule is",
		schema + "findings:\n- {name: a, rule: HR202, severity: error}\n":                                         "b.yaml:3: kind is missing",
		schema + "findings:\n- {kind: Pod, name: 12, rule: HR202, severity: error}\n":                             "b.yaml:3: name should be text",
		schema + "findings:\n- {kind: Pod, kind: Pod, name: a, rule: HR202, severity: error}\n":                   "b.yaml:3: kind is there twice",
		schema + "findings:\n- &a {kind: Pod, name: a, rule: HR202, severity: error}\n- *a\n":                     "b.yaml:4: the same as line 3",
		schema + "findings:\n" + strings.Repeat("- {kind: Pod, rule: HR202, severity: error}\n", 2):               "b.yaml:4: the same as line 3",
		schema + "findings:\n- {kind: Pod, file: a.yaml, name: a, rule: HR202, severity: error}\n":                `b.yaml:3: unknown key "file"`,
		`{"schema": "headroom.dev/baseline/v1", "findings": [{"kind": "Pod", "rule": "x", "severity": "error"}]}`: "b.yaml:1: rule is",
	} {
		if _, err := Parse("b.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s…", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.yaml")); err == nil || !strings.Contains(err.Error(), "none.yaml: cannot be read") {
		t.Error(err)
	}
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxBytes+1); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(large); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Error(err)
	}
}
