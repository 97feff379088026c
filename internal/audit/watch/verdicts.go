package watch

import (
	"sync"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
)

// verdicts remembers what each verdict was based on, so that the same is not judged twice.
type verdicts struct {
	mu      sync.Mutex
	entries map[cluster.Key]*entry
}

type entry struct {
	basis   basis
	verdict *metrics.Verdict
	// seen is the digest of a stub whose object was found to be the one of the basis.
	seen pack.Digest
}

// basis is all that a verdict depends on.
type basis struct {
	object, around pack.Digest
	// scalers is the digest of the autoscalers whose target has the object's name.
	scalers pack.Digest
	config  uint64
	// measured is the version of what was measured.
	measured uint64
	day      string // "" where no date has a part in it
}

func newVerdicts() *verdicts { return &verdicts{entries: map[cluster.Key]*entry{}} }

// holds says whether the verdict that is known is based on the same.
func (l *verdicts) holds(key cluster.Key, b basis) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[key]
	return e != nil && e.basis == b
}

// sees says whether a stub is known, and what stands around it has not changed either.
func (l *verdicts) sees(key cluster.Key, stub pack.Digest, b basis) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[key]
	if e == nil {
		return false
	}
	b.object = e.basis.object
	if e.basis.day == "" {
		b.day = "" // no date has a part in it; the stub could not tell
	}
	return e.seen == stub && e.basis == b
}

// saw notes that a stub stands for what has been judged.
func (l *verdicts) saw(key cluster.Key, stub pack.Digest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.seen = stub
	}
}

// doubt makes sure that the object is judged again at the next look.
func (l *verdicts) doubt(key cluster.Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.entries[key]; e != nil {
		e.basis, e.seen = basis{}, pack.Digest{}
	}
}

// replace remembers a verdict, nil for an object that is gone, and gives the one before.
func (l *verdicts) replace(key cluster.Key, next *entry) (before *metrics.Verdict) {
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

func (l *verdicts) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}
