//go:build integration

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// full is the program beside the one that people start.
func full() string { return filepath.Join(filepath.Dir(binary), "headroom-full") }

// started runs any program in dir.
func started(t *testing.T, file, dir, stdin string, arguments ...string) outcome {
	t.Helper()
	command := exec.CommandContext(t.Context(), file, arguments...)
	command.Dir, command.Stdin = dir, strings.NewReader(stdin)
	command.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "none"))
	stdout, stderr, code := program.Run(t, command)
	return outcome{stdout, stderr, code}
}

var chart = map[string]string{
	"chart/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "chart/templates/cart.yaml": limited,
}

// What the program does by itself, what it hands over, and what is mistaken: nothing tells the two programs apart.
func TestBothProgramsSayTheSame(t *testing.T) {
	files := map[string]string{
		"bad.yaml": limited, "config.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: {HR202: {severity: off}}\n",
		"wrong.yaml":                       "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrulez: {}\n",
		"lock.yaml":                        "apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom: 1\n",
		"kustomization/kustomization.yaml": "resources: [cart.yaml]\n", "kustomization/cart.yaml": limited,
		"broken/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "broken/templates/cart.yaml": "{{ .Values.a.b }}\n",
	}
	for name, text := range chart {
		files[name] = text
	}
	dir := write(t, files)
	for _, line := range []string{
		"", "--help", "-h", "help lint", "--version", "version", "version -o json", "version x", "version --help", "lnt", "lint",
		"lint --help", "lint -h", "lint bad.yaml", "lint bad.yaml -o json", "lint --fail-onn x", "lint --fail-on x bad.yaml", "lint -",
		"lint . --no-progress", "lint missing.yaml", "lint --config config.yaml bad.yaml", "lint --config wrong.yaml -",
		"lint --config wrong.yaml bad.yaml", "lint bad.yaml --images=lock.yaml", "lint --offline --images bad.yaml",
		"lint --helm-chart chart", "lint --helm-chart broken", "lint --kustomize kustomization", "lint chart", "lint bad.yaml --platform x",
		"lint --preview enforce bad.yaml", "lint --preview x bad.yaml", "fix", "fix --diff bad.yaml", "fix --help", "fix -",
		"fix --helm-chart chart --diff", "fix --kustomize kustomization --diff", "fix --check .", "fix -f bad.yaml",
		"explain", "explain bad.yaml", "explain --help", "explain bad.yaml --timeline", "explain -", "explain chart",
		"explain bad.yaml --workload deploy/cart", "explain bad.yaml --workload job/cart", "explain deploy/cart", "explain missing.yaml",
		"explain -n shop deploy/cart", "explain nothing/cart", "explain --context x bad.yaml", "explain bad.yaml --what-if x=1",
		"rules", "rules HR303", "rules HR999", "rules -o json", "simulate", "simulate missing.yaml", "simulate --help", "audit", "audit --help",
		"size bad.yaml", "init --help", "policies kyverno", "images lock missing", "completion bash", "__complete lint --fail-on ",
		"__complete explain --na", "man", "webhook --help", "diagnose --from missing",
	} {
		lean, whole := started(t, binary, dir, limited, strings.Fields(line)...), started(t, full(), dir, limited, strings.Fields(line)...)
		if lean != whole {
			t.Errorf("headroom %s:\n%s\n%s\n%d\nheadroom-full:\n%s\n%s\n%d", line, lean.stdout, lean.stderr, lean.code,
				whole.stdout, whole.stderr, whole.code)
		}
	}
}

// lone is a copy of the program with something in the place of headroom-full, nothing for "".
func lone(t *testing.T, instead string) string {
	t.Helper()
	dir := t.TempDir()
	text, err := os.ReadFile(binary)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "headroom"), text, 0o700)
	}
	if err == nil && instead != "" {
		err = os.WriteFile(filepath.Join(dir, "headroom-full"), []byte(instead), 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "headroom")
}

// Without headroom-full, or with one of another release, what needs it fails, and says what is missing where.
func TestFullProgramIsAnother(t *testing.T) {
	missing, other := lone(t, ""), lone(t, fmt.Sprintf("#!/bin/sh\nshift\nexec '%s' handed-over-by=v0.0.1 \"$@\"\n", full()))
	dir := write(t, map[string]string{"bad.yaml": limited, "wrong.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrulez: {}\n"})
	program.Write(t, dir, chart)
	for _, test := range []struct{ file, said string }{
		{missing, missing + "-full is missing"},
		{other, "headroom beside it is v0.0.1: put both of one release into the folder"},
	} {
		for _, line := range []string{"audit -A", "lint --config wrong.yaml bad.yaml", "lint --help", "explain deploy/cart"} {
			got := started(t, test.file, dir, "", strings.Fields(line)...)
			if got.code != 2 || got.stdout != "" || !strings.HasPrefix(got.stderr, "headroom: ") || !strings.Contains(got.stderr, test.said) {
				t.Errorf("%s: %+v", line, got)
			}
		}
		if got := started(t, test.file, dir, "", "lint", "--no-config", "bad.yaml"); got.code != 1 || got.stderr != "" {
			t.Errorf("%+v", got)
		}
		got := started(t, test.file, dir, "", "lint", "--no-config", "chart")
		if got.code != 2 || !strings.Contains(strings.Join(strings.Fields(got.stdout), " "), test.said) {
			t.Errorf("%+v", got)
		}
	}
}

// A copy of headroom by the name of the other one would start itself for ever. A program that another user can put
// beside it, as in /tmp, would have what this user may do.
func TestFullProgramIsStrange(t *testing.T) {
	itself, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	copied := lone(t, string(itself))
	linked, writable, owned := lone(t, ""), lone(t, "#!/bin/sh\n"), lone(t, "#!/bin/sh\n")
	err = errors.Join(os.Symlink("/bin/echo", linked+"-full"), os.Chmod(writable+"-full", 0o777))
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, chart)
	said := map[string]string{copied: "is a copy of headroom", linked: "and no link", writable: "may be written by any user"}
	if os.Chown(owned+"-full", 12345, -1) == nil { // root alone may
		said[owned] = "belongs to another user"
	}
	for file, want := range said {
		for _, line := range []string{"audit -A", "lint --no-config chart"} {
			got := started(t, file, dir, "", strings.Fields(line)...)
			if told := strings.Join(strings.Fields(got.stdout+got.stderr), " "); got.code != 2 || !strings.Contains(told, want) {
				t.Errorf("%s: %+v", line, got)
			}
		}
	}
}

// Package managers link to a program, by another name.
func TestFullProgramBehindALink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "kubectl-headroom")
	if err := os.Symlink(binary, link); err != nil {
		t.Fatal(err)
	}
	got := started(t, link, t.TempDir(), "", "audit", "--help")
	if got.code != 0 || !strings.Contains(got.stdout, "kubectl headroom audit") {
		t.Errorf("%+v", got)
	}
}
