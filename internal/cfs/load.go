package cfs

import (
	"errors"
	"fmt"
	"time"
)

// Load is a number of threads that start together and have the same work.
type Load struct {
	Name    string
	Start   time.Duration
	Threads int
	Work    time.Duration // CPU time of each thread
}

// Bounds of what is computed: far beyond a node's, and within int64 nanoseconds.
const (
	MaxProcessors = 8192 // the most that a kernel is built for
	MaxThreads    = 8192 // of a load
	MaxLoads      = 4096
	MaxTime       = 24 * time.Hour // of a start, and of a thread's work
	maxWork       = 100_000 * time.Hour
)

// check refuses what is out of bounds. It gives how many periods the work takes at the least: each is a step of the
// model, so that what is far too long is refused at once.
func check(b Bandwidth, processors int, loads []Load) (periods int, err error) {
	if err := b.check(); err != nil {
		return 0, err
	}
	if processors < 1 || processors > MaxProcessors {
		return 0, fmt.Errorf("%d processors are not between 1 and %d", processors, MaxProcessors)
	}
	if len(loads) > MaxLoads {
		return 0, fmt.Errorf("%d loads are more than %d", len(loads), MaxLoads)
	}
	total := time.Duration(0)
	for _, l := range loads {
		if err := l.check(); err != nil {
			return 0, fmt.Errorf("load %q: %w", l.Name, err)
		}
		// A load has less than 2^60 ns, and the sum less than 2^59 before it: no overflow.
		if total += time.Duration(l.Threads) * l.Work; total > maxWork {
			return 0, fmt.Errorf("the loads have more than %s of work together", maxWork)
		}
	}
	if b.Quota == 0 {
		return 0, nil
	}
	return int((total - b.Burst) / min(b.Quota, time.Duration(processors)*b.Period)), nil
}

func (l Load) check() error {
	switch {
	case l.Threads < 0 || l.Threads > MaxThreads:
		return fmt.Errorf("%d threads are not between 0 and %d", l.Threads, MaxThreads)
	case l.Work < 0 || l.Work > MaxTime:
		return fmt.Errorf("work of %s is not between 0 and %s", l.Work, MaxTime)
	case l.Start < 0 || l.Start > MaxTime:
		return fmt.Errorf("a start at %s is not between 0 and %s", l.Start, MaxTime)
	}
	return nil
}

// errEndless says that a run is too long to be useful.
var errEndless = errors.New("the loads are not done after as many periods as are computed: " +
	"the limit is too small for so much work, or there are too many loads")
