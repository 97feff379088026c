package webhook

import (
	"context"
	"math"
	"os"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"strconv"
	"time"

	"github.com/headroom-dev/headroom/internal/memorylimit"
)

// Garbage collection while serving. A decision makes garbage and keeps nothing, so the heap
// may grow well past what is alive before it is worth collecting: with Go's default of 100
// the webhook spends its core on that. A soft limit bounds the
// growth: small where little is alive, and never so near to what is alive that collecting
// would be all there is to do.
const (
	servePercent = 400
	smallLimit   = 64 << 20 // with the program's own pages, less than 96 MiB in all
	aliveFactor  = 2
	runtimeBytes = 12 << 20 // stacks and the runtime's own, which the limit counts too
	memoryShare  = 0.8      // of the container's memory; the rest is buffers and the program
	limitPeriod  = time.Second
	ladenPeriod  = 10 * time.Second
)

// memory is how far the heap may grow.
type memory struct {
	most  int64
	fixed bool // GOGC is set: the user decides
}

// tuneMemory sets the garbage collector for serving. The variables GOGC and GOMEMLIMIT,
// where they are set, hold.
func tuneMemory() memory {
	percent := servePercent
	m := memory{most: memorylimit.OfContainer("/sys/fs/cgroup", memoryShare)}
	if value, ok := memorylimit.OfVariable(os.Getenv("GOMEMLIMIT")); ok {
		m.most = value
	}
	if value := os.Getenv("GOGC"); value != "" {
		percent, m.fixed = -1, true
		if n, err := strconv.Atoi(value); err == nil {
			percent = n
		}
	}
	debug.SetGCPercent(percent)
	m.limit(0, false)
	return m
}

// limit sets the soft limit for what is alive.
func (m memory) limit(alive uint64, laden bool) {
	limit := m.most
	if !m.fixed && !laden {
		limit = min(limit, max(smallLimit, aliveFactor*int64(min(alive, math.MaxInt64/4))+runtimeBytes))
	}
	debug.SetMemoryLimit(limit)
}

// follow keeps the soft limit in step with what is alive until the context ends.
func (m memory) follow(ctx context.Context, period time.Duration, laden func(within time.Duration) bool) {
	alive := []runtimemetrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		runtimemetrics.Read(alive)
		m.limit(alive[0].Value.Uint64(), laden(ladenPeriod))
	}
}
