package headroom.rules.cpu["latency-cpu-limit_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["latency-cpu-limit"] as rule

review(annotations, spec, context) := reviews.of_template(
	object.union({"headroom.dev/workload-class": "latency-sensitive"}, annotations),
	spec,
	context,
)

report(annotations, spec) := found if {
	found := rule.report with input as review(annotations, spec, {})
}

app(limit) := {"name": "app", "resources": {
	"requests": {"cpu": limit, "memory": "1Gi"},
	"limits": {"cpu": limit, "memory": "1Gi"},
}}

limits := ["spec", "template", "spec", "containers", 0, "resources", "limits", "cpu"]

test_a_limit if {
	some f in report({}, {"containers": [app("2")]})
	f.container == "app"
	f.path == limits
	startswith(f.message, "limits.cpu is 2: 200 ms of CPU time in each 100 ms")
	f.expected == "no CPU limit; the CPU request protects it and its neighbours"
	startswith(f.price, "QoS class Guaranteed → Burstable (")
	f.figures == {"limit_millicores": 2000, "quota_ms": 200, "period_ms": 100}

	# Nothing says what runs there, and what it would make of the node's cores.
	f.fix == []
}

test_a_limit_goes_where_it_is_known_what_runs if {
	some f in report({"runtime.headroom.dev/app": "ruby"}, {"containers": [app("2")]})
	f.fix == [{"change": "remove", "path": limits}]
}

# Without its limit, what is taken for a JVM would count the node's cores.
test_a_limit_of_spring_boot if {
	spring := object.union(app("2"), {"env": [{"name": "SPRING_PROFILES_ACTIVE", "value": "prod"}]})
	some f in report({}, {"containers": [spring]})
	startswith(f.expected, "no CPU limit, and -XX:ActiveProcessorCount=")
	f.fix == []
}

test_no_limit if {
	count(report({}, {"containers": [{"name": "app", "resources": {"requests": {"cpu": "1"}}}]})) == 0
}

test_zero_is_no_limit if {
	count(report({}, {"containers": [{"name": "app", "resources": {"limits": {"cpu": "0"}}}]})) == 0
}

test_a_limit_that_cannot_be_read if {
	count(report({}, {"containers": [app("two")]})) == 0
}

test_another_class if {
	count(report({"headroom.dev/workload-class": "batch"}, {"containers": [app("2")]})) == 0
	count(report({"headroom.dev/workload-class": "latncy"}, {"containers": [app("2")]})) == 0
}

test_a_class_of_the_config if {
	found := rule.report with input as review({"headroom.dev/workload-class": "api"}, {"containers": [app("2")]}, {})
		with data.headroom.overrides as {"matrix": {"api": {"request": "average", "limit": "none"}}}
	count(found) == 1
}

test_only_the_container_of_the_class if {
	found := report({"class.headroom.dev/proxy": "sidecar"}, {"containers": [
		app("2"),
		object.union(app("1"), {"name": "proxy"}),
	]})
	{f.container | some f in found} == {"app"}
}

test_init_containers_have_no_row if {
	spec := {"containers": [{"name": "app"}], "initContainers": [
		object.union(app("1"), {"name": "migrate"}),
		object.union(app("1"), {"name": "proxy", "restartPolicy": "Always"}),
	]}
	count(report({}, spec)) == 0
}

test_a_limit_of_the_pod if {
	some f in report({}, {"containers": [{"name": "app"}], "resources": {"limits": {"cpu": "4"}}})
	f.container == "app"
	f.path == ["spec", "template", "spec", "resources", "limits", "cpu"]
	startswith(f.message, "limits.cpu of the Pod is 4: 400 ms")
	f.fix == []
}

test_both_limits_are_to_go if {
	found := report({}, {"containers": [app("2")], "resources": {"limits": {"cpu": "4"}}})
	{f.figures.limit_millicores | some f in found} == {2000, 4000}
}

range := {"spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]}}

test_a_limit_of_the_namespace_only if {
	found := rule.report with input as review({}, {"containers": [{"name": "app"}]}, {"limit_ranges": [range]})
	count(found) == 0
}

# HR209 says why; without the limit the LimitRange's would apply.
test_a_limit_that_the_namespace_would_put_back if {
	found := rule.report with input as review({}, {"containers": [app("2")]}, {"limit_ranges": [range]})
	count(found) == 1
	some f in found
	endswith(f.expected, "(HR209: the namespace sets one)")
	f.fix == []
}

test_pinned_cores if {
	count(report({"headroom.dev/cpu-pinning": "static"}, {"containers": [app("2")]})) == 0
	count(report({"headroom.dev/cpu-pinning": "static"}, {"containers": [app("1500m")]})) == 1
}

java(limit, args) := object.union(app(limit), {"image": "eclipse-temurin:17", "command": array.concat(["java"], args)})

test_the_stall_of_a_jvm if {
	some f in report({"jvm.headroom.dev/app": "pause=18ms"}, {"containers": [java("2", [
		"-XX:+UseG1GC",
		"-XX:ParallelGCThreads=25",
		"-jar",
		"app.jar",
	])]})
	f.figures == {
		"limit_millicores": 2000,
		"quota_ms": 200,
		"period_ms": 100,
		"gc_threads": 25,
		"pause_ms": 18,
		"own_ms": 0,
		"used_ms": 450,
		"throttle_ms": 250,
		"stall_ms": 202,
	}
	f.severity == "error"
	endswith(f.message, concat(" ", [
		"A GC pause of 18 ms (by jvm.headroom.dev/app) on 25 threads (ParallelGCThreads, command line)",
		"needs 450 ms of CPU: the container is throttled, and the pause grows from 18 to 202 ms.",
		"Normal work comes on top, and is not known.",
	]))
	count(f.fix) > 0
}

test_the_stall_is_the_container_s_own if {
	other := object.union(app("1"), {"name": "other", "env": [{"name": "WEB_CONCURRENCY", "value": "4"}]})
	found := report({"jvm.headroom.dev/app": "pause=18ms"}, {"containers": [
		{"name": "first", "resources": {"limits": {"cpu": "3"}}},
		java("2", ["-XX:+UseParallelGC", "-XX:ParallelGCThreads=25", "-jar", "app.jar"]),
		other,
	]})
	{f.container: [f.figures.limit_millicores, object.get(f.figures, "stall_ms", 0)] | some f in found} == {
		"first": [3000, 0],
		"app": [2000, 202],
		"other": [1000, 75],
	}
}

# The stall is told with the limit that it follows from.
test_the_stall_of_the_limit_that_counts if {
	running := java("2", ["-XX:+UseParallelGC", "-XX:ParallelGCThreads=25", "-jar", "app.jar"])
	annotations := {"jvm.headroom.dev/app": "pause=18ms"}
	own := report(annotations, {"containers": [running], "resources": {"limits": {"cpu": "4"}}})
	{[f.path[3], object.get(f.figures, "stall_ms", 0)] | some f in own} == {["containers", 202], ["resources", 0]}
	none := object.union(object.remove(running, ["resources"]), {"resources": {"requests": {"cpu": "1"}}})
	pods := report(annotations, {"containers": [none], "resources": {"limits": {"cpu": "2"}}})
	{[f.path[3], object.get(f.figures, "stall_ms", 0)] | some f in pods} == {["resources", 202]}
}

test_the_smallest_limit if {
	{f.figures.limit_millicores | some f in report({}, {"containers": [app("1m")]})} == {1}
}

test_a_jvm_that_cannot_be_sized if {
	from_secret := {"env": [{"name": "JAVA_TOOL_OPTIONS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}]}
	some f in report({}, {"containers": [object.union(java("2", ["-jar", "app.jar"]), from_secret)]})
	f.fix == []
}

test_a_jvm_that_is_sized if {
	some f in report({}, {"containers": [java("2", ["-XX:ActiveProcessorCount=2", "-jar", "app.jar"])]})
	count(f.fix) > 0
}

test_a_jvm_that_would_count_the_nodes_cores_is_told_its_own if {
	some unsized in report({"headroom.dev/cpu-average": "1500m"}, {"containers": [java("2", ["-jar", "app.jar"])]})
	startswith(unsized.expected, "no CPU limit, and -XX:ActiveProcessorCount=3: without it the JVM counts")
	some sized in report({}, {"containers": [java("2", ["-XX:ActiveProcessorCount=2", "-jar", "app.jar"])]})
	not contains(sized.expected, "ActiveProcessorCount")
}

# severity_of is [severity, last words of the message] of a container with a request and a limit.
severity_of(annotations, request, limit, container) := [f.severity, f.message] if {
	resources := {"requests": {"cpu": request}, "limits": {"cpu": limit}}
	whole := object.union(container, {"name": "app", "resources": resources})
	[f] := [f | some f in report(annotations, {"containers": [whole]})]
}

# What is known of a burst fits into the limit, beside what the application uses.
test_a_limit_that_takes_the_burst if {
	jvm := {"command": ["java", "-XX:+UseG1GC", "-XX:ParallelGCThreads=2", "-jar", "a.jar"]}
	eight := {"command": ["gunicorn", "-w", "8"]}
	measured := {"cpu-average.headroom.dev/app": "500m"}
	every case in [
		[{}, "1", "4", jvm, "warning", "the limit has room for that. Normal work comes on top, and is not known."],
		[{}, "4", "4", jvm, "warning", "the limit has room for that. Normal work comes on top, and is not known."],
		[measured, "1", "1", jvm, "warning", "for normal work (cpu-average.headroom.dev/app): the limit has room for that."],
		[{}, "1", "8", eight, "warning", "they use 800 ms: the limit has room for that."],
		[{}, "1", "7999m", eight, "warning", "throttled for the other 0 ms."],
		[{"cores-per-worker.headroom.dev/app": "1"}, "1", "7999m", eight, "error", "throttled for the other 0 ms."],
		[{}, "1", "4", {}, "error", "When its threads use that up, all of them are throttled until the next period."],
	] {
		[severity, message] := severity_of(case[0], case[1], case[2], case[3])
		severity == case[4]
		endswith(message, case[5])
	}
}

# An assumed pause may be shorter than it is taken for; what the application uses over its quota is certain.
test_a_burst_that_is_not_certain if {
	many := {"command": ["java", "-XX:+UseG1GC", "-XX:ParallelGCThreads=25", "-jar", "a.jar"]}
	average := {"cpu-average.headroom.dev/app": "1900m"}
	every case in [
		[{}, "2", many, "warning"],
		[average, "2", many, "warning"],
		[{"cpu-average.headroom.dev/app": "2001m"}, "2", many, "error"],
		[{"jvm.headroom.dev/app": "pause=9ms"}, "2", many, "error"],
		[object.union(average, {"jvm.headroom.dev/app": "pause=1ms"}), "2", many, "error"],
		[{"jvm.headroom.dev/app": "pause=1ms"}, "2", many, "warning"],
	] {
		severity_of(case[0], case[1], case[1], case[2])[0] == case[3]
	}
}

# No garbage is collected in a database.
test_what_runs_in_it_is_named if {
	every runtime, words in {
		"native": "When the threads of native code use that up",
		"node": "When the threads of Node.js use that up",
		"go": "When the goroutines that run at once, garbage collection among them, use that up",
		"jvm": "GC pause",
	} {
		[_, message] := severity_of({"runtime.headroom.dev/app": runtime}, "1", "2", {})
		contains(message, words)
	}
	[_, unknown] := severity_of({}, "1", "2", {"image": "postgres:16"})
	not contains(unknown, "ollection")
	not contains(unknown, "GC")
	some f in report({}, {"containers": [{"name": "a"}, {"name": "b"}], "resources": {"limits": {"cpu": "4"}}})
	contains(f.message, "When the threads of its containers use that up")
}

# With two processors the JVM takes a collector that needs more memory than the limit has.
test_more_memory_for_the_collector if {
	some f in rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {
			"headroom.dev/workload-class": "latency-sensitive",
			"headroom.dev/cpu-average": "1",
			"jvm.headroom.dev/app": "version=17 threads=50 classes=5000",
		}},
		"spec": {"containers": [{
			"name": "app",
			"image": "eclipse-temurin:17",
			"command": ["java", "-Xmx2950m", "-XX:MaxDirectMemorySize=32m", "-XX:ReservedCodeCacheSize=64m", "-jar", "a.jar"],
			"resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"cpu": "1", "memory": "4Gi"}},
		}]},
	}
	endswith(f.expected, "; with limits.memory of 4160Mi (and requests.memory) for its collector, G1")
}
