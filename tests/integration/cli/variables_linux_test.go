//go:build integration

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What renders has none of the variables of a runner.
func TestRenderingSeesNoVariables(t *testing.T) {
	t.Setenv("A_TOKEN", "kanarie")
	dir := write(t, map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": printing(`{{ $e := .Files.Get "link" }}{{ contains "PATH=" $e }}-{{ contains "kanarie" $e }}`)})
	if err := os.Symlink("/proc/self/environ", filepath.Join(dir, "chart/link")); err != nil {
		t.Fatal(err)
	}
	out := headroom(t, dir, "", "lint", "--verbose", "--follow-links", "chart")
	if !strings.Contains(out.stdout, "Pod true-false") { // it was read, and does not have the token
		t.Errorf("%s%s", out.stdout, out.stderr)
	}
}
