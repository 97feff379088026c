package sentences

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// runtime says what a program measures of itself: "a heap with 300 of 1024 MiB live; 77 threads".
func runtime(r *engine.Runtime) string {
	if r.Doubt != "" {
		return "not used: " + r.Doubt
	}
	const mi = 1 << 20
	var parts []string
	say := func(value float64, format string, amounts ...any) {
		if value > 0 {
			parts = append(parts, fmt.Sprintf(format, amounts...))
		}
	}
	full := r.Pods.LiveShare // of one Pod: the most of one says nothing beside the heap of another
	if full == (engine.Pod{}) {
		full = engine.Pod{Live: r.Live, HeapMax: r.HeapMax}
	}
	say(full.HeapMax*full.Live, "a heap with %.0f of %.0f MiB live", full.Live/mi, full.HeapMax/mi)
	say(r.GCShare, "collections in at most %.1f %% of ten minutes", 100*r.GCShare)
	say(r.Metaspace, "metaspace %.0f MiB", r.Metaspace/mi)
	say(r.CodeCache, "code cache %.0f MiB", r.CodeCache/mi)
	say(r.Direct, "direct %.0f MiB", r.Direct/mi)
	say(r.Threads, "%.0f threads", r.Threads)
	say(r.Processors, "%.0f processors counted", r.Processors)
	return strings.Join(parts, ", ")
}
