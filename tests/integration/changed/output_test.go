//go:build integration

package changed

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// jvm has fixable findings of all kinds: a line to take out, one to change, some to put in.
func jvm(name string) string {
	return strings.ReplaceAll(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: NAME
  annotations: {headroom.dev/workload-class: latency-sensitive}
spec:
  template:
    spec:
      containers:
        - name: app
          command: [java, -jar, a.jar]
          resources:
            requests: {cpu: "1", memory: 512Mi}
            limits:
              memory: 1Gi
              cpu: "2"
`, "NAME", name)
}

// TestSuggestions puts the suggested lines into files, which must give what headroom fix writes.
func TestSuggestions(t *testing.T) {
	r := start(t, map[string]string{"old.yaml": jvm("old")})
	r.write(map[string]string{
		"a.yaml": jvm("a"), "two.yaml": jvm("b") + "---\n" + jvm("c"), "crlf.yaml": strings.ReplaceAll(jvm("d"), "\n", "\r\n"),
		"last.yaml": strings.TrimSuffix(jvm("e"), "\n"), "f.json": manifestOf(map[string]any{"kind": "List", "apiVersion": "v1", "items": []any{}}),
	})
	got := r.lint(".")
	lines := map[string][]string{}
	for _, name := range []string{"a.yaml", "two.yaml", "crlf.yaml", "last.yaml"} {
		text, err := os.ReadFile(r.path(name))
		if err != nil {
			t.Fatal(err)
		}
		lines[name] = strings.SplitAfter(string(text), "\n")
	}
	if len(got.Changed.Suggestions) < 10 {
		t.Errorf("only %d suggestions", len(got.Changed.Suggestions))
	}
	for _, s := range slices.Backward(got.Changed.Suggestions) {
		if lines[s.File] == nil || s.StartLine < 1 || s.EndLine < s.StartLine {
			t.Fatalf("%+v", s)
		}
		lines[s.File] = slices.Replace(lines[s.File], s.StartLine-1, s.EndLine, s.Text)
	}
	if out := r.headroom(".", "fix", "a.yaml", "two.yaml", "crlf.yaml", "last.yaml"); out.code != 0 {
		t.Fatal(out)
	}
	for name := range lines {
		text, err := os.ReadFile(r.path(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(lines[name], ""); got != string(text) {
			t.Errorf("%s: the suggestions give\n%s\nheadroom fix\n%s", name, got, text)
		}
	}
}

// TestOutputs has the same verdict in every format.
func TestOutputs(t *testing.T) {
	r := start(t, map[string]string{"deploy/a.yaml": jvm("a"), "deploy/b.yaml": deployment("b")})
	r.edit("deploy/a.yaml", "memory: 512Mi", "memory: 256Mi")
	arguments := []string{"lint", "deploy", "--changed-since", "main"}
	for _, f := range []string{"json", "sarif", "junit", "github", "gitlab", "markdown", "html"} {
		arguments = append(arguments, "-o", f+"="+f)
	}
	out := r.headroom(".", append(arguments, "-o", "table")...)
	if out.code != 1 || !strings.Contains(out.stdout, "headroom fix deploy/a.yaml\n") || strings.Contains(out.stdout, "Deployment b") {
		t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
	}
	for _, f := range []string{"json", "sarif", "junit", "github", "gitlab", "markdown", "html"} {
		text, err := os.ReadFile(r.path(f))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "HR202") || strings.Contains(string(text), "deploy/b.yaml") {
			t.Errorf("%s has other findings", f)
		}
	}
	var issues []struct {
		Location struct{ Path string }
	}
	text, err := os.ReadFile(r.path("gitlab"))
	if err != nil || json.Unmarshal(text, &issues) != nil || len(issues) == 0 || issues[0].Location.Path != "deploy/a.yaml" {
		t.Errorf("%v, %s", err, text)
	}
}
