package measure

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Every exporter has its anchor, and every metric is one that PromQL can read.
func TestExportersAreWhole(t *testing.T) {
	known := map[string]bool{
		"heap_max": true, "heap_used": true, "live": true, "metaspace": true, "class_space": true, "code_cache": true, "direct": true,
		"threads": true, "classes": true, "processors": true, "gc_seconds": true, "gc_count": true, "floor": true, "memory_limit": true,
		"version": true,
	}
	runtimes := map[string]bool{"jvm": true, "go": true, "node": true, "dotnet": true, "beam": true}
	names := map[string]bool{}
	for _, e := range exporters() {
		if names[e.Exporter] || e.Read == "" || !runtimes[e.Runtime] || e.Metrics[e.Anchor].Metric == "" {
			t.Errorf("%+v", e)
		}
		names[e.Exporter] = true
		for what, m := range e.Metrics {
			for ; ; m = *m.Or {
				if !known[what] || m.Metric == "" || strings.Count(m.Match, `"`)%2 != 0 {
					t.Errorf("%s: %s is %+v", e.Exporter, what, m)
				}
				if m.Or == nil {
					break
				}
			}
		}
	}
	if len(names) < 12 {
		t.Errorf("only %d exporters", len(names))
	}
}

// asJVM are the answers of one exporter to all questions about a container.
func asJVM(answers map[string]values, name string, of series, told map[string]float64) {
	told = maps.Clone(told)
	told[running] = 1
	for what, value := range told {
		answer := answerOf(&exporter{Exporter: name}, what)
		if answers[answer] == nil {
			answers[answer] = values{}
		}
		answers[answer][of] = value
	}
}

