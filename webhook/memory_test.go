package webhook

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/headroom-dev/headroom/internal/memorylimit"
)

// keepCollector puts the test program's own settings back.
func keepCollector(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

func TestVariablesHold(t *testing.T) {
	keepCollector(t)
	t.Setenv("GOGC", "")
	for value, want := range map[string]int64{
		"100MiB": 100 << 20, "1GiB": 1 << 30, "2KiB": 2048, "3TiB": 3 << 40, "77B": 77, "77": 77, "off": math.MaxInt64,
	} {
		t.Setenv("GOMEMLIMIT", value)
		if got := tuneMemory().Most; got != want {
			t.Errorf("GOMEMLIMIT=%s: %d, want %d", value, got, want)
		}
	}
	t.Setenv("GOMEMLIMIT", "100MiB")
	for percent, want := range map[string]int64{"": smallLimit, "50": 100 << 20} {
		t.Setenv("GOGC", percent)
		debug.SetMemoryLimit(math.MaxInt64)
		tuneMemory()
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("GOGC=%s: the limit is %d, not %d", percent, got, want)
		}
	}
	for value, want := range map[string]int{"50": 50, "off": -1, "": servePercent} {
		t.Setenv("GOGC", value)
		tuneMemory()
		if got := debug.SetGCPercent(100); got != want {
			t.Errorf("GOGC=%s: %d, want %d", value, got, want)
		}
	}
}

func TestLimitFollowsWhatIsAlive(t *testing.T) {
	keepCollector(t)
	for _, tc := range []struct {
		heap  memorylimit.Heap
		alive uint64
		laden bool
		want  int64
	}{
		{heap(math.MaxInt64, false), 0, false, smallLimit},
		{heap(math.MaxInt64, false), 20 << 20, false, smallLimit},
		{heap(math.MaxInt64, false), 100 << 20, false, 212 << 20},
		{heap(150<<20, false), 100 << 20, false, 150 << 20},
		{heap(32<<20, false), 1 << 20, false, 32 << 20},
		{heap(math.MaxInt64, true), 1 << 20, false, math.MaxInt64},
		{heap(150<<20, false), 1 << 20, true, 150 << 20},
		{heap(math.MaxInt64, true), 1 << 20, true, math.MaxInt64},
	} {
		if got := tc.heap.For(tc.alive, tc.laden); got != tc.want {
			t.Errorf("%+v with %d alive: %d, want %d", tc.heap, tc.alive, got, tc.want)
		}
	}
}
