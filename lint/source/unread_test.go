package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNothingUnreadIsSilent(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"r/a.yaml", "r/.kube/b.yaml", "r/.git/c.yaml", "r/s/d.yml", "r/e.yaml.tpl", "empty/README.md"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("a: 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found := Find([]string{"r"}, Options{})
	if len(found.Files) != 2 || len(found.Problems) != 0 || len(found.Unread) != 2 || found.Unread[0] != (Unread{"r/.kube", DotFolder}) {
		t.Errorf("%+v", found)
	}
	if found = Find([]string{"r"}, Options{Hidden: true}); len(found.Files) != 3 || len(found.Unread) != 1 {
		t.Errorf("with hidden: %+v", found)
	}
	for _, name := range []string{"empty", "q/*.yaml"} {
		if found = Find([]string{name}, Options{}); len(found.Problems) != 1 {
			t.Errorf("%s: %+v", name, found)
		}
	}
	if found = Find([]string{"empty", "r", "r/a.yaml"}, Options{AllowEmpty: true}); len(found.Problems) != 0 {
		t.Errorf("%+v", found)
	}
	for pattern, want := range map[string]string{
		"r/*.yaml": "r/a.yaml", "r/**/*.y*ml": "r/a.yaml r/s/d.yml", "**/d.yml": "r/s/d.yml", "no/*": "no/*", "r": "r",
	} {
		if got := filepath.ToSlash(strings.Join(Expand([]string{pattern}, false), " ")); got != want {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	for text, want := range map[string]bool{"": true, "---\n# a\n...\n": true, "--- # a\n": true, "a: 1\n": false, "--- a\n": false} {
		_, err := Read(File{Name: StdinName}, Options{Stdin: strings.NewReader(text)})
		if (err != nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestPlainlyKubernetes(t *testing.T) {
	const pod = "spec: {template: {spec: {containers: [{name: a}]}}}\n"
	for text, want := range map[string]string{
		"kind: Deployment\n" + pod:                         "add apiVersion: apps/v1",
		"kind: Rollout\n" + pod:                            "has no apiVersion",
		"apiVersion: [v1]\nkind: Pod\nmetadata: {name: a}": "that is not text",
		"apiVersion: apps/v1\n" + pod:                      "has no kind",
		"kind: pipeline\nname: a\n":                        "",
		"kind: Deployment\nreplicas: 1\n":                  "",
		"apiVersion: v2\nname: chart\n":                    "",
		"services: {a: {image: b}}\n":                      "",
	} {
		got := Parse("a.yaml", []byte(text), Options{})[0]
		if want == "" && got.Problem != nil || want != "" && (got.Problem == nil || !strings.Contains(got.Problem.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, got, want)
		}
	}
	for text, read := range map[string]bool{
		"// c\n{\"a\": [1,], /* x */ \"b\": \"//\"}": true, "// c\n{\"kind\": \"Pod\", \"apiVersion\": \"v1\"}": false, "{\"a\": ": false,
	} {
		if got := Parse("a.json", []byte(text), Options{})[0]; (got.Problem == nil) != read {
			t.Errorf("%q: %v", text, got)
		}
	}
}
