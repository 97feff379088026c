package watch

import (
	"os"
	"runtime/debug"
	"strconv"

	"github.com/headroom-dev/headroom/internal/memorylimit"
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
	limit := memorylimit.OfContainer("/sys/fs/cgroup", memoryShare)
	if value, ok := memorylimit.OfVariable(os.Getenv("GOMEMLIMIT")); ok {
		limit = value
	}
	debug.SetMemoryLimit(limit)
}

// giveBack returns to the system what the first look at everything took.
func giveBack() { debug.FreeOSMemory() }
