//go:build integration

package ci

import (
	"path/filepath"
	"strings"
	"testing"
)

// repository is a project of somebody's, with an origin that others push to.
type repository struct {
	t           *testing.T
	dir, origin string
}

func newRepository(t *testing.T, files map[string]string) *repository {
	t.Helper()
	r := &repository{t: t, dir: t.TempDir(), origin: t.TempDir()}
	git(t, r.origin, "init", "--quiet", "--bare", "--initial-branch=main")
	git(t, r.dir, "init", "--quiet", "--initial-branch=main")
	git(t, r.dir, "remote", "add", "origin", "file://"+filepath.ToSlash(r.origin))
	r.commit(files)
	return r
}

func git(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	environment := append(clean(t),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	p := start(t, dir, environment, "git", arguments...)
	if p.code != 0 {
		t.Fatalf("git %s: %s", strings.Join(arguments, " "), p.output)
	}
	return strings.TrimSpace(p.output)
}

// commit writes files, commits and pushes the branch, and returns the commit.
func (r *repository) commit(files map[string]string) string {
	r.t.Helper()
	write(r.t, r.dir, files)
	git(r.t, r.dir, "add", "--all")
	git(r.t, r.dir, "commit", "--quiet", "--allow-empty", "--message=change")
	git(r.t, r.dir, "push", "--quiet", "origin", "HEAD")
	return git(r.t, r.dir, "rev-parse", "HEAD")
}

// pull is a pull request as an event tells of it.
type pull struct{ base, head, merge string }

// pullRequest commits files on a branch that leaves main here, and makes the merge commit that
// GitHub makes. Before that, main may go on.
func (r *repository) pullRequest(files map[string]string, meanwhile ...map[string]string) pull {
	r.t.Helper()
	p := pull{base: git(r.t, r.dir, "rev-parse", "HEAD")}
	git(r.t, r.dir, "checkout", "--quiet", "-b", "change")
	p.head = r.commit(files)
	git(r.t, r.dir, "checkout", "--quiet", "main")
	for _, files := range meanwhile {
		r.commit(files)
	}
	git(r.t, r.dir, "checkout", "--quiet", "--detach")
	git(r.t, r.dir, "merge", "--quiet", "--no-ff", "--message=merge", "change")
	p.merge = git(r.t, r.dir, "rev-parse", "HEAD")
	git(r.t, r.dir, "push", "--quiet", "origin", "HEAD:refs/pull/1/merge", "change:refs/pull/1/head")
	return p
}

// checkout is what actions/checkout leaves in the workspace: one commit, detached, and no
// history but what fetch-depth asks for ("0" is all of it).
func (r *repository) checkout(commit, fetchDepth string) string {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "work space")
	git(r.t, filepath.Dir(dir), "init", "--quiet", dir)
	git(r.t, dir, "remote", "add", "origin", "file://"+filepath.ToSlash(r.origin))
	fetch := []string{"fetch", "--quiet", "--no-tags", "--prune", "--no-recurse-submodules"}
	if fetchDepth == "0" {
		fetch = append(fetch, "origin", "+refs/heads/*:refs/remotes/origin/*")
	} else {
		fetch = append(fetch, "--depth="+fetchDepth, "origin")
	}
	git(r.t, dir, append(fetch, "+"+commit+":refs/remotes/pull/1/merge")...)
	git(r.t, dir, "checkout", "--quiet", "--force", "refs/remotes/pull/1/merge")
	return dir
}
