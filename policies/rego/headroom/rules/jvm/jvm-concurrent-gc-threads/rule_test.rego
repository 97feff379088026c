package headroom.rules.jvm["jvm-concurrent-gc-threads_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-concurrent-gc-threads"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_not_set if {
	some f in of(reviews.java({"cpu": "4", "memory": "8Gi"}, "-Xmx2g"))
	f.container == "app"
	f.path == options
	f.message == concat(" ", [
		"-XX:ConcGCThreads is not set:",
		"the G1 collector takes 1 on the 4 processors it counts (limits.cpu).",
	])
	startswith(f.expected, "-XX:ParallelGCThreads=4 and -XX:ConcGCThreads=1, as it takes now; up to 8 where its average")
	f.figures == {"conc_gc_threads": 1, "parallel_gc_threads": 8}
	f.fix == []
	f.follows == ["jvm-processors", "jvm-gc-threads"]
	f.severity == "info"
}

test_not_set_beside_parallel_threads if {
	some f in of(reviews.java({"cpu": "4", "memory": "8Gi"}, "-XX:ParallelGCThreads=6"))
	f.expected == "-XX:ConcGCThreads=2, as it takes now"
	f.fix == []
	known := {"cpu-average.headroom.dev/app": "1", "jvm.headroom.dev/app": "pause=20ms"}
	batch := object.union(known, {"headroom.dev/workload-class": "batch"})
	app := reviews.java({"cpu": "4", "memory": "8Gi"}, "-XX:ParallelGCThreads=6")
	some half in report(batch, {"containers": [app]}, {})
	half.expected == "-XX:ConcGCThreads=3, half of ParallelGCThreads"
}

test_not_set_and_only_the_node_tells if {
	some f in of(reviews.java({"memory": "4Gi"}, "-Xmx2g"))
	endswith(f.message, "takes a quarter of as many threads as the node has cores.")
	f.expected == "-XX:ParallelGCThreads at twice the cores that HR402 asks for, and -XX:ConcGCThreads at half of that"
	f.severity == "warning"
	f.harm == "threads"
}

pair(parallel, concurrent) := of(reviews.java({"cpu": "2", "memory": "4Gi"}, sprintf(
	"-XX:ParallelGCThreads=%v -XX:ConcGCThreads=%v",
	[parallel, concurrent],
)))

test_up_to_half if {
	count(pair(4, 1)) == 0
	count(pair(4, 2)) == 0
	some f in pair(4, 3)
	f.path == options
	f.message == concat("", [
		"-XX:ConcGCThreads=3 (JAVA_TOOL_OPTIONS) is more than half of",
		" the 4 ParallelGCThreads (JAVA_TOOL_OPTIONS).",
	])
	f.expected == "-XX:ConcGCThreads=2"
	f.figures == {"conc_gc_threads": 3, "parallel_gc_threads": 4}
	f.harm == "throttled"
	object.get(f, "fix", []) == []
}

test_half_is_rounded_down_and_at_least_one if {
	count(pair(1, 1)) == 0
	count(pair(3, 1)) == 0
	some three in pair(3, 2)
	three.expected == "-XX:ConcGCThreads=1"

	# One parallel thread is too few for two cores: HR403 wants four.
	count(pair(1, 2)) == 0
}

# HR403 asks for the missing count: what will be half of it is right.
test_half_of_what_is_wanted if {
	count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:ConcGCThreads=2"))) == 0
	some f in of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:ConcGCThreads=3"))
	endswith(f.message, "is more than half of the 4 ParallelGCThreads (as HR403 wants them).")
	f.expected == "-XX:ParallelGCThreads=4 and -XX:ConcGCThreads=2"
	some wrong in pair(25, 6)
	endswith(wrong.message, "is more than half of the 4 ParallelGCThreads (as HR403 wants them).")
	wrong.expected == "-XX:ConcGCThreads=2"
}

# HR403 speaks of the missing count, and the node's is not known.
test_half_of_what_the_node_decides if {
	count(of(reviews.java({"memory": "4Gi"}, "-XX:ConcGCThreads=2"))) == 0
}

test_numbers_that_cannot_be_read if {
	count(pair("four", 3)) == 0
	count(pair(4, "three")) == 0
	count(pair(0, 3)) == 0
}

test_collectors_without_such_threads if {
	every collector in ["UseSerialGC", "UseParallelGC"] {
		flag := concat("", ["-XX:+", collector])
		count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, flag))) == 0
		count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, concat(" ", [flag, "-XX:ConcGCThreads=9"])))) == 0
	}
	count(of(reviews.java({"cpu": "1", "memory": "4Gi"}, "-Xmx2g"))) == 0
	count(of(reviews.java({"cpu": "2", "memory": "1Gi"}, "-Xmx500m"))) == 0
	eight := {"jvm.headroom.dev/app": "version=8"}
	count(report(eight, {"containers": [reviews.java({"cpu": "2", "memory": "4Gi"}, "-Xmx2g")]}, {})) == 0
}