func TestRuntimesOf(t *testing.T) {
	const gi = 1 << 30
	app, proxy := series{pod: "a", container: "app"}, series{pod: "a", container: "proxy"}
	whole := map[string]float64{"heap_max": gi, least: gi, "heap_used": gi / 2, "live": gi / 4, "threads": 40, stepsOf: 100}
	with := func(changes map[string]float64) map[string]float64 {
		all := map[string]float64{}
		for _, from := range []map[string]float64{whole, changes} {
			for what, value := range from {
				all[what] = value
			}
		}
		return all
	}
	want := engine.Runtime{Exporter: "Micrometer", Kind: "jvm", HeapMax: gi, Live: gi / 4, Threads: 40, Samples: 100}
	want.Pods = alone(&want, gi)
	doubted := func(r engine.Runtime, part string) bool {
		return r.Exporter != "" && r.Live == 0 && r.HeapMax == 0 && strings.Contains(r.Doubt, part)
	}
	for _, test := range []struct {
		name  string
		tell  func(map[string]values)
		holds func(engine.Runtime) bool
	}{
		{
			"one exporter", func(a map[string]values) { asJVM(a, "Micrometer", app, whole) },
			func(r engine.Runtime) bool { return r == want },
		},
		{
			"no container label, two containers", func(a map[string]values) { asJVM(a, "Micrometer", series{pod: "a"}, whole) },
			func(r engine.Runtime) bool { return doubted(r, "the Pod has 2 containers") },
		},
		{
			"two JVMs in a container", func(a map[string]values) { asJVM(a, "Micrometer", app, with(map[string]float64{least: gi / 2})) },
			func(r engine.Runtime) bool { return doubted(r, "several JVMs") },
		},
		{
			"a maximum below the use", func(a map[string]values) { asJVM(a, "Micrometer", app, with(map[string]float64{"heap_used": 2 * gi})) },
			func(r engine.Runtime) bool { return doubted(r, "larger than its maximum") },
		},
		{"more that was live than there may be", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"live": 2 * gi}))
		}, func(r engine.Runtime) bool { return doubted(r, "more than its maximum now") }},
		{"collections in milliseconds", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"gc_seconds": 2}))
		}, func(r engine.Runtime) bool { return doubted(r, "another one than seconds") }},
		{"collections all the time, and the error of a rate", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"gc_seconds": 1.05}))
		}, func(r engine.Runtime) bool { return r.Doubt == "" && r.GCShare == 1 }},
		{"a heap in MiB", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"heap_max": 4096, least: 4096, "heap_used": 512}))
		}, func(r engine.Runtime) bool { return doubted(r, "another one than bytes") }},
		{"a heap in KiB", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"heap_max": 4 << 20, least: 4 << 20, "heap_used": 0, "live": 0}))
		}, func(r engine.Runtime) bool { return doubted(r, "under 16 MiB") }},
		{"classes in KiB", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"metaspace": 90 << 10}))
		}, func(r engine.Runtime) bool { return doubted(r, "less than 1 MiB") }},
		{"one scrape for each container of the Pod", func(a map[string]values) {
			asJVM(a, "Micrometer", app, whole)
			asJVM(a, "Micrometer", proxy, whole)
		}, func(r engine.Runtime) bool { return doubted(r, "the very same") }},
		{"more than the container took, as of what it passes on", func(a map[string]values) {
			a["memory max"][app] = gi / 8
			asJVM(a, "Micrometer", app, whole)
		}, func(r engine.Runtime) bool { return doubted(r, "another container's") }},
		{"a negative and an absurd value", func(a map[string]values) {
			asJVM(a, "Micrometer", app, with(map[string]float64{"live": -1, "metaspace": 1e30}))
		}, func(r engine.Runtime) bool {
			return r.Doubt == "" && r.Live == 0 && r.Metaspace == 0 && r.HeapMax == gi
		}},
		{"two exporters that agree", func(a map[string]values) {
			asJVM(a, "Micrometer", app, whole)
			asJVM(a, "OpenTelemetry", app, with(map[string]float64{"live": gi / 2, "metaspace": gi / 8}))
		}, func(r engine.Runtime) bool {
			return r.Exporter == "Micrometer" && r.Live == gi/4 && r.Metaspace == gi/8
		}},
		{"two exporters that do not", func(a map[string]values) {
			asJVM(a, "Micrometer", app, whole)
			asJVM(a, "OpenTelemetry", app, with(map[string]float64{"heap_max": 2 * gi, least: 2 * gi}))
		}, func(r engine.Runtime) bool { return doubted(r, "tell of different heaps") }},
		{"a JVM and a Go program", func(a map[string]values) {
			asJVM(a, "Micrometer", app, whole)
			asJVM(a, "client_golang", app, map[string]float64{"processors": 64})
		}, func(r engine.Runtime) bool { return r == want }},
		{"two runtimes, of which neither is a JVM", func(a map[string]values) {
			asJVM(a, "client_golang", app, map[string]float64{"processors": 64})
			asJVM(a, "prom-client", app, map[string]float64{"floor": gi})
		}, func(r engine.Runtime) bool { return doubted(r, "different runtimes") }},
		{"one exporter in doubt, one not", func(a map[string]values) {
			asJVM(a, "Micrometer", series{pod: "a"}, whole)
			asJVM(a, "OpenTelemetry", app, whole)
		}, func(r engine.Runtime) bool { return r.Exporter == "OpenTelemetry" && r.HeapMax == gi }},
		{
			"of no container that there is", func(a map[string]values) { asJVM(a, "Micrometer", series{pod: "b"}, whole) },
			func(r engine.Runtime) bool { return r == engine.Runtime{} },
		},
	} {
		answers := map[string]values{"cpu count": {app: 1}, "memory max": {app: gi, proxy: gi / 8}}
		test.tell(answers)
		if got := runtimesOf(exporters(), answers)[app]; !test.holds(got) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// Where only one container runs, a label is not needed to know it.
func TestOneContainerNeedsNoLabel(t *testing.T) {
	app := series{pod: "a", container: "app"}
	answers := map[string]values{"cpu count": {app: 1}}
	asJVM(answers, "Micrometer", series{pod: "a"}, map[string]float64{"heap_max": 1 << 30})
	if got := runtimesOf(exporters(), answers)[app]; got.HeapMax != 1<<30 || got.Doubt != "" {
		t.Errorf("%+v", got)
	}
}

func TestTogether(t *testing.T) {
	a := engine.Runtime{Exporter: "Micrometer", Live: 1, Threads: 9}
	b := engine.Runtime{Exporter: "Micrometer", Live: 5, Threads: 3}
	if got := together(a, engine.Runtime{Exporter: "prom-client", Kind: "node"}); !strings.Contains(got.Doubt, "different runtimes") {
		t.Errorf("%+v", got)
	}
	if got := together(a, b); got.Live != 5 || got.Threads != 9 {
		t.Errorf("%+v", got)
	}
	if got := together(engine.Runtime{}, b); got != b {
		t.Errorf("%+v", got)
	}
	doubt := b.Without("why")
	if together(a, doubt) != doubt || together(doubt, a) != doubt {
		t.Error("a doubt about one Pod is one about the workload")
	}
}

// What is told in one sentence is of one Pod: the one that is first in it, whatever the others have.
func TestFiguresOfOnePod(t *testing.T) {
	pod := func(peak float64, r engine.Runtime) engine.Runtime {
		r.Exporter = "Micrometer"
		r.Pods = alone(&r, peak)
		return r
	}
	quiet := pod(990, engine.Runtime{HeapMax: 2000, Live: 900, Direct: 900, Metaspace: 900, GCShare: 0.01})
	leaking := pod(300, engine.Runtime{
		HeapMax: 1000, Live: 300, Direct: 200, Metaspace: 100, Threads: 7, GCShare: 0.02,
		Rises: engine.Rises{Direct: 50, Metaspace: 5, Threads: 2},
	})
	full := pod(400, engine.Runtime{
		HeapMax: 500, Live: 400, Direct: 480, Metaspace: 200, Threads: 9, GCShare: 0.2,
		Rises: engine.Rises{Direct: 10, Metaspace: 5},
	})
	pods := []engine.Runtime{quiet, leaking, full}
	whole := func(r engine.Runtime) engine.Pod { return r.Pods.Live }
	want := engine.Pods{
		Live: whole(quiet), LiveShare: whole(full), DirectShare: whole(full), GCShare: whole(full),
		DirectRise: whole(leaking), MetaspaceRise: whole(full), ThreadsRise: whole(leaking),
	}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		got := together(together(pods[order[0]], pods[order[1]]), pods[order[2]])
		if got.Pods != want || got.HeapMax != 2000 || got.Direct != 900 || got.Rises.Direct != 50 {
			t.Errorf("%v: %+v", order, got)
		}
	}
	bare := pod(0, engine.Runtime{Live: 5000})
	if got := together(bare, full).Pods; got.LiveShare != whole(full) || got.Live != whole(bare) {
		t.Errorf("a Pod that tells no heap is before one whose share is known: %+v", got)
	}
	of := series{pod: "a", container: "app"}
	answers := map[string]values{"cpu count": {of: 1}, "memory max": {of: 700 << 20}}
	asJVM(answers, "Micrometer", of, map[string]float64{"heap_max": 1 << 30, "direct": 200, "direct" + rise: 50, "threads": 40})
	pod200 := engine.Pod{HeapMax: 1 << 30, Direct: 200, Threads: 40, MemoryPeak: 700 << 20}
	if got := runtimesOf(exporters(), answers)[of].Pods; got != (engine.Pods{DirectShare: pod200, DirectRise: pod200}) {
		t.Errorf("%+v", got)
	}
}

