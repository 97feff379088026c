package main

import (
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// TestUpToDate fails when a file is not what go run ./tools/evidence writes.
func TestUpToDate(t *testing.T) {
	t.Chdir(repo.Root())
	if err := run(true); err != nil {
		t.Error(err)
	}
}
