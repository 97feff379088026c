package memorylimit

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"
)

// Tune sets the garbage collector: GOGC where it is set, else a percentage. most is how many bytes the process may
// use: GOMEMLIMIT where it is set, else a share of what the container may; fixed says that GOGC is set.
func Tune(percent int, share float64) (most int64, fixed bool) {
	if value := os.Getenv("GOGC"); value != "" {
		percent, fixed = -1, true
		if n, err := strconv.Atoi(value); err == nil {
			percent = n
		}
	}
	debug.SetGCPercent(percent)
	if most, ok := OfVariable(os.Getenv("GOMEMLIMIT")); ok {
		return most, fixed
	}
	return OfContainer("/sys/fs/cgroup", share), fixed
}

// aliveFactor keeps the limit well above what is alive; else the process would only collect garbage.
const aliveFactor = 2

// Heap is how far the heap may grow, by a soft limit in bytes that follows what is alive.
type Heap struct {
	Most  int64 // never more
	Small int64 // never less
	Extra int64 // beside the heap, which the limit counts too
	Fixed bool  // the user decides: Most always
}

// For is the limit for so many bytes that are alive; full asks for Most, where more will be alive soon.
func (h Heap) For(alive uint64, full bool) int64 {
	if h.Fixed || full {
		return h.Most
	}
	return min(h.Most, max(h.Small, aliveFactor*int64(min(alive, math.MaxInt64/4))+h.Extra))
}

// Follow keeps the soft limit in step with what is alive until the context ends; at Most while full says so.
func (h Heap) Follow(ctx context.Context, period time.Duration, full func() bool) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		debug.SetMemoryLimit(h.For(Alive(), full()))
	}
}

// Alive is how many bytes the last collection left.
func Alive() uint64 {
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(alive)
	return alive[0].Value.Uint64()
}