// A collector that runs beside the program stops it for less than a millisecond.
func TestPauses(t *testing.T) {
	for _, test := range []struct{ seconds, count, want float64 }{
		{0.4, 1000, 0.4},
		{0.0412, 1000, 0.04},
		{0, 10, 0.01},
		{0.000001, 1, 0.01},
		{1.234, 1000, 1.23},
		{9.996, 1000, 10},
		{12.4, 1000, 12},
		{0.2, 1, 200},
		{5, 0, 0},
	} {
		answers := map[string]values{}
		of := series{pod: "a", container: "app"}
		asJVM(answers, "Micrometer", of, map[string]float64{
			"heap_max": 1 << 30, "gc_seconds" + grown: test.seconds, "gc_count": test.count,
		})
		e := exporter{Exporter: "Micrometer", Runtime: "jvm"}
		if got := e.told(answers, of).GCPause; got != test.want {
			t.Errorf("%v s in %v collections: %v ms, not %v", test.seconds, test.count, got, test.want)
		}
	}
}

// A release counts where one program tells it, and while all Pods have the same.
func TestVersions(t *testing.T) {
	app := series{pod: "a", container: "app"}
	named := func(version string) series { return series{pod: "a", container: "app", uid: version} }
	for _, test := range []struct {
		told values
		want string
	}{
		{values{named("v22.11.0"): 1}, "v22.11.0"},
		{values{named("v22.11.0"): 1, named("v18.0.0"): 1}, ""},
		{values{{pod: "b", container: "app", uid: "v18.0.0"}: 1}, ""},
		{nil, ""},
	} {
		answers := map[string]values{"cpu count": {app: 1}}
		asJVM(answers, "prom-client", app, map[string]float64{"floor": 1})
		answers[answerOf(&exporter{Exporter: "prom-client"}, "version")] = test.told
		if got := runtimesOf(exporters(), answers)[app]; got.Version != test.want || got.Kind != "node" {
			t.Errorf("%v: %+v", test.told, got)
		}
	}
	old, now := engine.Runtime{Exporter: "prom-client", Kind: "node", Version: "v18.0.0"}, engine.Runtime{Exporter: "prom-client", Kind: "node", Version: "v22.0.0"}
	if got := together(old, now); got.Version != "" {
		t.Errorf("%+v", got)
	}
}

