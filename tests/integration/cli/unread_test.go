//go:build integration

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const dotFolder = "ot read: 1 dot folder (d/.argocd); --hidden reads it"

// What is not read is said by every command that reads folders, and --hidden reads it, but never a repository's history.
func TestDotFolders(t *testing.T) {
	dir := write(t, map[string]string{
		"d/a.yaml": sound, "d/.argocd/b.yaml": sound, "d/.git/c.yaml": limited, "d/.git/config": "",
		"m.json": `{"schema": "headroom.dev/findings/v1", "cluster": {}, "workloads": []}`,
	})
	for _, command := range []string{
		"lint", "lint -o github", "lint -o markdown", "fix", "explain", "size", "size -o markdown", "annotate --measured m.json",
	} {
		got := headroom(t, dir, "", append(strings.Fields(command), "d")...)
		if all := strings.Join(strings.Fields(got.stdout+got.stderr), " "); got.code != 0 || !strings.Contains(all, dotFolder) {
			t.Errorf("%s: exit code %d\n%s%s", command, got.code, got.stdout, got.stderr)
		}
		got = headroom(t, dir, "", append(strings.Fields(command), "d", "--hidden")...)
		if got.code != 0 || strings.Contains(got.stdout+got.stderr, "ot read: ") {
			t.Errorf("%s --hidden: exit code %d\n%s%s", command, got.code, got.stdout, got.stderr)
		}
	}
	for arguments, files := range map[string]int{
		"d": 1, "d --hidden": 2, "d/.argocd": 1, "d/.argocd/b.yaml": 1, "d d/.argocd": 2, "d/*/b.yaml --hidden": 1,
		"d/.*/b.yaml": 1,
	} {
		r, got := lintJSON(t, dir, strings.Fields(arguments)...)
		if got.code != 0 || r.Summary.Files != files {
			t.Errorf("%s: exit code %d, %d files, want %d", arguments, got.code, r.Summary.Files, files)
		}
	}
	var r struct {
		NotRead []struct{ File, Reason string }
		Summary struct{ NotRead int }
	}
	got := headroom(t, dir, "", "lint", "-o", "json", "d")
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || r.Summary.NotRead != 1 || r.NotRead[0].File != "d/.argocd" {
		t.Errorf("%v %+v", err, r)
	}
}

// Where there is nothing to judge, it is not green, unless that is asked for.
func TestNothingToJudge(t *testing.T) {
	dir := write(t, map[string]string{
		"empty/README.md": "a", "dots/.kube/a.yaml": sound, "maps/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
		"ci/compose.yaml": "services: {a: {image: b}}\n", "ci/zero.yaml": "", "a.yaml": sound,
	})
	for _, c := range []struct {
		paths, stdin string
		code, allow  int
	}{
		{"empty", "", 2, 0},
		{"dots", "", 2, 0},
		{"a.yaml empty", "", 2, 0},
		{"-", "", 2, 0},
		{"-", "---\n# a\n", 2, 0},
		{"gone", "", 2, 2},
		{"gone/*.yaml", "", 2, 2},
		{"maps", "", 0, 0},
		{"ci", "", 0, 0},
		{"ci/compose.yaml ci/zero.yaml", "", 0, 0}, // as pre-commit names files
		{"-", "a: 1\n", 0, 0},
	} {
		for _, command := range []string{"lint", "fix", "size"} {
			arguments := append([]string{command}, strings.Fields(c.paths)...)
			if got := headroom(t, dir, c.stdin, arguments...); got.code != c.code || (c.code == 2) !=
				(strings.Contains(got.stdout+got.stderr, "nothing could be judged") || strings.Contains(got.stdout+got.stderr, "no such")) {
				t.Errorf("%q with %q: exit code %d\n%s%s", arguments, c.stdin, got.code, got.stdout, got.stderr)
			}
			if got := headroom(t, dir, c.stdin, append(arguments, "--allow-empty")...); got.code != c.allow {
				t.Errorf("%q --allow-empty with %q: exit code %d\n%s%s", arguments, c.stdin, got.code, got.stdout, got.stderr)
			}
		}
	}
}

