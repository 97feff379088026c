//go:build integration

package measure_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// badly is a JVM whose metrics are those of Micrometer, but for some that are wrong.
type badly struct {
	jvm
	values map[string]float64
	shape  func(metric string, value float64) func(time.Time) float64
	from   time.Duration // how long ago it began to tell
}

var wellTold = map[string]float64{
	"jvm_memory_max_bytes": 1024 * mi, "jvm_memory_used_bytes": 500 * mi, "jvm_gc_live_data_size_bytes": 300 * mi,
	"jvm_memory_committed_bytes": 90 * mi, "jvm_buffer_memory_used_bytes": 33 * mi, "jvm_threads_live_threads": 77,
}

var labelsOf = map[string]history.Labels{
	"jvm_memory_max_bytes": {"area": "heap", "id": "G1 Old Gen"}, "jvm_memory_used_bytes": {"area": "heap", "id": "G1 Old Gen"},
	"jvm_memory_committed_bytes": {"area": "nonheap", "id": "Metaspace"}, "jvm_buffer_memory_used_bytes": {"id": "direct"},
}

func (b badly) tell() {
	for metric, value := range wellTold {
		if other, ok := b.values[metric]; ok {
			value = other
		}
		shape := history.Constant(value)
		if b.shape != nil {
			shape = b.shape(metric, value)
		}
		b.h.Add(metric, b.labels.With(labelsOf[metric]), b.h.Ago(b.from), b.h.End, shape)
	}
}

