//go:build integration

// Package flags_test holds the table of JVM flags to the JDKs of this machine.
package flags_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// TestTable asks the JDKs whose builds the table names, and says which are not here.
func TestTable(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "run", "-C", repo.Path("lab"), "./flags", "-check")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Errorf("the table is not what `make flags` writes: %v", err)
	}
}
