// Package scenario reads scenario files, runs them through the quota model and reports what became of
// them. Values that are lists are swept: every combination is a case, so that one file answers
// "what if".
package scenario

import (
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// APIVersion and Kind are how a file says that it is a scenario.
const (
	APIVersion = "headroom.dev/v1alpha1"
	Kind       = "Scenario"
)

// Never is the value of busy.rewrite for a quota that is written once.
const Never = "never"

// Layer is the part of the model that a scenario asks.
type Layer string

// Layers.
const (
	Period Layer = "period" // threads with work under a quota, exactly
	Pool   Layer = "pool"   // busy threads, and how the kernel hands the quota out to processors
)

// Scenario is a file. Slices are swept.
type Scenario struct {
	File        string
	Title, Note string
	Layer       Layer
	Processors  []int
	Limits      []int64 // millicores; 0 means no limit
	Periods     []time.Duration
	Bursts      []time.Duration // beside a limit
	Loads       []Load          // of the period layer
	Busy        Busy            // of the pool layer
}

// Load is a number of threads that start together. Threads, Work and Total go together: the first
// of each, the second of each.
type Load struct {
	Name    string
	Start   time.Duration
	Threads []int
	Work    []time.Duration // CPU time of each thread
	Total   []time.Duration // CPU time of all its threads; instead of Work
	Every   time.Duration   // it comes again after so long
	Times   int             // how often it comes, at least 1
}

// Busy is what the pool layer runs: threads that never sleep.
type Busy struct {
	Threads  []int
	Duration time.Duration // wall time
	Seeds    int
	Slice    []time.Duration
	Tick     []time.Duration
	Jitter   []time.Duration
	Aligned  []bool
	Rewrite  []time.Duration // after how long the quota is written again; 0 is never
	Remedies []cfs.Remedy
}

// variants is how many lists of a load go together.
func (l Load) variants() int { return max(len(l.Threads), len(l.Work), len(l.Total)) }

// variant gives one of the load's values; where there is one value, it stays.
func (l Load) variant(n int) (threads int, work time.Duration) {
	threads = l.Threads[min(n, len(l.Threads)-1)]
	switch {
	case len(l.Work) > 0:
		work = l.Work[min(n, len(l.Work)-1)]
	case threads > 0:
		total := l.Total[min(n, len(l.Total)-1)]
		// Rounded up, so that no work is lost: by less than a nanosecond for each thread.
		work = (total + time.Duration(threads) - 1) / time.Duration(threads)
	}
	return threads, work
}