// Whatever stands in Prometheus, it is told as it is, or said and not used.
func TestBadRuntimes(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute
	owners := owned{}
	whole := func(r engine.Runtime) string {
		if r.Doubt != "" || r.HeapMax != 1024*mi || r.Live != 300*mi || r.Metaspace != 90*mi || r.Direct != 33*mi || r.Threads != 77 {
			return fmt.Sprintf("%+v", r)
		}
		return ""
	}
	doubt := func(why string) func(engine.Runtime) string {
		return func(r engine.Runtime) string {
			if !strings.Contains(r.Doubt, why) || r.HeapMax+r.Live+r.Metaspace+r.Threads+r.GCShare != 0 {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}
	}
	without := func(what func(engine.Runtime) float64) func(engine.Runtime) string {
		return func(r engine.Runtime) string {
			if r.Doubt != "" || r.HeapMax != 1024*mi || what(r) != 0 {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}
	}
	live := func(r engine.Runtime) float64 { return r.Live }
	threads := func(r engine.Runtime) float64 { return r.Threads }
	at := func(values map[string]float64) func(badly) {
		return func(b badly) { b.values = values; b.tell() }
	}
	collections := func(b badly, ofSecond float64, starts time.Duration) {
		metric := "jvm_gc_pause_seconds_sum"
		b.h.Add(metric, b.labels.With(history.Labels{"gc": "G1"}), b.h.Ago(b.from), b.h.End, func(at time.Time) float64 {
			ran := at.Sub(b.h.Ago(b.from))
			return math.Mod(ran.Seconds(), starts.Seconds()) * ofSecond // it counts from 0 again at each start
		})
	}
	cases := []struct {
		name string
		tell func(badly)
		want func(engine.Runtime) string
	}{
		{"as it should be", at(nil), whole},
		{"a heap in MiB", at(map[string]float64{"jvm_memory_max_bytes": 1024, "jvm_memory_used_bytes": 500}), doubt("another one than bytes")},
		{"a use in KiB of a heap in MiB", at(map[string]float64{"jvm_memory_max_bytes": 1024, "jvm_memory_used_bytes": 512000}), doubt("than bytes")},
		{"all in KiB", at(map[string]float64{
			"jvm_memory_max_bytes": 1 << 20, "jvm_memory_used_bytes": 500 << 10, "jvm_gc_live_data_size_bytes": 300 << 10,
		}), doubt("than bytes")},
		{"more than the container took", at(map[string]float64{"jvm_gc_live_data_size_bytes": 400 * mi}), doubt("another container's")},
		{"more classes than the container took", at(map[string]float64{"jvm_memory_committed_bytes": 900 * mi}), doubt("another container's")},
		{"more buffers than the container took", at(map[string]float64{"jvm_buffer_memory_used_bytes": 900 * mi}), doubt("another container's")},
		{"more threads than there is room for", at(map[string]float64{"jvm_threads_live_threads": 1e6}), doubt("another container's")},
		{"a maximum below the use", at(map[string]float64{"jvm_memory_used_bytes": 2048 * mi}), doubt("larger than its maximum")},
		{"a maximum below what is live", at(map[string]float64{"jvm_gc_live_data_size_bytes": 2048 * mi}), doubt("more than its maximum now")},
		{"no number", at(map[string]float64{"jvm_gc_live_data_size_bytes": math.NaN()}), without(live)},
		{"without end", at(map[string]float64{"jvm_gc_live_data_size_bytes": math.Inf(1)}), without(live)},
		{"absurd", at(map[string]float64{"jvm_gc_live_data_size_bytes": 1e300}), without(live)},
		{"less than nothing", at(map[string]float64{"jvm_threads_live_threads": -5}), without(threads)},
		{"a heap that is no number", at(map[string]float64{"jvm_memory_max_bytes": math.NaN()}), func(r engine.Runtime) string {
			if r.Known() {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}},
		{"a heap without a maximum", at(map[string]float64{"jvm_memory_max_bytes": -1}), func(r engine.Runtime) string {
			if r.HeapMax != 0 {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}},
		{"two jobs that scrape the same", func(b badly) {
			b.tell()
			b.labels = b.labels.With(history.Labels{"job": "again"})
			b.tell()
		}, whole},
		{"two exporters of different heaps", func(b badly) {
			b.tell()
			b.gauge("jvm_memory_limit_bytes", 4096*mi, history.Labels{"jvm_memory_type": "heap", "jvm_memory_pool_name": "G1 Old Gen"})
		}, doubt("tell of different heaps")},
		{"two programs in a container", func(b badly) {
			b.tell()
			b.labels = b.labels.With(history.Labels{"instance": "10.0.0.9:9999"})
			b.values = map[string]float64{"jvm_memory_max_bytes": 2048 * mi}
			b.tell()
		}, doubt("several JVMs")},
		{"gaps of an hour", func(b badly) {
			b.shape = func(_ string, value float64) func(time.Time) float64 {
				return func(at time.Time) float64 {
					if since := b.h.End.Sub(at); since > time.Hour && int(since.Hours())%2 == 1 {
						return math.NaN()
					}
					return value
				}
			}
			b.tell()
		}, whole},
		{"of an hour ago", func(b badly) { b.from = time.Hour; b.tell() }, func(r engine.Runtime) string {
			if r.Seen > time.Hour || r.Samples > 13 || r.Doubt != "" {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}},
		{"counters that begin again every hour", func(b badly) { b.tell(); collections(b, 0.02, time.Hour) }, func(r engine.Runtime) string {
			if math.Abs(r.GCShare-0.02) > 0.003 {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}},
		{"collections in milliseconds", func(b badly) { b.tell(); collections(b, 20, 100*window) }, doubt("another one than seconds")},
		{"counters that fall", func(b badly) { b.tell(); collections(b, -1, 100*window) }, func(r engine.Runtime) string {
			if r.Doubt == "" && r.GCShare > 1 {
				return fmt.Sprintf("%+v", r)
			}
			return ""
		}},
	}
	for i := range cases {
		name := fmt.Sprintf("bad-%d", i)
		owners[name] = key("StatefulSet", name)
		runs(h, name, "app", window, history.Constant(0.5))
		labels := history.Labels{"namespace": "shop", "pod": name, "container": "app", "job": "apps", "instance": "10.0.0.1:8080"}
		cases[i].tell(badly{jvm: jvm{h, labels}, from: window})
	}
	server := history.Start(t, h, history.Options{})
	for _, parts := range []int{1, 3} {
		source := told(t, h, server)
		measure.Cut(source, parts)
		use, err := source.Namespace(t.Context(), "shop", owners)
		if err != nil {
			t.Error(err)
		}
		for i, c := range cases {
			if wrong := c.want(use[key("StatefulSet", fmt.Sprintf("bad-%d", i))]["app"].Runtime); wrong != "" {
				t.Errorf("%s, in %d parts: %s", c.name, parts, wrong)
			}
		}
	}
}
