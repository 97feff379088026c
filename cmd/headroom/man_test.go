package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestManualPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	root := rootCommand()
	root.SetArgs([]string{"man", dir})
	if code := execute(t.Context(), root); code != exitClean {
		t.Fatal(code)
	}
	for page, wants := range map[string]string{"headroom.1": "headroom\\-lint(1)", "headroom-lint.1": "\\-\\-fail\\-on", "headroom-mcp.1": "\\-\\-root"} {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil || !strings.HasPrefix(string(text), ".") && !strings.HasPrefix(string(text), `.nh`) {
			t.Errorf("%s: %v, %.80q", page, err, text)
		}
		if plain := strings.ReplaceAll(string(text), `\-`, "-"); !strings.Contains(plain, strings.ReplaceAll(wants, `\-`, "-")) {
			t.Errorf("%s lacks %s", page, wants)
		}
	}
}

// TestManualPagesSayWhatHelpSays: no * of a pattern is taken for emphasis, and no table runs together.
func TestManualPagesSayWhatHelpSays(t *testing.T) {
	dir := t.TempDir()
	root := rootCommand()
	root.SetArgs([]string{"man", dir})
	if code := execute(t.Context(), root); code != exitClean {
		t.Fatal(code)
	}
	for page, want := range map[string]string{
		"headroom-lint.1":    "k8s/**/*.yaml",
		"headroom-init.1":    "\n  headroom.yaml            classes as",
		"headroom-explain.1": "\n  heap gc-threads conc-gc-threads cores      ",
		"headroom-webhook.1": "\n  headroom.dev/mode=off        nothing",
	} {
		text, err := os.ReadFile(filepath.Join(dir, page))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.NewReplacer(`\-`, "-", `\&`, "").Replace(string(text)), want) {
			t.Errorf("%s lacks %q", page, want)
		}
	}
}

// TestKubectlCompletion runs the program with a kubectl-headroom that says how it was called.
func TestKubectlCompletion(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("kubectl runs this script where there is a POSIX shell, which Windows has not: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	root := rootCommand()
	var out bytes.Buffer
	root.SetArgs([]string{"completion", "kubectl"})
	root.SetOut(&out)
	if code := execute(t.Context(), root); code != exitClean {
		t.Fatal(code)
	}
	dir := t.TempDir()
	script := filepath.Join(dir, "kubectl_complete-headroom")
	for file, text := range map[string]string{script: out.String(), filepath.Join(dir, "kubectl-headroom"): "#!" + shell + "\necho \"$@\"\n"} {
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(shell, script, "lint", "--fail")
	command.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	said, err := command.CombinedOutput()
	if err != nil || strings.TrimSpace(string(said)) != "__complete lint --fail" {
		t.Errorf("%v: %s", err, said)
	}
}
