//go:build system

package faults

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// stream is one kind of Pods that are created all the time in a namespace of its own.
type stream struct {
	name      string
	labels    []string
	pod       func() *corev1.Pod
	healthy   string   // what becomes of them while all is well
	legal     []string // what else may become of them while something is broken
	namespace string
	outcomes  []outcome
}

// load creates Pods at a steady rate, whatever becomes of those before.
type load struct {
	streams []*stream
	stop    chan struct{}
	done    sync.WaitGroup
	mutex   sync.Mutex
}

// streams are the promises that no fault may break: what has mutation without enforcement
// gets in, and what enforcement refuses does not.
func streams() []*stream {
	return []*stream{
		{
			name: "mutation", labels: []string{"headroom.dev/mode=warn", "headroom.dev/mutate=enabled"},
			pod: wrong, healthy: mutated, legal: []string{admitted},
		},
		{
			name: "enforcement of a wrong Pod", labels: []string{"headroom.dev/mode=enforce"},
			pod: wrong, healthy: judged, legal: []string{closed},
		},
		{
			name: "enforcement of a right Pod", labels: []string{"headroom.dev/mode=enforce"},
			pod: right, healthy: admitted, legal: []string{closed},
		},
	}
}

// startLoad creates this many Pods a second, of all streams in turn, until the end.
func startLoad(t *testing.T, rate int) *load {
	t.Helper()
	l := &load{streams: streams(), stop: make(chan struct{})}
	for _, s := range l.streams {
		s.namespace = cluster.Namespace(t, s.labels...)
	}
	client := quiet(t)
	// The first of each is judged by both replicas, so that a machine with two busy cores
	// does not start with a decision that takes its 250 ms.
	for _, s := range l.streams {
		for range 10 {
			create(t.Context(), client, s.namespace, s.pod())
		}
	}
	l.done.Go(func() {
		tick := time.NewTicker(time.Second / time.Duration(rate))
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-l.stop:
				return
			case <-tick.C:
			}
			s := l.streams[i%len(l.streams)]
			l.done.Go(func() {
				o := create(t.Context(), client, s.namespace, s.pod())
				l.mutex.Lock()
				defer l.mutex.Unlock()
				s.outcomes = append(s.outcomes, o)
			})
		}
	})
	return l
}

// window is when something was broken.
type window struct {
	from, to time.Time
	// waits is set where calls wait for something else than headroom, such as the API server's
	// own start: how long they may take counts from its end.
	waits bool
}

func (w window) holds(o outcome) bool {
	return o.began.Add(o.took).After(w.from) && o.began.Before(w.to)
}

// tookBeside is how long the call took that was not waiting in such a window.
func (o outcome) tookBeside(windows []window) time.Duration {
	took := o.took
	for _, w := range windows {
		if w.waits && w.holds(o) {
			took = min(took, o.began.Add(o.took).Sub(w.to))
		}
	}
	return took
}

// end ends the load and fails the test for every Pod of which became what may not: outside
// of the windows all must go as in health. Calls may take as long as longest.
func (l *load) end(t *testing.T, longest time.Duration, broken ...window) {
	t.Helper()
	close(l.stop)
	l.done.Wait()
	for _, s := range l.streams {
		counts, bad := map[string]int{}, []string{}
		var slowest time.Duration
		for _, o := range s.outcomes {
			counts[o.kind]++
			slowest = max(slowest, o.took)
			fine := o.kind == s.healthy || slices.Contains(s.legal, o.kind) &&
				slices.ContainsFunc(broken, func(w window) bool { return w.holds(o) })
			if !fine || o.tookBeside(broken) > longest {
				bad = append(bad, fmt.Sprintf("at %s, after %s: %s: %v",
					o.began.Format("15:04:05.000"), o.took.Round(time.Millisecond), o.kind, o.err))
			}
		}
		var parts []string
		for _, kind := range slices.Sorted(maps.Keys(counts)) {
			parts = append(parts, fmt.Sprintf("%d %s", counts[kind], kind))
		}
		t.Logf("%s: %s; slowest %s", s.name, strings.Join(parts, ", "), slowest.Round(time.Millisecond))
		if len(bad) > 0 {
			t.Errorf("%s: %d Pods went wrong, among them:\n%s", s.name, len(bad), strings.Join(bad[:min(5, len(bad))], "\n"))
		}
		if counts[s.healthy] == 0 {
			t.Errorf("%s: none was %s", s.name, s.healthy)
		}
	}
}
