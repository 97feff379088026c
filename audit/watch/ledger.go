package watch

import (
	"sync"

	"github.com/headroom-dev/headroom/audit/cluster"
	"github.com/headroom-dev/headroom/audit/watch/metrics"
	"github.com/headroom-dev/headroom/audit/watch/pack"
)

// ledger remembers what each verdict was based on, so that the same is not judged twice.
type ledger struct {
	mu      sync.Mutex
	entries map[cluster.Key]*entry
}

type entry struct {
	basis   basis
	verdict *metrics.Verdict
}

// basis is all that a verdict depends on.
type basis struct {
	object, around pack.Digest
	config         uint64
	day            string // "" where no date has a part in it
}

func newLedger() *ledger { return &ledger{entries: map[cluster.Key]*entry{}} }

// holds says whether the verdict that is known is based on the same.
func (l *ledger) holds(key cluster.Key, b basis) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[key]
	return e != nil && e.basis == b
}

// doubt makes the next look a judgement.
func (l *ledger) doubt(key cluster.Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.basis = basis{}
	}
}

// replace remembers a verdict, nil for an object that is gone, and gives the one before.
func (l *ledger) replace(key cluster.Key, next *entry) (before *metrics.Verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		before = e.verdict
	}
	if next == nil {
		delete(l.entries, key)
	} else {
		l.entries[key] = next
	}
	return before
}

func (l *ledger) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}
