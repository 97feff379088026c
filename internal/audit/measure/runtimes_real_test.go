//go:build integration

package measure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// jvm is what one JVM tells over two days; the functions write it in the words of one exporter each.
type jvm struct {
	h      *history.History
	labels history.Labels
}

func (j jvm) gauge(metric string, value float64, labels history.Labels) {
	j.h.Add(metric, j.labels.With(labels), j.h.Ago(window), j.h.End, history.Constant(value))
}

// collected are the time and the number of collections, of 12 ms each: a share of the time, and much more of it for one
// hour.
func (j jvm) collected(metric string, labels history.Labels) {
	j.paused(metric, 1, labels)
	j.paused(strings.TrimSuffix(metric, "_sum")+"_count", 1/0.012, labels)
}

// paused is a counter of each second in collections.
func (j jvm) paused(metric string, ofSecond float64, labels history.Labels) {
	used, last := 0.0, j.h.Ago(window)
	share := between(j.h, 5*time.Hour, 4*time.Hour, 0.2, 0.01)
	j.h.Add(metric, j.labels.With(labels), last, j.h.End, func(at time.Time) float64 {
		used += share(at) * at.Sub(last).Seconds() * ofSecond
		last = at
		return used
	})
}

func (j jvm) micrometer() {
	for pool, bytes := range map[string]float64{"G1 Old Gen": 1024, "G1 Eden Space": -1, "G1 Survivor Space": -1} {
		j.gauge("jvm_memory_max_bytes", mebibytesOf(bytes), history.Labels{"area": "heap", "id": pool})
		j.gauge("jvm_memory_used_bytes", 100*mi, history.Labels{"area": "heap", "id": pool})
	}
	j.gauge("jvm_gc_live_data_size_bytes", 300*mi, nil)
	for pool, bytes := range map[string]float64{
		"Metaspace": 90, "Compressed Class Space": 12, "CodeHeap 'profiled nmethods'": 20, "CodeHeap 'non-nmethods'": 4,
	} {
		j.gauge("jvm_memory_committed_bytes", bytes*mi, history.Labels{"area": "nonheap", "id": pool})
	}
	j.gauge("jvm_buffer_memory_used_bytes", 33*mi, history.Labels{"id": "direct"})
	j.gauge("jvm_buffer_memory_used_bytes", 99*mi, history.Labels{"id": "mapped"})
	j.gauge("jvm_threads_live_threads", 77, nil)
	j.gauge("jvm_classes_loaded_classes", 12345, nil)
	j.gauge("system_cpu_count", 2, nil)
	j.collected("jvm_gc_pause_seconds_sum", history.Labels{"action": "end of minor GC", "cause": "G1 Evacuation Pause", "gc": "G1 Young Generation"})
}

func (j jvm) openTelemetry() {
	heap := func(pool string) history.Labels {
		return history.Labels{"jvm_memory_type": "heap", "jvm_memory_pool_name": pool}
	}
	j.gauge("jvm_memory_limit_bytes", 1024*mi, heap("G1 Old Gen"))
	for _, pool := range []string{"G1 Old Gen", "G1 Eden Space", "G1 Survivor Space"} {
		j.gauge("jvm_memory_used_bytes", 100*mi, heap(pool))
		j.gauge("jvm_memory_used_after_last_gc_bytes", 300*mi, heap(pool))
	}
	other := func(pool string) history.Labels {
		return history.Labels{"jvm_memory_type": "non_heap", "jvm_memory_pool_name": pool}
	}
	j.gauge("jvm_memory_committed_bytes", 90*mi, other("Metaspace"))
	j.gauge("jvm_memory_committed_bytes", 12*mi, other("Compressed Class Space"))
	j.gauge("jvm_memory_committed_bytes", 24*mi, other("CodeCache"))
	j.gauge("jvm_buffer_memory_used_bytes", 33*mi, history.Labels{"jvm_buffer_pool_name": "direct"})
	j.gauge("jvm_thread_count", 70, history.Labels{"jvm_thread_daemon": "true", "jvm_thread_state": "waiting"})
	j.gauge("jvm_thread_count", 7, history.Labels{"jvm_thread_daemon": "false", "jvm_thread_state": "runnable"})
	j.gauge("jvm_class_count", 12345, nil)
	j.gauge("jvm_cpu_count", 2, nil)
	j.collected("jvm_gc_duration_seconds_sum", history.Labels{"jvm_gc_name": "G1 Young Generation", "jvm_gc_action": "end of minor GC"})
	j.collected("jvm_gc_duration_seconds_sum", history.Labels{"jvm_gc_name": "G1 Concurrent GC", "jvm_gc_action": "end of concurrent GC pause"})
}

