//go:build integration

package measure_test

import (
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// pools are what the collectors of Temurin 25.0.3 tell of a heap of 1 GiB: each pool with its maximum, in MiB.
var pools = map[string]map[string]float64{
	"generational ZGC":        {"ZGC Young Generation": 1024, "ZGC Old Generation": 1024},
	"generational Shenandoah": {"Shenandoah Young Gen": 1024, "Shenandoah Old Gen": 1024},
	"ZGC":                     {"ZHeap": 1024},
	"Serial":                  {"Eden Space": 273, "Survivor Space": 68, "Tenured Gen": 683},
	"G1":                      {"G1 Eden Space": -1, "G1 Survivor Space": -1, "G1 Old Gen": 1024},
}

// gauges are several of one metric that differ in a label.
func (j jvm) gauges(metric, label string, values map[string]float64, more history.Labels) {
	for name, value := range values {
		j.gauge(metric, mebibytesOf(value), more.With(history.Labels{label: name}))
	}
}

// What exporters and releases call the same, as their sources have it (runtimes.yaml).
func TestStrangers(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute
	owners := owned{}
	heap := history.Labels{"area": "heap"}
	typed := history.Labels{"jvm_memory_type": "heap"}
	old := history.Labels{"type": "heap"}
	collected := func(j jvm, metric string, unit float64, labels history.Labels) {
		j.paused(metric+"_sum", unit, labels)
		j.paused(metric+"_count", 1/0.012, labels)
	}
	type stranger struct {
		name, exporter string
		tell           func(jvm)
		want           engine.Runtime
	}
	java := engine.Runtime{Kind: "jvm", HeapMax: 1024 * mi}
	with := func(change func(*engine.Runtime)) engine.Runtime { r := java; change(&r); return r }
	paused := with(func(r *engine.Runtime) { r.GCShare, r.GCPause = 0.2, 12 })
	strangers := []stranger{
		{"Micrometer by OTLP", "Micrometer", func(j jvm) {
			j.gauges("jvm_memory_max_bytes", "id", pools["G1"], heap)
			j.gauge("jvm_threads_live", 77, nil)
			j.gauge("jvm_classes_loaded", 12345, nil)
			collected(j, "jvm_gc_pause_milliseconds", 1000, history.Labels{"gc": "G1 Young Generation", "cause": "a"})
		}, with(func(r *engine.Runtime) { r.GCShare, r.GCPause, r.Threads, r.Classes = 0.2, 12, 77, 12345 })},
		{"Micrometer before 1.13, ZGC", "Micrometer", func(j jvm) {
			j.gauges("jvm_memory_max_bytes", "id", pools["generational ZGC"], heap)
			collected(j, "jvm_gc_pause_seconds", 5, history.Labels{"gc": "ZGC Major Cycles", "cause": "a"})
			collected(j, "jvm_gc_pause_seconds", 1, history.Labels{"gc": "ZGC Major Pauses", "cause": "a"})
		}, paused},
		{"Micrometer by the names of OpenTelemetry", "OpenTelemetry", func(j jvm) {
			j.gauges("jvm_memory_limit_bytes", "jvm_memory_pool_name", pools["G1"], typed)
			j.gauge("jvm_gc_live_data_size_bytes", 300*mi, nil)
			j.gauge("jvm_buffer_memory_used_bytes", 33*mi, history.Labels{"id": "direct"})
			j.gauge("jvm_thread_count", 77, history.Labels{"jvm_thread_state": "waiting"})
			j.gauge("jvm_cpu_count", 2, nil)
			collected(j, "jvm_gc_pause_seconds", 1, history.Labels{"gc": "G1 Young Generation", "cause": "a"})
		}, with(func(r *engine.Runtime) {
			r.GCShare, r.GCPause, r.Live, r.Direct, r.Threads, r.Processors = 0.2, 12, 300*mi, 33*mi, 77, 2
		})},
		{"OpenTelemetry's agent before 2.14", "OpenTelemetry", func(j jvm) {
			j.gauges("jvm_memory_limit_bytes", "jvm_memory_pool_name", pools["generational Shenandoah"], typed)
			j.gauge("jvm_buffer_memory_usage_bytes", 33*mi, history.Labels{"jvm_buffer_pool_name": "direct"})
			// Generational Shenandoah keeps in its young pool what lives long, for a while.
			j.gauges("jvm_memory_used_after_last_gc_bytes", "jvm_memory_pool_name", map[string]float64{
				"Shenandoah Young Gen": 200, "Shenandoah Old Gen": 100,
			}, typed)
		}, with(func(r *engine.Runtime) { r.Direct, r.Live = 33*mi, 300*mi })},
		{"OpenTelemetry's agent 1.20", "OpenTelemetry, old names", func(j jvm) {
			j.gauges("process_runtime_jvm_memory_limit_bytes", "pool", pools["Serial"], old)
			collected(j, "process_runtime_jvm_gc_duration_milliseconds", 1000, history.Labels{"gc": "Copy", "action": "a"})
		}, paused},
		{"OpenTelemetry's agent 1.33", "OpenTelemetry, old names", func(j jvm) {
			j.gauges("process_runtime_jvm_memory_limit_bytes", "pool", pools["ZGC"], old)
			collected(j, "process_runtime_jvm_gc_duration_seconds", 1, history.Labels{"gc": "ZGC Pauses", "action": "a"})
			collected(j, "process_runtime_jvm_gc_duration_seconds", 9, history.Labels{"gc": "ZGC Cycles", "action": "a"})
		}, paused},
		{"jmx_exporter 0.20", "client_java 0.x", func(j jvm) {
			j.gauge("jvm_memory_bytes_max", 1024*mi, heap)
			j.gauge("jvm_classes_currently_loaded", 12345, nil)
			j.gauge("java_lang_OperatingSystem_AvailableProcessors", 64, nil)
		}, with(func(r *engine.Runtime) { r.Classes = 12345 })},
		{"jmx_exporter 0.3", "client_java 0.x", func(j jvm) {
			j.gauge("jvm_memory_bytes_max", 1024*mi, heap)
			j.gauge("jvm_classes_loaded", 12345, nil)
		}, with(func(r *engine.Runtime) { r.Classes = 12345 })},
		// By its own process it tells of another one, and how it names that is up to its rules.
		{"jmx_exporter beside the JVM", "", func(j jvm) {
			j.gauge("java_lang_Memory_HeapMemoryUsage_max", 1024*mi, nil)
			j.gauge("jvm_memory_heap_max", 1024*mi, nil)
		}, engine.Runtime{}},
		{"Go by OpenTelemetry", "OpenTelemetry, Go", func(j jvm) {
			j.gauge("go_processor_limit", 64, nil)
			j.gauge("go_memory_limit_bytes", 900*mi, nil)
			j.gauge("go_memory_used_bytes", 300*mi, history.Labels{"go_memory_type": "other"})
		}, engine.Runtime{Kind: "go", Processors: 64, MemoryLimit: 900 * mi}},
		{"Go by OpenTelemetry before", "OpenTelemetry, Go, old names", func(j jvm) {
			j.sawtooth("process_runtime_go_mem_heap_alloc_bytes", 290*mi, nil)
		}, engine.Runtime{Kind: "go", Floor: 290 * mi}},
		{"Go without GOMEMLIMIT", "client_golang", func(j jvm) {
			j.gauge("go_sched_gomaxprocs_threads", 4, nil)
			j.gauge("go_gc_gomemlimit_bytes", 9.223372036854775807e18, nil)
		}, engine.Runtime{Kind: "go", Processors: 4}},
		{".NET 9 by prometheus-net", "prometheus-net", func(j jvm) {
			j.sawtooth("dotnet_total_memory_bytes", 290*mi, nil)
			j.gauge("system_runtime_dotnet_process_cpu_count", 2, nil)
		}, engine.Runtime{Kind: "dotnet", Floor: 290 * mi, Processors: 2}},
		{"prometheus-net.DotNetRuntime", "prometheus-net.DotNetRuntime", func(j jvm) {
			j.gauge("dotnet_gc_heap_size_bytes", 250*mi, history.Labels{"gc_generation": "2"})
			j.gauge("dotnet_gc_heap_size_bytes", 40*mi, history.Labels{"gc_generation": "loh"})
			j.gauge("process_cpu_count", 2, nil)
		}, engine.Runtime{Kind: "dotnet", Floor: 290 * mi, Processors: 2}},
	}
	for _, s := range strangers {
		owners[s.name] = key("StatefulSet", s.name)
		runs(h, s.name, "app", window, history.Constant(0.5))
		s.tell(jvm{h, history.Labels{"namespace": "shop", "pod": s.name, "container": "app", "job": "apps"}})
	}
	use, err := told(t, h, history.Start(t, h, history.Options{})).Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	for _, s := range strangers {
		got := use[key("StatefulSet", s.name)]["app"].Runtime
		if got.Exporter != s.exporter || got.Doubt != "" || got.Kind != s.want.Kind {
			t.Errorf("%s: %+v", s.name, got)
		}
		wanted := s.want.Amounts()
		for i, amount := range got.Amounts() {
			if *wanted[i] > 0 || *amount > 0 {
				close(t, s.name, *amount, *wanted[i])
			}
		}
	}
}

// A Pod that has ended had a heap, and perhaps a bound, of its own.
func TestHeapOfPodThatIsGone(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute
	for name, held := range map[string]float64{"web-1-a": 15, "web-2-b": 10} {
		ago := 2 * day
		if name == "web-2-b" {
			ago = day
		}
		pod(h, name, ago, day, 0.3)
		h.Add("nodejs_heap_space_size_used_bytes", history.Labels{
			"namespace": "shop", "pod": name, "container": "app", "space": "old",
		}, h.Ago(ago), h.Ago(ago-day), history.Constant(held*mi))
	}
	owner(h, "kube_pod_owner", "pod", "web-1-a", "ReplicaSet", "web-1", 2*day, day)
	owner(h, "kube_replicaset_owner", "replicaset", "web-1", "Deployment", "web", 2*day, day)
	owners := owned{"web-2-b": key("Deployment", "web")}
	use, err := told(t, h, history.Start(t, h, history.Options{})).Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	close(t, "the heap", use[key("Deployment", "web")]["app"].Runtime.Floor, 10*mi)
}