// Patterns that no shell has expanded are.
func TestPatterns(t *testing.T) {
	dir := write(t, map[string]string{
		"k8s/a.yaml": sound, "k8s/b.yml": sound, "k8s/deep/er/c.yaml": sound, "k8s/.d/e.yaml": sound,
		"k8s/[f].yaml": sound, "k8s/n.md": "",
	})
	for pattern, files := range map[string]int{
		"k8s/*.yaml": 2, "k8s/*.y*ml": 3, "k8s/**/*.yaml": 3, "**/c.yaml": 1, "k8s/[f].yaml": 1, "k8s/[ab].*": 2,
		"k8s/*": 4, "./k8s/?.yml": 1,
	} {
		if r, got := lintJSON(t, dir, pattern); got.code != 0 || r.Summary.Files != files {
			t.Errorf("%s: exit code %d, %d files, want %d: %v", pattern, got.code, r.Summary.Files, files, r.Problems)
		}
	}
	r, got := lintJSON(t, dir, "k9s/*.yaml")
	if got.code != 2 || len(r.Problems) != 1 || r.Problems[0].File != "k9s/*.yaml" ||
		!strings.Contains(r.Problems[0].Message, "no file matches this pattern") {
		t.Errorf("exit code %d, %+v", got.code, r.Problems)
	}
}

const digest = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// A lock is never written with less than what was to be read.
func TestLockStays(t *testing.T) {
	const lock = "apiVersion: headroom.dev/v1alpha1\nkind: ImageLock\nheadroom:\n  image_lock:\n    references: {redis: '" + digest +
		"'}\n    images: {'" + digest + "': {platform: linux/amd64}}\n"
	pod := func(image string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: '" + image + "'}]}\n"
	}
	for _, c := range []struct{ old, paths, want string }{
		{lock, "gone", "gone: no such file or folder"},
		{lock, "maps gone/*.yaml", "gone/*.yaml: nothing could be judged: no file matches"},
		{lock, "empty", "empty: nothing could be judged"},
		{lock, "-", "stdin: nothing could be judged"},
		{lock, "maps broken.yaml", "broken.yaml:1: "},
		{lock, "untyped.yaml", "untyped.yaml:1: this Pod has no apiVersion"},
		{lock, "maps", "no container with an image was found"},
		{lock, "pod.yaml", "image registry.invalid/a"},
		{"apiVersion: [\n", "pod.yaml", "is not written over"},
		{"a: 1\n", "pod.yaml", "is not written over"},
	} {
		dir := write(t, map[string]string{
			"headroom-images.yaml": c.old, "maps/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
			"empty/README.md": "", "broken.yaml": "a: [\n", "pod.yaml": pod("registry.invalid/a:1"),
			"untyped.yaml": strings.Replace(pod("b"), "apiVersion: v1\n", "", 1),
		})
		got := headroom(t, dir, "", slices.Concat([]string{"images", "lock", "--offline"}, strings.Fields(c.paths))...)
		if got.code != 2 || got.stdout != "" || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", c.paths, got.code, c.want, got.stdout, got.stderr)
		}
		if text(t, filepath.Join(dir, "headroom-images.yaml")) != c.old {
			t.Errorf("%s: the lock is another one", c.paths)
		}
		if err := os.Remove(filepath.Join(dir, "headroom-images.yaml")); err != nil {
			t.Fatal(err)
		}
		got = headroom(t, dir, "", slices.Concat([]string{"images", "lock", "--offline"}, strings.Fields(c.paths))...)
		if _, err := os.Stat(filepath.Join(dir, "headroom-images.yaml")); got.code != 2 || err == nil {
			t.Errorf("%s: a lock is written, exit code %d\n%s", c.paths, got.code, got.stderr)
		}
	}
}

// Patches and values that would lack an input do not take the place of those that had it.
func TestSizesStay(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": sound, "sizes.yaml": "kept\n"})
	got := headroom(t, dir, "", "size", "a.yaml", "gone", "-o", "patch=sizes.yaml")
	if got.code != 2 || text(t, filepath.Join(dir, "sizes.yaml")) != "kept\n" ||
		!strings.Contains(got.stderr, "1 input could not be read; sizes.yaml is not written") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	got = headroom(t, dir, "", "size", "a.yaml", "-o", "patch=sizes.yaml")
	if got.code != 0 || text(t, filepath.Join(dir, "sizes.yaml")) == "kept\n" {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