func (j jvm) clientJava(name func(first, last string) string, classes string) {
	j.gauge(name("jvm_memory", "max"), 1024*mi, history.Labels{"area": "heap"})
	j.gauge(name("jvm_memory", "used"), 300*mi, history.Labels{"area": "heap"})
	j.gauge("jvm_memory_pool_collection_used_bytes", 300*mi, history.Labels{"pool": "G1 Old Gen"})
	j.gauge(name("jvm_memory_pool", "committed"), 90*mi, history.Labels{"pool": "Metaspace"})
	j.gauge(name("jvm_memory_pool", "committed"), 12*mi, history.Labels{"pool": "Compressed Class Space"})
	j.gauge(name("jvm_memory_pool", "committed"), 24*mi, history.Labels{"pool": "CodeCache"})
	j.gauge("jvm_buffer_pool_used_bytes", 33*mi, history.Labels{"pool": "direct"})
	j.gauge("jvm_threads_current", 77, nil)
	j.gauge(classes, 12345, nil)
	j.collected("jvm_gc_collection_seconds_sum", history.Labels{"gc": "G1 Young Generation"})
}

// sawtooth is a heap that fills within half an hour and stays empty for a third of it; what it holds then is for good.
func (j jvm) sawtooth(metric string, least float64, labels history.Labels) {
	j.h.Add(metric, j.labels.With(labels), j.h.Ago(window), j.h.End, func(at time.Time) float64 {
		return least + max(0, float64(at.Unix()%1800)-600)/1200*200*mi
	})
}

// others are a program of each other runtime, by the exporter that tells of it.
func others(of func(name string) jvm) {
	golang := of("client_golang")
	golang.gauge("go_sched_gomaxprocs_threads", 64, nil)
	golang.gauge("go_gc_gomemlimit_bytes", 900*mi, nil)
	golang.sawtooth("go_memstats_heap_alloc_bytes", 310*mi, nil)
	golang.gauge("go_gc_heap_live_bytes", 300*mi, nil)
	for exporter, of := range map[string]jvm{"taskmanager": of("Flink"), "jobmanager": of("Flink, job manager")} {
		status := "flink_" + exporter + "_Status_JVM_"
		of.gauge(status+"Memory_Heap_Max", 1024*mi, history.Labels{"tm_id": "10_0_0_1:6122"})
		of.gauge(status+"Memory_Metaspace_Committed", 90*mi, nil)
		of.gauge(status+"Memory_Direct_MemoryUsed", 33*mi, nil)
		of.gauge(status+"Threads_Count", 77, nil)
	}
	node := of("prom-client")
	node.sawtooth("nodejs_heap_space_size_used_bytes", 200*mi, history.Labels{"space": "old"})
	node.gauge("nodejs_heap_space_size_used_bytes", 100*mi, history.Labels{"space": "large_object"})
	node.gauge("nodejs_heap_space_size_used_bytes", 999*mi, history.Labels{"space": "new"})
	node.gauge("nodejs_external_memory_bytes", 33*mi, nil)
	node.gauge("nodejs_version_info", 1, history.Labels{"version": "v22.11.0", "major": "22"})
	v8 := of("OpenTelemetry, V8")
	v8.sawtooth("v8js_memory_heap_used_bytes", 300*mi, history.Labels{"v8js_heap_space_name": "old_space"})
	v8.gauge("v8js_memory_heap_used_bytes", 999*mi, history.Labels{"v8js_heap_space_name": "new_space"})
	meter := of("OpenTelemetry, .NET")
	meter.sawtooth("dotnet_gc_last_collection_heap_size_bytes", 290*mi, history.Labels{"gc_heap_generation": "gen2"})
	meter.gauge("dotnet_gc_last_collection_heap_size_bytes", 10*mi, history.Labels{"gc_heap_generation": "gen0"})
	meter.gauge("dotnet_process_cpu_count", 2, nil)
	older := of("OpenTelemetry, .NET before 9")
	older.gauge("process_runtime_dotnet_gc_heap_size_bytes", 300*mi, history.Labels{"generation": "gen2"})
	net := of("prometheus-net")
	net.sawtooth("dotnet_total_memory_bytes", 300*mi, nil)
	net.gauge("process_num_threads", 77, nil)
	erlang := of("prometheus.erl")
	erlang.gauge("erlang_vm_memory_bytes_total", 200*mi, history.Labels{"kind": "system"})
	erlang.sawtooth("erlang_vm_memory_bytes_total", 100*mi, history.Labels{"kind": "processes"})
	erlang.gauge("erlang_vm_schedulers_online", 2, nil)
}

