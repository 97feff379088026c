package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestPlaygroundLoadsNoPoliciesAndNoSchemas asks what build.sh puts into the program that a page loads.
func TestPlaygroundLoadsNoPoliciesAndNoSchemas(t *testing.T) {
	script, err := os.ReadFile("build.sh")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "-tags lean ") {
		t.Error("the program is not the lean one")
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "lean",
		"-f", "{{.ImportPath}}{{range .EmbedFiles}}\n{{.}}{{end}}", ".")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, heavy := range []string{"github.com/santhosh-tekuri/jsonschema", "rego/headroom/", "export/cel/"} {
		if strings.Contains(string(out), "\n"+heavy) {
			t.Errorf("the page loads %s", heavy)
		}
	}
}
