//go:build integration

package changed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fails holds a run to exit code 2 and words of its message.
func (r repository) fails(what string, words []string, arguments ...string) (said string) {
	r.t.Helper()
	out := r.headroom(".", append([]string{"lint"}, arguments...)...)
	if out.code != 2 || out.stdout != "" {
		r.t.Errorf("%s: exit code %d, stdout %q", what, out.code, out.stdout)
	}
	for _, w := range words {
		if !strings.Contains(out.stderr, w) {
			r.t.Errorf("%s: stderr %q has no %q", what, out.stderr, w)
		}
	}
	return out.stderr
}

func TestNoRepository(t *testing.T) {
	r := repository{t: t, dir: t.TempDir()}
	r.write(map[string]string{"a.yaml": deployment("a")})
	r.env = []string{"GIT_CEILING_DIRECTORIES=" + filepath.Dir(r.dir)}
	r.fails("no repository", []string{"needs a git repository"}, "--changed-since", "main", ".")
	r.env = []string{"PATH=" + t.TempDir()}
	r.fails("no git", []string{"runs the git program"}, "--changed-since", "main", ".")
}

func TestWrongRefs(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a")})
	r.fails("unknown", []string{"origin/main", "no such branch", "git fetch origin main"}, "--changed-since", "origin/main", ".")
	r.fails("unknown", []string{"git fetch origin develop, and name it origin/develop"}, "--changed-since", "develop", ".")
	r.fails("empty", []string{"names no commit"}, "--changed-since", "", ".")
	r.fails("none", []string{"names no commit", "origin/main"}, "--changed-since", strings.Repeat("0", 40), ".")
	for _, ref := range []string{"HEAD~300", "origin/main~3", "HEAD@{9}"} {
		if said := r.fails("an expression", []string{"no such branch"}, "--changed-since", ref, "."); strings.Contains(said, "git fetch") {
			t.Errorf("what nothing can fetch is to be fetched: %s", said)
		}
	}
	r.fails("an option", []string{"no such branch"}, "--changed-since=--output="+r.path("out"), ".")
	if _, err := os.Stat(r.path("out")); err == nil {
		t.Error("a ref was taken for an option")
	}
	r.fails("a blob", []string{"no such branch, tag or commit"}, "--changed-since", "main:a.yaml", ".")
	r.git("checkout", "-q", "--orphan", "other")
	r.git("commit", "-q", "-m", "other")
	r.fails("unrelated", []string{"no commit in common with HEAD"}, "--changed-since", "main", ".")

	fresh := empty(t)
	fresh.write(map[string]string{"a.yaml": deployment("a")})
	fresh.fails("no commit", []string{"no commit yet"}, "--changed-since", "main", ".")
}

func TestWrongPaths(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a")})
	r.fails("stdin", []string{"standard input", "name files"}, "--changed-since", "main", "-")
	outside := t.TempDir()
	r.fails("outside", []string{"is not in the repository"}, "--changed-since", "main", outside)
	r.fails("outside", []string{"is not in the repository"}, "--changed-since", "main", "--helm-chart", outside)
}

