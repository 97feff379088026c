package watch

import (
	"maps"
	"math"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
)

// measures are what is known of the use of every workload: what Prometheus measured, and how containers ended.
type measures struct {
	mu    sync.Mutex
	known map[cluster.Key]*use
	count uint64
	// first is closed when the first round has ended, or takes too long.
	first   chan struct{}
	release func()
}

// use is that of one workload.
type use struct {
	measured, ends     map[string]engine.Measured
	measuredAt, endsAt time.Time
	// shown is what verdicts rest on, and version differs for each that was ever shown.
	shown   map[string]engine.Measured
	version uint64
}

func newMeasures() *measures {
	s := &measures{known: map[cluster.Key]*use{}, first: make(chan struct{})}
	s.release = sync.OnceFunc(func() { close(s.first) })
	return s
}

// valuesOf gives what a verdict on a workload rests on, and a version that differs with it.
func (s *measures) valuesOf(key cluster.Key) (map[string]engine.Measured, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.known[key]; known != nil {
		return known.shown, known.version
	}
	return nil, 0
}

// answer is what a round found out about a namespace.
type answer struct {
	use, ends measure.Use
	// asked says that Prometheus has answered, and listed that the Pods could be listed: else what was known before holds.
	asked, listed bool
	// partial says that Prometheus has not answered every question.
	partial bool
}

// remember remembers an answer and gives the workloads for which something has changed.
func (s *measures) remember(namespace string, a answer, now time.Time) (changed []cluster.Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, found := range []measure.Use{a.use, a.ends} {
		for key := range found {
			if s.known[key] == nil && key.Namespace == namespace {
				s.known[key] = &use{}
			}
		}
	}
	for key, known := range s.known {
		if key.Namespace != namespace {
			continue
		}
		awaits := a.partial && loses(known.measured, a.use[key]) && now.Sub(known.measuredAt) <= patience
		if a.asked && !awaits {
			known.measured, known.measuredAt = steady(known.measured, a.use[key]), now
		}
		if a.listed {
			known.ends, known.endsAt = a.ends[key], now
		}
		shown := known.valuesAt(now)
		if maps.Equal(shown, known.shown) {
			continue
		}
		changed = append(changed, key)
		if len(shown) == 0 {
			delete(s.known, key)
			continue
		}
		s.count++
		known.shown, known.version = shown, s.count
	}
	return changed
}

// keep forgets the workloads of namespaces that are gone.
func (s *measures) keep(namespaces map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.known, func(key cluster.Key, _ *use) bool { return !namespaces[key.Namespace] })
}

// valuesAt is what holds now. Values that were not confirmed get older, until the policies ignore them (measured.maxAge)
// and they are dropped.
func (m *use) valuesAt(now time.Time) map[string]engine.Measured {
	measured, ends := m.measured, m.ends
	if passed := now.Sub(m.measuredAt); passed > measure.Remembered {
		measured = nil
	} else if passed > patience {
		measured = make(map[string]engine.Measured, len(m.measured))
		for name, value := range m.measured {
			if value.Age >= 0 {
				value.Age = older(value.Age + passed)
			}
			measured[name] = value
		}
	}
	if now.Sub(m.endsAt) > measure.Remembered {
		ends = nil
	}
	return measure.WithEnds(measured, ends)
}

// patience is how long measured values keep their age: a restart of Prometheus, or one missed round, must not
// cause new reports.
const patience = 3 * time.Hour

// older rounds an age up, to an hour or to whole quarters of a day: each age that is shown is another report.
func older(age time.Duration) time.Duration {
	const quarter = 6 * time.Hour
	if age <= time.Hour {
		return time.Hour
	}
	return (age + quarter - 1).Truncate(quarter)
}

// steady keeps what was known of each container as long as the new is nearly the same. A window of days moves with
// every round, and a report is not to be written anew for that.
func steady(known, next map[string]engine.Measured) map[string]engine.Measured {
	all := make(map[string]engine.Measured, len(next))
	for name, value := range next {
		if value.Age >= 0 {
			value.Age = older(value.Age)
		}
		if before, ok := known[name]; ok && alike(before, value) {
			value = before
		}
		all[name] = value
	}
	return all
}

// loses is true if a value is no longer known.
func loses(known, next map[string]engine.Measured) bool {
	for name, before := range known {
		if after, ok := next[name]; !ok || measure.Fill(after, before) != measure.Fill(after, after) {
			return true
		}
	}
	return false
}

// near is the share by which two values may differ that count as the same.
const near = 0.05

func alike(a, b engine.Measured) bool {
	if a.Source != b.Source || a.Window != b.Window || a.Age != b.Age ||
		a.OOMKills != b.OOMKills || a.Restarts != b.Restarts || a.ProbeKills != b.ProbeKills ||
		a.Runtime.Exporter != b.Runtime.Exporter {
		return false
	}
	for _, pair := range pairs(&a, &b) {
		if !similar(pair[0], pair[1]) {
			return false
		}
	}
	return true
}

// pairs are the values of two measurements beside each other.
func pairs(a, b *engine.Measured) [][2]float64 {
	all := [][2]float64{
		{float64(a.Samples), float64(b.Samples)},
		{a.Seen.Seconds(), b.Seen.Seconds()},
		{amount(a.CPUAverage), amount(b.CPUAverage)},
		{amount(a.CPUPeak), amount(b.CPUPeak)},
		{amount(a.MemoryPeak), amount(b.MemoryPeak)},
		{float64(a.Runtime.Samples), float64(b.Runtime.Samples)},
		{a.Runtime.Seen.Seconds(), b.Runtime.Seen.Seconds()},
	}
	beside := func(a, b []*float64) {
		for i := range a {
			all = append(all, [2]float64{*a[i], *b[i]})
		}
	}
	beside(a.Amounts(), b.Amounts())
	beside(a.Runtime.Amounts(), b.Runtime.Amounts())
	pods := b.Runtime.Pods.All()
	for i, pod := range a.Runtime.Pods.All() {
		beside(pod.Amounts(), pods[i].Amounts())
	}
	return all
}

// similar is true if two values are nearly the same; an unknown value (-1) is only similar to another unknown one.
func similar(a, b float64) bool {
	if a < 0 || b < 0 {
		return a < 0 && b < 0
	}
	return math.Abs(a-b) <= near*math.Max(a, b)
}

// amount is a quantity as a number, -1 if it is missing or unreadable.
func amount(quantity string) float64 {
	q, err := resource.ParseQuantity(quantity)
	if err != nil {
		return -1
	}
	return q.AsApproximateFloat64()
}
