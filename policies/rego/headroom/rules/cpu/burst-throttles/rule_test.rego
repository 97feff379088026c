package headroom.rules.cpu["burst-throttles_test"]

import data.headroom.rules.cpu["burst-throttles"] as rule

pod(annotations, spec) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "index", "annotations": object.union({"headroom.dev/workload-class": "batch"}, annotations)},
	"spec": spec,
}

java(limit, flags) := {
	"name": "app",
	"command": array.concat(["java"], flags),
	"resources": {"requests": {"cpu": limit, "memory": "4Gi"}, "limits": {"cpu": limit, "memory": "4Gi"}},
}

report(annotations, limit, flags) := found if {
	found := rule.report with input as pod(annotations, {"containers": [java(limit, flags)]})
}

g1(threads) := ["-XX:+UseG1GC", sprintf("-XX:ParallelGCThreads=%d", [threads]), "-jar", "app.jar"]

pause(text) := {"jvm.headroom.dev/app": concat("", ["pause=", text])}

# T2: 25 threads for 18 ms against two cores.
test_a_burst_beyond_the_quota if {
	some f in report(pause("18ms"), "2", g1(25))
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "limits", "cpu"]
	f.message == concat(" ", [
		"limits.cpu is 2: 200 ms of CPU time in each 100 ms, for all of its threads together.",
		"A garbage collection on 25 threads (ParallelGCThreads, command line) for 18 ms (by jvm.headroom.dev/app)",
		"takes 25 × 18 = 450 ms, 250 ms more: the container stands still, and the pause becomes one of 268 ms.",
	])
	f.expected == "GC threads: at most 11, or a limit of at least 4500m"
	f.figures == {
		"limit_millicores": 2000,
		"gc_threads": 25,
		"pause_ms": 18,
		"quota_ms": 200,
		"used_ms": 450,
		"stall_ms": 268,
	}
}

test_a_burst_within_the_quota if {
	count(report(pause("45ms"), "2", g1(2))) == 0
}

test_exactly_the_quota_passes if {
	count(report(pause("50ms"), "2", g1(4))) == 0
	count(report(pause("51ms"), "2", g1(4))) == 1
}

test_the_pause_is_assumed if {
	count(report({}, "2", g1(10))) == 0
	some f in report({}, "2", g1(11))
	contains(f.message, "for 20 ms (assumed)")
	found := report({}, "2", g1(10)) with data.headroom.overrides as {"jvm": {"gcPause": "21ms"}}
	count(found) == 1
}

test_a_pause_of_the_config_that_cannot_be_read if {
	found := report({}, "2", g1(25)) with data.headroom.overrides as {"jvm": {"gcPause": "long"}}
	count(found) == 0
}

test_the_serial_collector_is_one_thread if {
	serial := ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=25", "-jar", "app.jar"]
	count(report(pause("50ms"), "500m", serial)) == 0
	some f in report(pause("51ms"), "500m", serial)
	contains(f.message, "A garbage collection on 1 thread (the serial collector)")
	f.expected == "a limit of at least 510m"
}

test_the_jvms_default_fits_its_limit if {
	count(report({}, "2", ["-XX:+UseG1GC", "-jar", "app.jar"])) == 0
}

test_the_default_of_a_processor_count if {
	flags := ["-XX:+UseG1GC", "-XX:ActiveProcessorCount=32", "-jar", "app.jar"]
	some f in report({}, "2", flags)
	f.figures.gc_threads == 23
	contains(f.message, "(ParallelGCThreads, JVM default)")
}

test_threads_that_a_secret_may_set if {
	env := [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]
	guessed := object.union(java("2", ["-XX:+UseG1GC", "-XX:ActiveProcessorCount=32", "-jar", "a.jar"]), {"env": env})
	unknown := rule.report with input as pod({}, {"containers": [guessed]})
	count(unknown) == 0
	said := object.union(java("2", g1(25)), {"env": env})
	known := rule.report with input as pod({}, {"containers": [said]})
	count(known) == 1
}

test_hr202_speaks_where_no_limit_is_wanted if {
	count(report({"headroom.dev/workload-class": "latency-sensitive"}, "2", g1(25))) == 0
}

test_other_classes if {
	every class in ["sidecar", "cron", "multi-tenant"] {
		count(report({"headroom.dev/workload-class": class}, "2", g1(25))) == 1
	}
	count(report({"headroom.dev/workload-class": "btch"}, "2", g1(25))) == 0
}

test_without_a_class if {
	unclassified := {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {"containers": [java("2", g1(25))]}}
	found := rule.report with input as unclassified
	count(found) == 1
}

test_no_limit_or_an_unreadable_one if {
	count(report({}, "0", g1(25))) == 0
	count(report({}, "two", g1(25))) == 0
}

test_no_known_burst if {
	found := rule.report with input as pod({}, {"containers": [{"name": "app", "resources": {"limits": {"cpu": "100m"}}}]})
	count(found) == 0
}

test_init_containers_are_not_judged if {
	found := rule.report with input as pod({}, {"containers": [], "initContainers": [java("2", g1(25))]})
	count(found) == 0
}

pool(workers, k) := [{
	"c": {"id": 0},
	"container": "app",
	"workers": workers,
	"source": "UNICORN_WORKER_PROCESSES=8",
	"path": [],
	"k": k,
	"per": "process",
	"assumed": k == 1,
}]

workers(limit, pools) := found if {
	spec := {"containers": [{"name": "app", "resources": {"limits": {"cpu": limit}}}]}
	found := rule.report with input as pod({}, spec)
		with data.headroom.runtime.workers.pools as pools
}

# T12: 8 threads on 1 core.
test_more_workers_than_cores if {
	some f in workers("1", pool(8, 1))
	f.message == concat(" ", [
		"limits.cpu is 1: 100 ms of CPU time in each 100 ms, for all of its threads together.",
		"With 8 workers (UNICORN_WORKER_PROCESSES=8) busy, each on one core (assumed), that is used up in 12.5 ms,",
		"and everything stands still for the other 87.5 ms.",
	])
	f.expected == "workers: at most 1, or a limit of at least 8"
	f.figures == {
		"limit_millicores": 1000,
		"workers": 8,
		"cores_per_worker": 1,
		"quota_ms": 100,
		"used_ms": 800,
		"stall_ms": 87.5,
	}
}

test_as_many_workers_as_cores if {
	count(workers("8", pool(8, 1))) == 0
	count(workers("6400m", pool(8, 1))) == 1
	count(workers("6400m", pool(8, 0.8))) == 0
}

test_workers_of_several_cores if {
	some f in workers("1", pool(2, 1.5))
	contains(f.message, " busy, each on 1.5 cores, that is used up in")
	f.expected == "a limit of at least 3"
}

test_no_workers if {
	count(workers("1", pool(0, 1))) == 0
	count(workers("0", pool(8, 1))) == 0
}

test_workers_as_a_manifest_gives_them if {
	some f in rule.report with input as pod({"cores-per-worker.headroom.dev/app": "0.5"}, {"containers": [{
		"name": "app",
		"env": [{"name": "UNICORN_WORKER_PROCESSES", "value": "8"}],
		"resources": {"limits": {"cpu": "2"}},
	}]})
	contains(f.message, "busy, each on 0.5 cores, that is used up in 50 ms,")
	f.figures.stall_ms == 50
	f.expected == "workers: at most 4, or a limit of at least 4"
}