func TestShallow(t *testing.T) {
	origin := start(t, map[string]string{"a.yaml": deployment("a")})
	origin.write(map[string]string{"b.yaml": deployment("b")})
	origin.commit("b")
	r := repository{t: t, dir: filepath.Join(t.TempDir(), "clone")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("clone", "-q", "--depth=1", "--branch=change", "file://"+origin.dir, ".")
	r.fails("shallow", []string{"git fetch origin main", "shallow clone", "fetch-depth: 0"}, "--changed-since", "origin/main", ".")
	r.git("fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main")
	r.fails("shallow on both sides", []string{"no commit in common", "fetch-depth: 0"}, "--changed-since", "origin/main", ".")
	r.git("fetch", "-q", "--unshallow", "origin")
	r.fails("tag", []string{"no such branch"}, "--changed-since", "v1", ".")
	out := r.headroom(".", "lint", "--changed-since", "origin/main", ".")
	if out.code != 1 || !strings.Contains(out.stdout, "b.yaml:1") || !strings.Contains(out.stdout, "1 file as it was, not judged") {
		t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
	}
}

// TestHooksAndConfigs say nothing of what git is asked.
func TestHooksAndConfigs(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a"), "deploy/b.yaml": deployment("b")})
	r.edit("a.yaml", "shop:1", "shop:2")
	r.edit("deploy/b.yaml", "shop:1", "shop:2")
	for key, value := range map[string]string{
		"diff.external": "false", "diff.noprefix": "true", "diff.relative": "true", "diff.renames": "false", "color.ui": "always",
		"core.pager": "false", "diff.ignoreSubmodules": "all", "core.quotePath": "true", "status.showUntrackedFiles": "no",
		"diff.mnemonicPrefix": "true", "pager.diff": "true", "diff.wordRegex": ".", "diff.algorithm": "patience",
	} {
		r.git("config", key, value)
	}
	other := empty(t)
	r.env = []string{
		"GIT_DIR=" + other.path(".git"), "GIT_WORK_TREE=" + other.dir, "GIT_INDEX_FILE=" + other.path(".git/index"),
		"GIT_EXTERNAL_DIFF=false", "GIT_PREFIX=deploy/", "GIT_OBJECT_DIRECTORY=" + other.path(".git/objects"),
		"GIT_PAGER=false", "GIT_GLOB_PATHSPECS=1", "GIT_TRACE=1", "GIT_DIFF_OPTS=-u9",
	}
	want(t, "findings", r.lint(".").counted(), "HR202 a", "HR202 b")
	want(t, "from below", r.lintIn("deploy", ".").counted(), "HR202 b")
	want(t, "from below, up", r.lintIn("deploy", "../a.yaml").counted(), "HR202 a")
	if status := r.git("status", "--porcelain"); status != "M a.yaml\n M deploy/b.yaml" {
		t.Errorf("the work tree is not as it was: %q", status)
	}
}

// TestWorkTrees and detached heads are what CI has.
func TestWorkTrees(t *testing.T) {
	r := start(t, map[string]string{"a.yaml": deployment("a")})
	r.write(map[string]string{"b.yaml": deployment("b")})
	r.commit("b")
	tree := repository{t: t, dir: filepath.Join(t.TempDir(), "tree")}
	r.git("worktree", "add", "-q", "--detach", tree.dir, "change")
	want(t, "findings", tree.lint(".").counted(), "HR202 b new")
}

// TestOutside: what is behind a link that leads out of the repository is not known.
func TestOutside(t *testing.T) {
	r := empty(t)
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "a.yaml"), []byte(deployment("a")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, r.path("deploy")); err != nil {
		t.Fatal(err)
	}
	r.write(map[string]string{"b.yaml": deployment("b")})
	r.commit("main")
	got := r.lint("deploy", "b.yaml", "--follow-links")
	want(t, "findings", got.counted())
	if len(got.Changed.Notes) != 1 || !strings.Contains(got.Changed.Notes[0], "outside of the repository") {
		t.Errorf("notes %q", got.Changed.Notes)
	}
	// It is not followed unless somebody says so, and fails no change that did not bring it.
	got = r.lint("deploy", "b.yaml")
	want(t, "not followed", got.counted())
	if got.code != 0 || len(got.Problems) != 0 {
		t.Errorf("exit code %d, %+v", got.code, got.Problems)
	}
	if err := os.Symlink(other, r.path("new")); err != nil {
		t.Fatal(err)
	}
	got = r.lint("new", "b.yaml")
	if got.code != 2 || len(got.Problems) != 1 || !strings.Contains(got.Problems[0].Message, "a link that leads out of") {
		t.Errorf("a new one: exit code %d, %+v", got.code, got.Problems)
	}
}

// TestMergeOfAPullRequest is what actions/checkout checks out with fetch-depth: 2.
func TestMergeOfAPullRequest(t *testing.T) {
	origin := start(t, map[string]string{"a.yaml": deployment("a")})
	origin.write(map[string]string{"b.yaml": deployment("b")})
	origin.commit("b")
	origin.git("checkout", "-q", "main")
	origin.write(map[string]string{"c.yaml": deployment("c")})
	origin.commit("main goes on")
	origin.git("checkout", "-q", "-b", "merge")
	origin.git("merge", "-q", "--no-edit", "change")
	r := repository{t: t, dir: filepath.Join(t.TempDir(), "clone")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("clone", "-q", "--depth=2", "--branch=merge", "file://"+origin.dir, ".")
	out := r.headroom(".", "lint", "--changed-since", "HEAD^1", ".", "-o", "markdown")
	if out.code != 1 || !strings.Contains(out.stdout, "1 error in what this change touches, and it is new") ||
		!strings.Contains(out.stdout, "Deployment b") || strings.Contains(out.stdout, "Deployment c") {
		t.Errorf("exit code %d: %s%s", out.code, out.stdout, out.stderr)
	}
}