// scrapedAt is what is scraped by an address alone, and the Pod that kube-state-metrics has for it.
func scrapedAt(h *history.History, pod, address, hostNetwork string, created time.Duration) jvm {
	info := history.Labels{"namespace": "shop", "pod": pod, "pod_ip": address, "host_network": hostNetwork, "job": "kube-state-metrics"}
	h.Add("kube_pod_info", info, h.Ago(created), h.End, history.Constant(1))
	at := float64(h.Ago(created).Unix())
	h.Add("kube_pod_created", history.Labels{"namespace": "shop", "pod": pod, "job": "kube-state-metrics"}, h.Ago(created), h.End, history.Constant(at))
	return jvm{h, history.Labels{"instance": address + ":8080", "job": "static"}}
}

// Where a series names no Pod, its address does, if it is the Pod's alone and was all the time.
func TestRuntimesByAddress(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute
	owners := owned{}
	for _, name := range []string{"alone", "six", "taken", "young", "node"} {
		owners[name] = key("StatefulSet", name)
		runs(h, name, "app", window, history.Constant(0.5))
	}
	scrapedAt(h, "alone", "10.0.0.1", "false", window).micrometer()
	six := scrapedAt(h, "six", "fd00::6", "false", window)
	six.labels["instance"] = "[fd00::6]:8080"
	six.micrometer()
	scrapedAt(h, "taken", "10.0.0.3", "false", window).micrometer()
	scrapedAt(h, "done", "10.0.0.3", "false", window)
	scrapedAt(h, "young", "10.0.0.4", "false", time.Hour).micrometer()
	scrapedAt(h, "node", "192.168.0.1", "true", window).micrometer()
	jvm{h, history.Labels{"instance": "10.9.9.9:80", "job": "elsewhere"}}.micrometer()
	source := told(t, h, history.Start(t, h, history.Options{}))
	use, err := source.Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	of := func(name string) engine.Runtime { return use[key("StatefulSet", name)]["app"].Runtime }
	for _, name := range []string{"alone", "six"} {
		got := of(name)
		if got.Exporter != "Micrometer" || got.Doubt != "" {
			t.Errorf("%s: %+v", name, got)
		}
		close(t, "live", got.Live, 300*mi)
		close(t, "share of collections", got.GCShare, 0.2)
		close(t, "steps of a day", float64(got.Samples), 288)
	}
	if got := of("taken"); !strings.Contains(got.Doubt, "one of several Pods") || got.HeapMax != 0 {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"young", "node"} {
		if got := of(name); got.Known() {
			t.Errorf("%s: whose it is is not known: %+v", name, got)
		}
	}
}

