package headroom.rules.runtimes["runtime-counts-node_test"]

import data.headroom.rules.runtimes["runtime-counts-node"] as rule

report(limit, threads) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"env": [{"name": "OMP_NUM_THREADS", "value": threads}],
		"resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": limit}},
	}]}}
}

test_reports if {
	some finding in report("2", "32")
	finding.container == "app"
	finding.path == ["spec", "containers", 0, "env", 0, "value"]
	startswith(finding.message, "OpenMP runs 32 threads (OMP_NUM_THREADS=32), and limits.cpu is 2: 32 at once use")
	finding.expected == "OMP_NUM_THREADS: \"2\" (limits.cpu rounded up)"
	finding.fix == []
}

test_what_fits_is_silent if report("2", "4") == set()

test_no_limit_is_silent if report(null, "32") == set()

test_nonsense_is_silent if {
	every threads in ["", "0", "-1", "many", "1e3", null, 3, {}, "99999999999999999999"] {
		report("1", threads) == set()
	}
}

pod(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"spec": {"containers": [object.union({"name": "app"}, container)]},
}

test_processes_share_the_memory_limit if {
	celery := {"command": ["celery", "worker"], "resources": {"limits": {"memory": "1Gi"}}}
	[f] := [f | some f in rule.report] with input as pod(celery)
	f.severity == "info"
	f.harm == "OOMKilled"
	f.message == concat(" ", [
		"celery starts a worker for each core of the node (no --concurrency).",
		"All of them share limits.memory of 1024 MiB.",
	])
	f.path == ["spec", "containers", 0, "command"]
}

test_what_may_count_the_node_is_an_info if {
	puma := {
		"command": ["puma", "-C", "config/puma.rb"],
		"env": [{"name": "RAILS_ENV", "value": "production"}],
		"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}},
	}
	{f.severity | some f in rule.report} == {"info"} with input as pod(puma)
}

test_a_part_of_a_core_is_rounded_up if {
	every cpu, want in {"1500m": {"info"}, "2": set(), "500m": set()} {
		proxy := {"image": "istio/proxyv2:1.22", "resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": cpu}}}
		{f.severity | some f in rule.report} == want with input as pod(proxy)
	}
}

java(options, limits, annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [{
		"name": "app",
		"image": "eclipse-temurin:21",
		"command": array.concat(array.concat(["java"], options), ["-jar", "app.jar"]),
		"resources": {"requests": {"cpu": "1"}, "limits": limits},
	}]},
}

loops := ["-Dio.netty.eventLoopThreads=64"]

common := ["-Djava.util.concurrent.ForkJoinPool.common.parallelism=8"]

test_pools_of_a_jvm if {
	[f] := [f | some f in rule.report] with input as java(loops, {"cpu": "2"}, {})
	f.message == concat(" ", [
		"Netty's event loop has 64 threads (-Dio.netty.eventLoopThreads=64, command line), and limits.cpu is 2:",
		"64 at once use up the 200 ms of CPU time per 100 ms in 3.1 ms, then they are throttled.",
	])
	{f.severity | some f in rule.report} == {"info"} with input as java(common, {"cpu": "2"}, {})
}

# A limit that takes them, none, and one that goes (HR202).
test_pools_of_a_jvm_that_nothing_throttles if {
	every found in [
		java(loops, {"cpu": "32"}, {}),
		java(loops, {}, {}),
		java(loops, {"cpu": "2"}, {"headroom.dev/workload-class": "latency-sensitive"}),
		java(common, {"cpu": "4"}, {}),
		java(["-Dserver.tomcat.threads.max=1000"], {"cpu": "1"}, {}),
	] {
		rule.report == set() with input as found
	}
}
