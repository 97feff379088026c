package changed

import (
	"os/exec"
	"testing"
)

func TestDefaultBranch(t *testing.T) {
	dir := t.TempDir()
	if got := DefaultBranch(t.Context(), dir); got != "origin/main" {
		t.Errorf("outside of a repository: %s", got)
	}
	for _, arguments := range [][]string{
		{"init", "--quiet"}, {"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/master"},
	} {
		c := exec.CommandContext(t.Context(), "git", arguments...)
		c.Dir, c.Env = dir, append(environment(nil), "PATH=/usr/bin:/bin")
		if said, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	if got := DefaultBranch(t.Context(), dir); got != "origin/master" {
		t.Errorf("%s", got)
	}
}