// What other runtimes tell, by the exporter: a heap counts as it is at the lowest of an hour.
func TestOtherRuntimes(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute
	owners := owned{}
	pods := map[string]string{}
	others(func(exporter string) jvm {
		name := "pod-" + string(rune('a'+len(pods)))
		pods[exporter] = name
		owners[name] = key("StatefulSet", name)
		runs(h, name, "app", window, history.Constant(0.5))
		return jvm{h, history.Labels{"namespace": "shop", "pod": name, "container": "app"}}
	})
	source := told(t, h, history.Start(t, h, history.Options{}))
	use, err := source.Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	for exporter, want := range map[string]engine.Runtime{
		"client_golang":                {Kind: "go", Processors: 64, MemoryLimit: 900 * mi, Live: 300 * mi, Floor: 310 * mi},
		"Flink":                        {Kind: "jvm", Metaspace: 90 * mi, Direct: 33 * mi, Threads: 77},
		"Flink, job manager":           {Kind: "jvm", Metaspace: 90 * mi, Direct: 33 * mi, Threads: 77},
		"prom-client":                  {Kind: "node", Floor: 300 * mi, Direct: 33 * mi, Version: "v22.11.0"},
		"OpenTelemetry, V8":            {Kind: "node", Floor: 300 * mi},
		"OpenTelemetry, .NET":          {Kind: "dotnet", Floor: 300 * mi, Processors: 2},
		"OpenTelemetry, .NET before 9": {Kind: "dotnet", Floor: 300 * mi},
		"prometheus-net":               {Kind: "dotnet", Floor: 300 * mi, Threads: 77},
		"prometheus.erl":               {Kind: "beam", Floor: 300 * mi, Processors: 2},
	} {
		got := use[key("StatefulSet", pods[exporter])]["app"].Runtime
		if got.Exporter != exporter || got.Kind != want.Kind || got.Doubt != "" || got.Version != want.Version {
			t.Errorf("%s: %+v", exporter, got)
		}
		for _, v := range [][2]float64{
			{got.Floor, want.Floor},
			{got.Live, want.Live},
			{got.MemoryLimit, want.MemoryLimit},
			{got.Metaspace, want.Metaspace},
			{got.Direct, want.Direct},
			{got.Threads, want.Threads},
			{got.Processors, want.Processors},
			{float64(got.Samples), 576},
		} {
			close(t, exporter, v[0], v[1])
		}
	}
}

func mebibytesOf(n float64) float64 {
	if n < 0 {
		return n
	}
	return n * mi
}