test_other_concurrent_collectors if {
	[f.severity | some f in of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:+UseConcMarkSweepGC"))] == ["info"]
}

# ZGC and Shenandoah follow the load; more threads than cores are reported.
test_adaptive_collectors if {
	every name in ["Z", "Shenandoah"] {
		every flags in ["", "-XX:ConcGCThreads=2", "-XX:ParallelGCThreads=4 -XX:ConcGCThreads=2"] {
			count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, sprintf("-XX:+Use%sGC %s", [name, flags])))) == 0
		}
		more := sprintf("-XX:+Use%sGC -XX:ConcGCThreads=3", [name])
		[f] := [f | some f in of(reviews.java({"cpu": "2", "memory": "4Gi"}, more))]
		f.expected == "-XX:ConcGCThreads=2"
		f.severity == "warning"
	}
}

# One processor that is counted is enough to tell; so are more threads than half.
test_what_a_sized_jvm_takes if {
	every case in [
		["-XX:+UseG1GC -XX:ActiveProcessorCount=1", 1, "info"],
	] {
		[flags, threads, severity] := case
		[f] := [f | some f in of(reviews.java({"cpu": "4", "memory": "8Gi"}, flags))]
		f.figures.conc_gc_threads == threads
		f.severity == severity
	}
}

test_two_sources_make_one_pair if {
	line := ["java", "-XX:ParallelGCThreads=2", "-jar", "app.jar"]
	flags := "-XX:ParallelGCThreads=4 -XX:ConcGCThreads=2"
	some f in of(object.union(reviews.java({"cpu": "2", "memory": "4Gi"}, flags), {"command": line}))
	endswith(f.message, "is more than half of the 2 ParallelGCThreads (command line).")
}

test_a_secret_may_hold_the_number if {
	hidden := {"env": [secret("JAVA_TOOL_OPTIONS")]}
	some f in of(object.union(reviews.java({"memory": "4Gi"}, ""), hidden))
	[f.severity, f.fix] == ["info", []]
	endswith(f.message, "This does not apply if JAVA_TOOL_OPTIONS (a Secret holds it) sets it.")
	line := {"command": ["java", "-XX:ConcGCThreads=9", "-jar", "app.jar"]}
	some set in of(object.union(reviews.java({"cpu": "2", "memory": "4Gi"}, ""), object.union(hidden, line)))
	set.severity == "info"
}

test_behind_an_entrypoint_it_is_not_fixed if {
	some f in of(object.remove(reviews.java({"cpu": "2", "memory": "4Gi"}, "-Xmx2g"), ["command"]))
	f.fix == []
}

test_init_containers if {
	app := reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:ParallelGCThreads=4 -XX:ConcGCThreads=4")
	count(report({}, {"containers": [{"name": "web"}], "initContainers": [app]}, {})) == 0
	count(of(app)) == 1
}

test_as_many_as_it_takes_by_itself if {
	count(of(reviews.java({"cpu": "1", "memory": "4Gi"}, "-Xmx2g -XX:+UseG1GC"))) == 0
	count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-Xmx2g -XX:ParallelGCThreads=3"))) == 0
	count(of(reviews.java({"memory": "4Gi"}, "-Xmx2g -XX:ParallelGCThreads=2"))) == 0
	count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-Xmx2g"))) == 1
}

sized(processors, concurrent) := {
	"c": {}, "flags": {}, "processors": processors,
	"conc_gc_threads": {"value": concurrent}, "parallel_gc_threads": {"value": 2},
}

# A limit that HR202 wants away is all that sizes them: what comes then is HR402's.
test_the_severity_of_a_flag_that_is_missing if {
	rule._severity(sized(2, 1)) == "info" with data.headroom.cpu.loses_limit as false
	rule._severity(sized(2, 2)) == "warning" with data.headroom.cpu.loses_limit as false
	rule._severity(sized(0, 1)) == "warning" with data.headroom.cpu.loses_limit as false
	rule._severity(sized(2, 2)) == "info" with data.headroom.cpu.loses_limit as true
}

# No JVM counts more than the largest node has.
test_the_largest_node if {
	app := {"containers": [reviews.java({}, "-Xmx2g")]}
	every cores, severity in {4: "info", 16: "warning"} {
		found := report({"cpu-average.headroom.dev/app": "1"}, app, {})
			with data.headroom.overrides as {"nodes": {"cores": cores}}
		some f in found
		f.severity == severity
	}
}
