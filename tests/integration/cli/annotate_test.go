//go:build integration

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const measuredUse = `{"schema":"headroom.dev/findings/v1","cluster":{"name":"here"},"workloads":[
{"resource":{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"cart"},
"containers":[{"name":"app","measured":{"source":"Prometheus","windowSeconds":604800,"samples":10080,"ageSeconds":40,
"cpuAverage":"250m","cpuPeak":"2","memoryPeak":"980Mi"}}]}]}`

const unannotated = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart   # ours
spec:
  template:
    spec:
      containers: [{name: app}]
`

const annotated = `    metadata:
      annotations:
        cpu-average.headroom.dev/app: 250m
        cpu-peak.headroom.dev/app: "2"
        measured.headroom.dev/app: date=2026-11-21 of=cpu-average,cpu-peak,memory-peak
        memory-peak.headroom.dev/app: 980Mi
    spec:
`

// ofToday is the day that is written, which is another one each day.
var ofToday = regexp.MustCompile(`date=\d{4}-\d\d-\d\d`)

func undated(text string) string { return ofToday.ReplaceAllString(text, "date=2026-11-21") }

func TestAnnotate(t *testing.T) {
	dir := write(t, map[string]string{"use.json": measuredUse, "deploy/cart.yaml": unannotated})
	diff := headroom(t, dir, "", "annotate", "deploy", "--measured", "use.json")
	want := "--- a/deploy/cart.yaml\n+++ b/deploy/cart.yaml\n@@ -4,5 +4,11 @@\n" +
		"   name: cart   # ours\n spec:\n   template:\n" +
		"+" + strings.ReplaceAll(strings.TrimSuffix(annotated, "    spec:\n"), "\n", "\n+")
	want = strings.TrimSuffix(want, "+") + "     spec:\n       containers: [{name: app}]\n"
	if diff.code != 0 || undated(diff.stdout) != want {
		t.Errorf("exit code %d\n%s%s", diff.code, diff.stdout, diff.stderr)
	}
	if !strings.Contains(diff.stderr, "3 values differ, in 1 file") {
		t.Errorf("says %q", diff.stderr)
	}
	file := filepath.Join(dir, "deploy/cart.yaml")
	if text, _ := os.ReadFile(file); string(text) != unannotated {
		t.Errorf("the file was written:\n%s", text)
	}

	// A link is followed, and permissions stay.
	link := filepath.Join(dir, "deploy/link.yaml")
	if err := os.Rename(file, filepath.Join(dir, "real.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../real.yaml", link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "real.yaml"), 0o640); err != nil {
		t.Fatal(err)
	}
	written := headroom(t, dir, "", "annotate", "deploy", "--measured", "use.json", "--write")
	text, err := os.ReadFile(filepath.Join(dir, "real.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if written.code != 0 || undated(string(text)) != strings.Replace(unannotated, "    spec:\n", annotated, 1) {
		t.Errorf("exit code %d, %s\n%s", written.code, written.stderr, text)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
	if info, err := os.Stat(link); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	again := headroom(t, dir, "", "annotate", "deploy", "--measured", "use.json")
	if again.code != 0 || again.stdout != "" || !strings.Contains(again.stderr, "3 are within 25 %") {
		t.Errorf("exit code %d\n%s%s", again.code, again.stdout, again.stderr)
	}
	// What is written is what the linter judges by.
	linted := headroom(t, dir, "", "lint", "real.yaml", "--fail-on", "never")
	if !strings.Contains(linted.stdout, "250m") {
		t.Errorf("the linter does not know of 250m:\n%s", linted.stdout)
	}
}

func TestAnnotateExitCodes(t *testing.T) {
	dir := write(t, map[string]string{
		"use.json": measuredUse, "broken.json": "{", "broken.yaml": "a: [",
		"alias.yaml": strings.Replace(unannotated, "    spec:\n", "    metadata: &m {}\n    other: *m\n    spec:\n", 1),
	})
	for _, c := range []struct {
		code      int
		says      string
		arguments []string
	}{
		{2, "nothing to annotate", []string{"--measured", "use.json"}},
		{2, "no measurements", []string{"alias.yaml"}},
		{2, "broken.json: read the JSON", []string{"alias.yaml", "--measured", "broken.json"}},
		{2, "broken.yaml:1: broken YAML", []string{"broken.yaml", "--measured", "use.json"}},
		{2, "none.yaml: no such file", []string{"none.yaml", "--measured", "use.json"}},
		{2, "/dev/zero: is too long; at most 134217728 bytes", []string{"alias.yaml", "--measured", "/dev/zero"}},
		{2, "--measured takes the place", []string{"alias.yaml", "--measured", "use.json", "--vpa"}},
		{2, "patches are printed", []string{"alias.yaml", "--measured", "use.json", "--write", "--patch"}},
		{1, "alias.yaml:1: Deployment cart: left alone: line 7: ", []string{"alias.yaml", "--measured", "use.json"}},
		{0, "in 0 files and 1 patch", []string{"alias.yaml", "--measured", "use.json", "--patch"}},
	} {
		got := headroom(t, dir, "", append([]string{"annotate"}, c.arguments...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%v: exit code %d, %s", c.arguments, got.code, got.stderr)
		}
	}
}

// What a manifest or a file is called does not reach a terminal as it is.
func TestAnnotateHostileNames(t *testing.T) {
	dir := write(t, map[string]string{
		"use.json":            measuredUse,
		"deploy/named.yaml":   strings.Replace(unannotated, "name: cart", `name: "cart\e[31m"`, 1),
		"deploy/\x1b[2J.yaml": "a: [",
	})
	got := headroom(t, dir, "", "annotate", "deploy", "--measured", "use.json")
	if got.code != 2 || strings.Contains(got.stderr, "\x1b") ||
		!strings.Contains(got.stderr, `deploy/\x1b[2J.yaml:1: broken YAML`) ||
		!strings.Contains(got.stderr, "nothing was measured of it") {
		t.Errorf("exit code %d, %q", got.code, got.stderr)
	}
}
