package webhook

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// Garbage collection while serving. A decision makes garbage and keeps nothing, so the heap
// may grow well past what is alive before it is worth collecting: with the default of 100
// the webhook spends its one core on that (facts/webhooks.md §3). The soft limit keeps the
// growth within what the container has.
const (
	servePercent = 400
	memoryShare  = 0.8 // of the container's memory; the rest is stacks, buffers, the binary
)

// TuneMemory sets the garbage collector for serving. The variables GOGC and GOMEMLIMIT,
// where they are set, hold.
func TuneMemory() (percent int, limit int64) {
	percent, limit = servePercent, softLimit("/sys/fs/cgroup")
	if value := os.Getenv("GOGC"); value != "" {
		percent = -1
		if n, err := strconv.Atoi(value); err == nil {
			percent = n
		}
	}
	if value, ok := byteCount(os.Getenv("GOMEMLIMIT")); ok {
		limit = value
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(limit)
	return percent, limit
}

// softLimit is a share of the memory that the control group allows; without a bound there
// is none.
func softLimit(root string) int64 {
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
	if value == "off" {
		return math.MaxInt64, true
	}
	number, unit := value, int64(1)
	for shift, suffix := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if cut, ok := strings.CutSuffix(value, suffix); ok {
			number, unit = cut, 1<<(10*(shift+1))
		}
	}
	number = strings.TrimSuffix(number, "B")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, false
	}
	return n * unit, true
}
