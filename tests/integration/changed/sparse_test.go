//go:build integration

package changed

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"

	"pgregory.net/rapid"

	"github.com/headroom-dev/headroom/internal/render"
	findings "github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/policies/engine"
)

// TestSparse judges only the changed files where that is enough, and must find what judging all of them finds. All changes are made up.
func TestSparse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "sparse")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		files := map[string]string{}
		for i := range rapid.IntRange(2, 5).Draw(t, "files") {
			files[fmt.Sprintf("deploy/%d.yaml", i)] = someManifest(t)
		}
		files["limits.yaml"] = "" // beside the path, and of no matter
		run(t, dir, "init", "-q", "-b", "main")
		place(t, dir, files)
		save(t, dir)
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			name := filepath.Join(dir, fmt.Sprintf("deploy/%d.yaml", rapid.IntRange(0, 5).Draw(t, "file")))
			to := filepath.Join(dir, fmt.Sprintf("deploy/%d.yaml", rapid.IntRange(0, 5).Draw(t, "to")))
			switch rapid.IntRange(0, 4).Draw(t, "edit") {
			case 0:
				_ = os.Remove(name)
			case 1:
				_ = os.Rename(name, to)
			case 2:
				if text, err := os.ReadFile(name); err == nil {
					place(t, dir, map[string]string{"deploy/9.yaml": string(text) + "---\n" + someManifest(t)})
				}
			default:
				if err := os.WriteFile(name, []byte(someManifest(t)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if rapid.Bool().Draw(t, "staged") {
			run(t, dir, "add", "-A")
		}
		paths := []string{filepath.Join(dir, "deploy")}
		if rapid.Bool().Draw(t, "files are named") {
			paths, err = filepath.Glob(filepath.Join(dir, "deploy", "*"))
			if err != nil || len(paths) == 0 {
				return // all of them are gone
			}
		}
		quick, all := compared(t, dir, paths, true), compared(t, dir, paths, false)
		if quick != all {
			t.Fatalf("%q: judging the changed files finds\n%s\njudging all finds\n%s", paths, quick, all)
		}
	})
}

// someManifest is one or two workloads, and at times what speaks for them.
func someManifest(t *rapid.T) string {
	var documents []string
	for range rapid.IntRange(1, 2).Draw(t, "documents") {
		name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "name")
		text := rapid.SampledFrom([]func(string) string{deployment, sound}).Draw(t, "kind")(name)
		documents = append(documents, inShop(text, name))
	}
	if rapid.IntRange(0, 9).Draw(t, "limits") == 0 {
		documents = append(documents, limits)
	}
	return strings.Join(documents, "---\n")
}

func run(t tester, dir string, arguments ...string) {
	t.Helper()
	c := exec.CommandContext(context.Background(), "git", arguments...)
	c.Dir = dir
	c.Env = append(program.Environment(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
}

func save(t tester, dir string) {
	t.Helper()
	run(t, dir, "config", "user.name", "A")
	run(t, dir, "config", "user.email", "a@example.org")
	run(t, dir, "config", "core.autocrlf", "false")
	run(t, dir, "add", "-A")
	run(t, dir, "commit", "-q", "-m", "main")
}

// compared is the report of what changed since HEAD, as JSON.
func compared(t tester, dir string, paths []string, quick bool) string {
	t.Helper()
	e, err := policies()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	o := lint.ChangedOptions{Options: lint.Options{Paths: paths, Digests: true}}
	if o.Change, err = changed.Since(ctx, dir, "HEAD", paths); err != nil {
		t.Fatal(err)
	}
	if quick {
		o.Current = e
	}
	o.Engine = func(*changed.Tree) (*engine.Engine, string, error) { return e, "", nil }
	before, err := lint.Compare(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	defer before.Close()
	r, err := lint.Run(ctx, e, before.Options())
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Restrict(ctx, r); err != nil {
		t.Fatal(err)
	}
	// These tell of what was judged.
	r.Changed.Elsewhere, r.Changed.Unjudged, r.Summary.Documents = findings.Counts{}, 0, 0
	var out bytes.Buffer
	if err := render.Write(&out, "json", r, render.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