// The same JVM is the same to all exporters, and by all labels.
func TestRuntimes(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute // so that one scrape brings all of it in time
	owners := owned{}
	add := func(name string, containers ...string) {
		owners[name+"-0"] = key("StatefulSet", name)
		for _, container := range containers {
			runs(h, name+"-0", container, window, history.Constant(0.5))
		}
	}
	scraped := func(pod, container string) jvm {
		labels := history.Labels{"namespace": "shop", "pod": pod + "-0", "job": pod, "instance": "10.0.0.1:8080"}
		if container != "" {
			labels["container"] = container
		}
		return jvm{h, labels}
	}
	for _, name := range []string{"micrometer", "otel", "java", "oldjava", "passed", "alone", "golang"} {
		add(name, "app")
	}
	for _, name := range []string{"beside", "doubled", "unlabelled"} {
		add(name, "app", "proxy")
	}
	scraped("micrometer", "app").micrometer()
	scraped("otel", "app").openTelemetry()
	scraped("java", "app").clientJava(func(first, last string) string { return first + "_" + last + "_bytes" }, "jvm_classes_currently_loaded")
	scraped("oldjava", "app").clientJava(func(first, last string) string { return first + "_bytes_" + last }, "jvm_classes_loaded")
	scraped("alone", "").micrometer()
	scraped("beside", "app").micrometer()
	scraped("unlabelled", "").micrometer()
	scraped("golang", "app").gauge("go_sched_gomaxprocs_threads", 64, nil)
	// Told twice, by two Prometheus servers, of which each scrapes two ports.
	for _, extra := range []history.Labels{
		{"prometheus_replica": "a"}, {"prometheus_replica": "b"}, {"instance": "10.0.0.1:9404", "job": "other"},
	} {
		jvm{h, scraped("doubled", "app").labels.With(extra)}.micrometer()
	}
	// A collector passes it on, and Prometheus gives it the collector's own labels.
	jvm{h, history.Labels{
		"namespace": "monitoring", "pod": "collector-0", "container": "collector", "job": "collector",
		"k8s_namespace_name": "shop", "k8s_pod_name": "passed-0", "k8s_container_name": "app",
	}}.openTelemetry()

	server := history.Start(t, h, history.Options{})
	source := told(t, h, server)
	use, err := source.Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	whole := engine.Runtime{
		HeapMax: 1024 * mi, Live: 300 * mi, Metaspace: 90 * mi, ClassSpace: 12 * mi, CodeCache: 24 * mi, Direct: 33 * mi,
		Threads: 77, Classes: 12345, Processors: 2, GCShare: 0.2, GCPause: 12, Samples: 576, Seen: window,
	}
	counted := whole
	counted.Processors = 0
	for name, want := range map[string]struct {
		exporter string
		runtime  engine.Runtime
	}{
		"micrometer": {"Micrometer", whole}, "otel": {"OpenTelemetry", whole}, "passed": {"OpenTelemetry", whole},
		"java": {"client_java", counted}, "oldjava": {"client_java 0.x", counted},
		"alone": {"Micrometer", whole}, "beside": {"Micrometer", whole}, "doubled": {"Micrometer", whole},
		"golang": {"client_golang", engine.Runtime{Processors: 64, Samples: 576, Seen: window}},
	} {
		got := use[key("StatefulSet", name)]["app"].Runtime
		if got.Exporter != want.exporter || got.Doubt != "" {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for _, v := range []struct {
			what      string
			got, want float64
		}{
			{"heap", got.HeapMax, want.runtime.HeapMax},
			{"live", got.Live, want.runtime.Live},
			{"metaspace", got.Metaspace, want.runtime.Metaspace},
			{"class space", got.ClassSpace, want.runtime.ClassSpace},
			{"code cache", got.CodeCache, want.runtime.CodeCache},
			{"direct", got.Direct, want.runtime.Direct},
			{"threads", got.Threads, want.runtime.Threads},
			{"classes", got.Classes, want.runtime.Classes},
			{"processors", got.Processors, want.runtime.Processors},
			{"share of collections", got.GCShare, want.runtime.GCShare},
			{"a pause", got.GCPause, want.runtime.GCPause},
			{"steps", float64(got.Samples), float64(want.runtime.Samples)},
			{"time seen", got.Seen.Hours(), want.runtime.Seen.Hours()},
		} {
			close(t, name+": "+v.what, v.got, v.want)
		}
	}
	if got := use[key("StatefulSet", "beside")]["proxy"].Runtime; got.Known() {
		t.Errorf("the proxy is no JVM: %+v", got)
	}
	for _, container := range []string{"app", "proxy"} {
		if got := use[key("StatefulSet", "unlabelled")][container].Runtime; got.Doubt == "" || got.HeapMax != 0 {
			t.Errorf("whose it is is not known: %+v", got)
		}
	}
	if use, err := source.Namespace(t.Context(), "monitoring", owned{"collector-0": cluster.Key{
		Kind: "StatefulSet", Namespace: "monitoring", Name: "collector",
	}}); err != nil || len(use) != 0 {
		t.Errorf("what a collector passes on is not its own: %v, %v", use, err)
	}
}

// A Pod's metaspace is at its most when its buffers are not: what counts is the most that they took together.
func TestBesideHeap(t *testing.T) {
	t.Parallel()
	h := history.New()
	h.Every = 2 * time.Minute
	owners := owned{}
	turns := func(name string, metaspace, direct func(time.Time) float64) {
		owners[name] = key("StatefulSet", "web")
		runs(h, name, "app", window, history.Constant(0.5))
		j := jvm{h, history.Labels{"namespace": "shop", "pod": name, "container": "app"}}
		j.gauge("jvm_memory_max_bytes", 1024*mi, history.Labels{"area": "heap", "id": "ZHeap"})
		j.gauge("jvm_memory_committed_bytes", 40*mi, history.Labels{"id": "CodeCache"})
		h.Add("jvm_memory_committed_bytes", j.labels.With(history.Labels{"id": "Metaspace"}), h.Ago(window), h.End, metaspace)
		h.Add("jvm_buffer_memory_used_bytes", j.labels.With(history.Labels{"id": "direct"}), h.Ago(window), h.End, direct)
	}
	turns("web-0", between(h, 5*time.Hour, 4*time.Hour, 100*mi, 50*mi), between(h, 9*time.Hour, 8*time.Hour, 80*mi, 10*mi))
	turns("web-1", history.Constant(60*mi), history.Constant(20*mi))
	use, err := told(t, h, history.Start(t, h, history.Options{})).Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	got := use[key("StatefulSet", "web")]["app"].Runtime
	close(t, "metaspace", got.Metaspace, 100*mi)
	close(t, "direct", got.Direct, 80*mi)
	close(t, "the three together", got.BesideHeap, (50+40+80)*mi)
}
