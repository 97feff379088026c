package main

import (
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// TestUpToDate fails when a file is not what `go run -C lab ./evidence` writes.
func TestUpToDate(t *testing.T) {
	t.Chdir(repo.Root())
	if err := run(t.Context(), true); err != nil {
		t.Error(err)
	}
}
