package webhook

import (
	"runtime/debug"
	"time"

	"github.com/headroom-dev/headroom/internal/memorylimit"
)

// Garbage collection while serving. A decision makes garbage and keeps nothing, so the heap may
// grow well past what is alive before it is worth collecting. With Go's default of 100 the webhook
// spends its core on that. A soft limit bounds the growth: small where little is alive.
const (
	servePercent = 400
	smallLimit   = 64 << 20 // with the program's own pages, less than 96 MiB in all
	runtimeBytes = 12 << 20 // stacks and the runtime's own, which the limit counts too
	memoryShare  = 0.8      // of the container's memory; the rest is buffers and the program
	limitPeriod  = time.Second
	ladenPeriod  = 10 * time.Second
)

func heap(most int64, fixed bool) memorylimit.Heap {
	return memorylimit.Heap{Most: most, Small: smallLimit, Extra: runtimeBytes, Fixed: fixed}
}

// tuneMemory sets the garbage collector for serving. The variables GOGC and GOMEMLIMIT,
// where they are set, hold.
func tuneMemory() memorylimit.Heap {
	h := heap(memorylimit.Tune(servePercent, memoryShare))
	debug.SetMemoryLimit(h.For(0, false))
	return h
}
