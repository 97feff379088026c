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
		"limits.cpu is 2: 200 ms of CPU time in each 100 ms.",
		"A GC pause of 18 ms (by jvm.headroom.dev/app) on 25 threads (ParallelGCThreads, command line)",
		"needs 450 ms of CPU: the container is throttled, and the pause grows from 18 to 202 ms.",
		"Normal work comes on top, and is not known.",
	])
	f.expected == "-XX:ParallelGCThreads=9 or less, or limits.cpu: 4500m"
	f.figures == {
		"limit_millicores": 2000,
		"gc_threads": 25,
		"pause_ms": 18,
		"quota_ms": 200,
		"used_ms": 450,
		"own_ms": 0,
		"stall_ms": 202,
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
	contains(f.message, "of 20 ms (assumed)")
	f.expected == concat("", [
		"the GC pause first: headroom annotate measures it (pause= in jvm.headroom.dev/app), ",
		"and this finding then says how many threads or which limit fits",
	])
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
	contains(f.message, " on 1 thread (the serial collector) needs 51 ms")
	startswith(f.expected, "shorter pauses")
	some known in report(object.union(pause("51ms"), {"cpu-average.headroom.dev/app": "100m"}), "500m", serial)
	startswith(known.expected, "shorter pauses")
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

# HR502 speaks of pools.
test_workers_are_no_burst if {
	found := rule.report with input as pod({}, {"containers": [{
		"name": "app",
		"env": [{"name": "UNICORN_WORKER_PROCESSES", "value": "8"}],
		"resources": {"limits": {"cpu": "2"}},
	}]})
	count(found) == 0
}

# T8: what the application uses is used up beside the collection.
test_on_top_of_the_application if {
	busy := object.union(pause("28ms"), {"cpu-average.headroom.dev/app": "800m"})
	count(report(busy, "2", g1(4))) == 0
	some f in report(object.union(busy, {"cpu-average.headroom.dev/app": "900m"}), "2", g1(4))
	contains(f.message, "needs 202 ms of CPU, 90 for normal work (cpu-average.headroom.dev/app)")
	f.expected == "-XX:ParallelGCThreads=3 or less, or limits.cpu: 2020m"
	f.figures.own_ms == 90
}
