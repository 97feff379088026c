package scenario

import (
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// Bounds and defaults of the pool layer. Fewer seeds than DefaultSeeds say little: single runs differ
// from none to most of the periods (see cfs.Sensitivity).
const (
	DefaultSeeds    = 20
	DefaultDuration = time.Minute
	MaxSeeds        = 1000
	maxDuration     = time.Hour
	maxGrain        = time.Second
)

func (r *reader) pool(root *yaml.Node, fields map[string]*yaml.Node, s *Scenario) {
	if loads := fields["loads"]; loads != nil {
		r.fail(loads, "loads belong to the period layer; the pool layer has busy threads, which never sleep")
	}
	busy := fields["busy"]
	if busy == nil {
		r.fail(root, "busy is missing: what the pool layer runs, as in busy: {threads: 3, duration: 60s}")
		return
	}
	given := r.fields(busy, "busy", BusyKeys()...)
	durations := func(name string, least, otherwise time.Duration) []time.Duration {
		if given[name] == nil {
			return []time.Duration{otherwise}
		}
		return r.durations(given[name], name, least, maxGrain)
	}
	s.Busy = Busy{
		Threads:  r.integers(given["threads"], "threads", 1, cfs.MaxBusy),
		Duration: r.duration(given["duration"], "duration", cfs.MinPeriod, maxDuration, DefaultDuration),
		Seeds:    r.integer(given["seeds"], "seeds", 1, MaxSeeds, DefaultSeeds),
		Slice:    durations("slice", time.Microsecond, cfs.DefaultSlice),
		Tick:     durations("tick", time.Microsecond, cfs.DefaultTick),
		Jitter:   durations("jitter", 0, cfs.DefaultJitter),
		Aligned:  []bool{false}, Rewrite: []time.Duration{0}, Remedies: []cfs.Remedy{cfs.None},
	}
	if given["threads"] == nil {
		r.fail(busy, "threads is missing: how many threads are busy, each on a processor of its own")
	}
	if given["aligned"] != nil {
		s.Busy.Aligned = r.booleans(given["aligned"], "aligned")
	}
	if given["rewrite"] != nil {
		s.Busy.Rewrite = r.rewrites(given["rewrite"])
	}
	if given["remedy"] != nil {
		s.Busy.Remedies = r.remedies(given["remedy"])
	}
	for _, limit := range s.Limits {
		if limit == 0 {
			r.fail(fields["limit"], "limit is none, and the pool layer is about a limit")
		}
	}
	r.enoughProcessors(root, fields["processors"], s)
}

// enoughProcessors lets each busy thread have a processor; where none are given, there are as many.
func (r *reader) enoughProcessors(root, node *yaml.Node, s *Scenario) {
	most := 0
	for _, n := range s.Busy.Threads {
		most = max(most, n)
	}
	if node == nil {
		s.Processors = []int{max(most, 1)}
		return
	}
	for _, n := range s.Processors {
		if n < most {
			r.fail(node, "%d processors are too few for %d busy threads, which need one each", n, most)
		}
	}
	if len(s.Processors) > 1 {
		r.fail(root, "processors are not swept in the pool layer: those without a busy thread take no part")
	}
}
