package engine

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the garbage collector wait, as that of the policies does.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