// The config's exporters come first; what a metric has in another unit is multiplied.
func TestOwnExporters(t *testing.T) {
	row := func(name string, metrics map[string]any) any {
		return map[string]any{"exporter": name, "runtime": "jvm", "metrics": metrics}
	}
	heap := map[string]any{
		"heap_max":   map[string]any{"metric": "shop_heap_mib", "times": 1048576},
		"gc_seconds": map[string]any{"metric": "shop_gc_ms", "times": 0.001},
	}
	own, err := withOwn([]any{row("shop", heap)})
	if err != nil || own[0].Exporter != "shop" || own[0].Anchor != "heap_max" || len(own) != len(exporters())+1 {
		t.Fatalf("%+v, %v", own, err)
	}
	app := series{pod: "a", container: "app"}
	answers := map[string]values{"cpu count": {app: 1}}
	asJVM(answers, "shop", app, map[string]float64{"heap_max": 512, least: 512, "gc_seconds": 5})
	if got := runtimesOf(own, answers)[app]; got.HeapMax != 512<<20 || got.GCShare != 0.005 || got.Exporter != "shop" || got.Doubt != "" {
		t.Errorf("%+v", got)
	}
	if got := metricsOf(own); !slices.Contains(got, "shop_heap_mib") || !slices.Contains(got, "jvm_memory_max_bytes") {
		t.Error(got)
	}
	for want, rows := range map[string]any{
		"already":       []any{row("Micrometer", heap)},
		"tells none of": []any{row("shop", map[string]any{"gc_seconds": map[string]any{"metric": "a"}})},
		"unknown field": []any{map[string]any{"exporter": "a", "else": 1}},
		"read metrics":  "text",
	} {
		if _, err := withOwn(rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if all, err := withOwn(nil); err != nil || len(all) != len(exporters()) {
		t.Error(err)
	}
}

// Nothing that a namespace is called gets out of its quotes, and what a collector passes on is not the collector's.
func TestRuntimeQueries(t *testing.T) {
	s := selectors{namespace: `a"} or vector(1) #`, step: time.Minute, matchers: `,cluster="x"`}
	for _, e := range exporters() {
		for what, m := range e.Metrics {
			for _, j := range append([]join{own, byAddress}, passedOn...) {
				q := s.runtime(m, j, what).expression(time.Hour)
				namespace := j.namespace
				if j == byAddress {
					namespace = "namespace"
				}
				if !strings.Contains(q, namespace+`="a\"} or vector(1) #"`) || !strings.Contains(q, `cluster="x"`) {
					t.Error(q)
				}
				if (j == own || j == byAddress) != strings.Contains(q, `exported_pod=""`) || m.Label == "" && j == own == strings.Contains(q, "label_replace") {
					t.Error(q)
				}
			}
		}
	}
}

// What no machine has is in another unit than it should be.
func TestDoubtful(t *testing.T) {
	const gi = 1 << 30
	for want, r := range map[string]engine.Runtime{
		"":                               {Kind: "jvm", Metaspace: 1 << 26, ClassSpace: 1 << 23, CodeCache: 1 << 26, Processors: 1920},
		"more than 2 GiB of code":        {Kind: "jvm", CodeCache: 3 * gi},
		"larger than the metaspace":      {Kind: "jvm", Metaspace: 1 << 26, ClassSpace: 1 << 27},
		"more processors than a machine": {Kind: "go", Processors: 64000},
	} {
		if got := doubtful(&r, 0, 0, 0); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}
