package watch

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// Garbage collection while watching: some more than half of what is alive, which is what is
// known of the cluster and the policies, may be added before it is collected. GOGC, where it is
// set, holds.
const watchPercent = 60

// memoryShare of the container's memory may be used; the rest is buffers and the program.
const memoryShare = 0.85

// tuneMemory sets the garbage collector. The command has set it for a short run.
func tuneMemory() {
	percent := watchPercent
	if value := os.Getenv("GOGC"); value != "" {
		percent = -1
		if n, err := strconv.Atoi(value); err == nil {
			percent = n
		}
	}
	debug.SetGCPercent(percent)
	limit := containerLimit("/sys/fs/cgroup")
	if value, ok := byteCount(os.Getenv("GOMEMLIMIT")); ok {
		limit = value
	}
	debug.SetMemoryLimit(limit)
}

// giveBack returns to the system what the first look at everything took.
func giveBack() { debug.FreeOSMemory() }

// containerLimit is a share of the memory that the control group allows; without a bound
// there is none.
func containerLimit(root string) int64 {
	for _, name := range []string{"memory.max", "memory/memory.limit_in_bytes"} {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(content)), 10, 64)
		// Version 1 says "no bound" with a number near the largest one.
		if err != nil || n <= 0 || n > math.MaxInt64/2 {
			continue
		}
		return int64(float64(n) * memoryShare)
	}
	return math.MaxInt64
}

// byteCount reads what the Go runtime accepts as GOMEMLIMIT.
func byteCount(value string) (int64, bool) {
	number, unit := strings.TrimSuffix(value, "B"), int64(1)
	for shift, suffix := range []string{"Ki", "Mi", "Gi", "Ti"} {
		if cut, ok := strings.CutSuffix(number, suffix); ok {
			number, unit = cut, 1<<(10*(shift+1))
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}
