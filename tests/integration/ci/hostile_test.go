//go:build integration

package ci

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// attacks are values that run a command wherever a script lets text become code.
var attacks = []string{
	"$(touch pwned)", "`touch pwned`", "x; touch pwned;", "x\ntouch pwned\n", "'; touch pwned; '", `"; touch pwned; "`,
	"${IFS:-$(touch pwned)}", "--upload-pack=touch pwned", "a[$(touch pwned)]",
}

// unharmed fails when a command of an attack was run anywhere below the folders.
func unharmed(t *testing.T, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Name() == "pwned" {
				t.Errorf("a command was run: %s", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever an input says, no shell runs it.
func TestHostileInputs(t *testing.T) {
	r := newRepository(t, map[string]string{"cart.yaml": sound})
	workspace := r.checkout(git(t, r.dir, "rev-parse", "HEAD"), "1")
	for name := range loadAction(t).Inputs {
		// All at once, and what is a single value one after another.
		values := []string{strings.Join(attacks, "\n")}
		switch name {
		case "changed-since", "working-directory", "category", "download-url":
			values = append(values, attacks...)
		}
		for _, value := range values {
			inputs := map[string]string{"binary": binary, "comment": "true", "sarif": "true", name: value}
			if name == "version" || name == "download-url" {
				delete(inputs, "binary")
			}
			j := job{t: t, workspace: workspace, inputs: inputs, github: pullEvent(pull{}), path: noGitHub(t)}
			if name == "download-url" {
				inputs["version"] = "v1.0.0"
			}
			out := j.run()
			unharmed(t, workspace, filepath.Dir(filepath.Dir(out.binaryPath)), r.origin)
			if name == "download-url" {
				// Without a version git lists the tags of what is there.
				delete(inputs, "version")
				j.github["action_ref"] = otherCommit
				listed := j.run()
				listed.expect(t, 2, "download-url is not https")
				unharmed(t, workspace, r.origin)
			}
			for _, line := range out.annotations() {
				if strings.Contains(line, "touch") && !strings.HasPrefix(line, "::error ") &&
					!strings.HasPrefix(line, "::notice ") {
					t.Errorf("input %s: an annotation of its own: %s", name, line)
				}
			}
		}
	}
	if _, err := os.Stat(filepath.Join(root, "pwned")); err == nil {
		t.Error("a command was run in the action's own folder")
	}
}

// A pull request names its files as it likes, and what is in them.
func TestHostileFiles(t *testing.T) {
	files := map[string]string{}
	names := append(slices.Clone(attacks), "::error file=x::forged", "\n::set-env name=PATH::forged\n", "-o", "--config=x")
	for i, attack := range names {
		name := strings.NewReplacer("/", "_", "\x00", "").Replace(attack)
		container := "- name: |\n            " + strings.ReplaceAll(attack, "\n", "\n            ")
		file := filepath.Join(string(rune('a'+i)), name+".yaml")
		files[file] = strings.Replace(limited, "- name: app", container, 1)
	}
	files["z/\n::error file=x::forged\n.yaml"] = "a: [\n"
	r := newRepository(t, files)
	workspace := r.checkout(git(t, r.dir, "rev-parse", "HEAD"), "1")
	out := job{t: t, workspace: workspace, github: push(), inputs: map[string]string{"binary": binary}}.run()
	out.expect(t, 2, "HR202")
	unharmed(t, workspace, filepath.Dir(filepath.Dir(out.binaryPath)))
	for _, line := range out.annotations() {
		for _, forged := range []string{"::error file=x", "::set-env", "::add-", "::save-"} {
			if strings.HasPrefix(line, forged) {
				t.Errorf("a pull request gives the runner commands: %s", line)
			}
		}
	}
}

// noGitHub is a folder with a gh that reaches no server.
func noGitHub(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, map[string]string{"gh": "#!/bin/sh\necho 'gh: no network' >&2\nexit 1\n"})
	if err := os.Chmod(filepath.Join(dir, "gh"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}
