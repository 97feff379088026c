//go:build integration

package measure_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// What only rises is a leak: not what follows the load, fills once, or starts again.
func TestRises(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 6 * time.Minute
	owners := owned{}
	const window = 4 * day
	leaked := func(at time.Time) float64 { return 100*mi + 200*mi*at.Sub(h.Ago(window)).Hours()/window.Hours() }
	grow := map[string]func(time.Time) float64{
		"leak":  leaked,
		"even":  history.Constant(150 * mi),
		"fills": func(at time.Time) float64 { return min(200*mi, leaked(at)) },
		"again": func(at time.Time) float64 {
			return 100*mi + float64(at.Sub(h.Ago(window)).Hours()-20*float64(int(at.Sub(h.Ago(window)).Hours()/20)))*mi
		},
		"odd":  func(at time.Time) float64 { return math.NaN() },
		"late": leaked, // of the later half of the window alone
	}
	for hour := 0; hour < 24; hour += 3 { // the load of a day, at whatever hour the window ends
		grow[fmt.Sprintf("load-%d", hour)] = func(at time.Time) float64 {
			return 100*mi + math.Mod(h.End.Sub(at).Hours()+float64(hour), 24)*10*mi
		}
		grow[fmt.Sprintf("day-%d", hour)] = func(at time.Time) float64 {
			return 400*mi - math.Mod(h.End.Sub(at).Hours()+float64(hour), 24)*10*mi
		}
	}
	for name, metaspace := range grow {
		began := h.Ago(window)
		if name == "late" {
			began = h.Ago(window * 9 / 16)
		}
		owners[name] = key("StatefulSet", name)
		runs(h, name, "app", window, history.Constant(0.5))
		j := jvm{h, history.Labels{"namespace": "shop", "pod": name, "container": "app"}}
		j.gauge("jvm_memory_max_bytes", 1024*mi, history.Labels{"area": "heap", "id": "G1 Old Gen"})
		h.Add("jvm_memory_committed_bytes", j.labels.With(history.Labels{"id": "Metaspace"}), began, h.End, metaspace)
		threads := j.labels.With(history.Labels{"jvm_thread_state": "runnable"})
		h.Add("jvm_threads_live_threads", threads, began, h.End, func(at time.Time) float64 { return metaspace(at) / mi })
	}
	url := history.Start(t, h, history.Options{})
	for _, asked := range []struct {
		window time.Duration
		parts  int // what one of them lacks has not grown all the time
		rises  float64
	}{
		{window, 1, 50},
		{window, 2, 50},
		{window * 7 / 8, 1, 50},
		{window, 3, 0},
		{day, 1, 0}, // a load and a leak are alike in less than two days
	} {
		source, err := measure.Prometheus(measure.PrometheusOptions{URL: url.URL, Window: asked.window})
		if err != nil {
			t.Fatal(err)
		}
		measure.At(source, h.End.Add(10*time.Second))
		measure.Cut(source, asked.parts)
		use, err := source.Namespace(t.Context(), "shop", owners)
		if err != nil {
			t.Error(err)
		}
		for name := range owners {
			got := use[key("StatefulSet", name)]["app"].Runtime.Rises
			want := engine.Rises{}
			if name == "leak" {
				want = engine.Rises{Metaspace: asked.rises * mi, Threads: asked.rises}
			}
			name = fmt.Sprintf("%s over %s in %d parts", name, asked.window, asked.parts)
			close(t, name+": metaspace", got.Metaspace, want.Metaspace)
			close(t, name+": threads", got.Threads, want.Threads)
		}
		if got := use[key("StatefulSet", "odd")]["app"].Runtime; got.Metaspace != 0 || got.HeapMax != 1024*mi {
			t.Errorf("what is no number is not known: %+v", got)
		}
	}
}
