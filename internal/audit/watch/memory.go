package watch

import (
	"runtime/debug"

	"github.com/headroom-dev/headroom/internal/memorylimit"
)

// Garbage collection while watching: some more than half of what is alive, which is what is
// known of the cluster and the policies, may be added before it is collected.
const watchPercent = 60

// memoryShare of the container's memory may be used; the rest is buffers and the program.
const memoryShare = 0.85

// tuneMemory sets the garbage collector. The command has set it for a short run.
func tuneMemory() {
	most, _ := memorylimit.Tune(watchPercent, memoryShare)
	debug.SetMemoryLimit(most)
}

// giveBack returns to the system what the first look at everything took.
func giveBack() { debug.FreeOSMemory() }
