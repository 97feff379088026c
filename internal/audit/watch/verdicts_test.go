package watch

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
)

// TestBasis: a verdict holds as long as what it is based on, and a day is part of that only
// where a date is.
func TestBasis(t *testing.T) {
	key := cluster.Key{Kind: "Deployment", Namespace: "shop", Name: "cart"}
	l := newVerdicts()
	at := basis{object: pack.Sum([]byte("a")), around: pack.Sum([]byte("b")), day: "2026-11-21"}
	stub := pack.Sum([]byte("stub"))
	if l.holds(key, at) || l.sees(key, stub, at) {
		t.Error("what was never judged holds")
	}
	first := &metrics.Verdict{Worst: metrics.None}
	if before := l.replace(key, &entry{basis: at, seen: stub, verdict: first}); before != nil {
		t.Error(before)
	}
	if !l.holds(key, at) || !l.sees(key, stub, at) {
		t.Error("it does not hold")
	}
	for name, change := range map[string]func(*basis){
		"the object":        func(b *basis) { b.object = pack.Sum([]byte("c")) },
		"its namespace":     func(b *basis) { b.around = pack.Sum([]byte("c")) },
		"an autoscaler":     func(b *basis) { b.scalers = pack.Sum([]byte("c")) },
		"what was measured": func(b *basis) { b.measured++ },
		"the config":        func(b *basis) { b.config++ },
		"the day of date":   func(b *basis) { b.day = "2026-11-22" },
	} {
		other := at
		change(&other)
		if l.holds(key, other) {
			t.Errorf("%s has changed, and the verdict holds", name)
		}
	}
	// A stub cannot tell whether a date has a part in it; the verdict can.
	undated := at
	undated.day = ""
	l.replace(key, &entry{basis: undated, seen: stub, verdict: first})
	if !l.sees(key, stub, at) || l.sees(key, pack.Sum([]byte("other")), at) {
		t.Error("a stub without a date")
	}
	l.doubt(key)
	if l.holds(key, undated) || l.sees(key, stub, undated) {
		t.Error("a doubt changes nothing")
	}
	if before := l.replace(key, nil); before != first || l.size() != 0 {
		t.Error(before, l.size())
	}
}
