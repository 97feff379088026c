package decision

import (
	"crypto/sha256"
	"time"

	"k8s.io/utils/lru"
)

const (
	// lateFor is how long an object that took too long is not tried again: its controller, or an attacker, sends it
	// again and again. It is not longer, because the node may have been slow.
	lateFor = 30 * time.Second
	maxLate = 4096
)

// slowObjects remembers which objects took too long to be judged or fixed. Once may be due to a busy processor; an object
// that takes too long twice is not tried a third time.
type slowObjects struct{ lru *lru.Cache }

type lateKey struct {
	key     [sha256.Size]byte
	patched bool
}

type lateness struct {
	times int
	until time.Time
}

func (l *slowObjects) add(key [sha256.Size]byte, patched bool, now time.Time) {
	times := 1
	if before, ok := l.get(lateKey{key, patched}, now); ok {
		times += before.times
	}
	l.lru.Add(lateKey{key, patched}, lateness{times, now.Add(lateFor)})
}

func (l *slowObjects) get(k lateKey, now time.Time) (lateness, bool) {
	found, ok := l.lru.Get(k)
	if !ok {
		return lateness{}, false
	}
	before := found.(lateness)
	return before, now.Before(before.until)
}

// has is true for an object that could not be judged in time. It cannot be fixed in time either.
func (l *slowObjects) has(key [sha256.Size]byte, patched bool, now time.Time) bool {
	for _, k := range []lateKey{{key, false}, {key, patched}} {
		if before, ok := l.get(k, now); ok && before.times > 1 {
			return true
		}
	}
	return false
}

func (l *slowObjects) clear() { l.lru.Clear() }
