package webhook

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

func TestSoftLimit(t *testing.T) {
	for content, want := range map[string]int64{
		"134217728\n":           107374182,
		"max\n":                 math.MaxInt64,
		"9223372036854771712\n": math.MaxInt64,
		"0\n":                   math.MaxInt64,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "memory.max"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := softLimit(dir); got != want {
			t.Errorf("memory.max %q: %d, want %d", content, got, want)
		}
	}
	if got := softLimit(t.TempDir()); got != math.MaxInt64 {
		t.Errorf("without a control group: %d", got)
	}
}

func TestVariablesHold(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	for value, want := range map[string]int64{
		"100MiB": 100 << 20, "1GiB": 1 << 30, "2KiB": 2048, "3TiB": 3 << 40, "77B": 77, "77": 77, "off": math.MaxInt64,
	} {
		t.Setenv("GOMEMLIMIT", value)
		if _, got := TuneMemory(); got != want || debug.SetMemoryLimit(-1) != want {
			t.Errorf("GOMEMLIMIT=%s: %d, want %d", value, got, want)
		}
	}
	for value, want := range map[string]int{"50": 50, "off": -1, "": servePercent} {
		t.Setenv("GOGC", value)
		if got, _ := TuneMemory(); got != want {
			t.Errorf("GOGC=%s: %d, want %d", value, got, want)
		}
	}
}
