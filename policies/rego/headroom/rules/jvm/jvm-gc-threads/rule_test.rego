package headroom.rules.jvm["jvm-gc-threads_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-gc-threads"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_not_set if {
	some f in of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-Xmx2g"))
	f.container == "app"
	f.path == options
	f.message == concat(" ", [
		"-XX:ParallelGCThreads is not set:",
		"the G1 collector takes 2 on the 2 processors it counts (limits.cpu).",
	])
	f.why == "With another number of processors it takes another number of threads."
	f.expected == concat("", [
		"-XX:ParallelGCThreads=2 and -XX:ConcGCThreads=1, as it takes now; ",
		"up to 4 where its average use and its pauses leave room (headroom annotate)",
	])
	f.figures == {"parallel_gc_threads": 2, "cores": 2}
	f.fix == []
	f.follows == ["jvm-processors"]

	# What a JVM whose processors are known picks by itself is right.
	f.severity == "info"
}

test_not_set_and_only_the_node_tells if {
	some f in of(reviews.java({"memory": "4Gi"}, "-Xmx2g"))
	endswith(f.message, "takes one thread for each core of the node up to eight, then five for each eight (23 on 32).")
	f.expected == "-XX:ParallelGCThreads at twice the cores that HR402 asks for, and -XX:ConcGCThreads at half of that"
	f.why == "Collector threads that are too many wait for CPU, and pauses are longer."
	f.figures.cores == 0
	f.severity == "warning"
	f.harm == "threads"
}

test_the_choice_of_the_jvm_is_judged if {
	some few in of(reviews.java({"cpu": "12", "memory": "4Gi"}, "-XX:ParallelGCThreads=4"))
	few.figures == {"parallel_gc_threads": 4, "cores": 12}
	few.severity == "warning"
	few.harm == "pauses"
	few.why == "Too few collector threads have too much to do, and pauses are longer."
	some counted in of(reviews.java({"cpu": "4", "memory": "4Gi"}, "-XX:+UseG1GC -XX:ActiveProcessorCount=2"))
	counted.figures == {"parallel_gc_threads": 2, "cores": 4}
	counted.harm == "pauses"
	counted.why == few.why
}

test_nothing_tells_the_cores if {
	app := object.union(reviews.java({}, "-Xmx2g"), {"resources": {"requests": {"cpu": "0"}}})
	some f in of(app)
	f.expected == "-XX:ParallelGCThreads at twice the cores that HR402 asks for, and -XX:ConcGCThreads at half of that"
	f.fix == []
	f.severity == "warning"
	count(of(object.union(app, {"env": [{
		"name": "JAVA_TOOL_OPTIONS",
		"value": "-XX:ParallelGCThreads=64",
	}]}))) == 0
}

set_to(cpu, threads) := of(reviews.java({"cpu": cpu, "memory": "4Gi"}, sprintf("-XX:ParallelGCThreads=%v", [threads])))

test_once_to_twice_the_cores if {
	count(set_to("2", 2)) == 0
	count(set_to("2", 4)) == 0
	count(set_to("1500m", 3)) == 0
	some fraction in set_to("1500m", 4)
	fraction.expected == "-XX:ParallelGCThreads=2"
	contains(fraction.message, "more than twice the 1.5 cores of")
	some more in set_to("2", 5)
	more.path == options
	more.message == concat(" ", [
		"-XX:ParallelGCThreads=5 (JAVA_TOOL_OPTIONS) is more than twice the 2 cores",
		"of the container (limits.cpu 2); right is 2 to 4.",
	])
	more.expected == "-XX:ParallelGCThreads=4"
	more.figures == {"parallel_gc_threads": 5, "cores": 2}
	object.get(more, "fix", []) == []
	some less in set_to("2", 1)
	contains(less.message, "is less than the 2 cores")
	less.expected == "-XX:ParallelGCThreads=4"
	count(set_to("16", 13)) == 0
	some few in set_to("16", 8)
	contains(few.message, "is too few for the 16 cores of")
	few.expected == "-XX:ParallelGCThreads=16"
}

# With more concurrent threads than that G1 does not start.
test_both_counts_where_one_would_not_start if {
	some f in of(reviews.java({"cpu": "2"}, "-XX:+UseG1GC -XX:ParallelGCThreads=25 -XX:ConcGCThreads=6"))
	f.expected == "-XX:ParallelGCThreads=4, with -XX:ConcGCThreads=2"
	some parallel in of(reviews.java({"cpu": "2"}, "-XX:+UseParallelGC -XX:ParallelGCThreads=25 -XX:ConcGCThreads=6"))
	parallel.expected == "-XX:ParallelGCThreads=4"
}

one(threads) := of(reviews.java({"cpu": "1"}, concat("", ["-XX:+UseG1GC -XX:ParallelGCThreads=", threads])))

test_one_core if {
	some unset in of(reviews.java({"cpu": "1"}, "-XX:+UseG1GC"))
	unset.figures == {"parallel_gc_threads": 1, "cores": 1}
	unset.severity == "info"
	count(one("1")) == 0
	count(one("2")) == 0
	some f in one("3")
	f.harm == "throttled"
	contains(f.message, "more than twice the 1 core of")
}

test_cores_of_an_average if {
	app := reviews.java({"memory": "4Gi"}, "-XX:ParallelGCThreads=5")
	some f in report({"cpu-average.headroom.dev/app": "1"}, {"containers": [app]}, {})
	contains(f.message, "(twice the average of 1, measured)")
	count(of(app)) == 0 # what it uses is not known
	count(report({"cpu-average.headroom.dev/app": "2"}, {"containers": [app]}, {})) == 0
}

# HR409 speaks of those.
test_a_number_that_no_collector_takes if {
	count(set_to("2", 0)) == 0
	count(set_to("2", "two")) == 0
}

# The parallel collector does nothing beside the application.
test_no_concurrent_threads_of_the_parallel_collector if {
	some f in of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:+UseParallelGC"))
	startswith(f.expected, "-XX:ParallelGCThreads=2, as it takes now; up to 4 where")
	f.fix == []
}

test_collectors_without_such_threads if {
	count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:+UseSerialGC"))) == 0
	count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:+UseSerialGC -XX:ParallelGCThreads=9"))) == 0
	count(of(reviews.java({"cpu": "2"}, "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC"))) == 0
}

test_other_collectors if {
	count(of(reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:+UseParallelGC"))) == 1
}

# What these choose is theirs; more than the CPU can run is reported of them too.
test_adaptive_collectors if {
	every name in ["Z", "Shenandoah"] {
		every flags in ["", "-XX:ParallelGCThreads=1", "-XX:ParallelGCThreads=16"] {
			count(of(reviews.java({"cpu": "8", "memory": "4Gi"}, sprintf("-XX:+Use%sGC %s", [name, flags])))) == 0
		}
		more := reviews.java({"cpu": "8", "memory": "4Gi"}, sprintf("-XX:+Use%sGC -XX:ParallelGCThreads=17", [name]))
		[f] := [f | some f in of(more)]
		f.severity == "warning"
		startswith(f.expected, "-XX:ParallelGCThreads=16")
	}
}

# A server has two processors and 1792 MiB, exactly; 28 takes G1 without (measured).
test_the_collector_that_a_jvm_chooses if {
	count(of(reviews.java({"cpu": "2", "memory": "1791Mi"}, "-Xmx512m"))) == 0
	count(of(reviews.java({"cpu": "2", "memory": "1792Mi"}, "-Xmx512m"))) == 1
	count(of(reviews.java({"cpu": "1", "memory": "4Gi"}, "-Xmx512m"))) == 0
	spec := {"containers": [reviews.java({"cpu": "1", "memory": "4Gi"}, "-Xmx512m")]}
	count(report({"jvm.headroom.dev/app": "version=28"}, spec, {})) == 1
	some f in report({"jvm.headroom.dev/app": "version=8"}, {"containers": [reviews.java({"cpu": "2"}, "-Xmx512m")]}, {})
	contains(f.message, "the Parallel collector takes 2")
}

test_the_count_of_processors_decides_the_default if {
	some f in of(reviews.java({"memory": "4Gi"}, "-XX:ActiveProcessorCount=32"))
	contains(f.message, "takes 23 on the 32 processors it counts (JAVA_TOOL_OPTIONS)")
}

# The two belong together, and a script could set one of them.
test_the_pair_is_fixed_only_in_full_sight if {
	limits := {"memory": "4Gi"}
	measured := {"cpu-average.headroom.dev/app": "1"}
	unfixable := [
		object.remove(reviews.java(limits, "-Xmx2g"), ["command"]),
		object.union(reviews.java(limits, "-Xmx2g"), {"command": ["sh", "-c", ". ./env; exec java -jar app.jar"]}),
		object.union(reviews.java(limits, "-Xmx2g"), {"command": ["/start.sh"]}),
		object.union(reviews.java(limits, "-Xmx2g"), {"command": ["java", "@flags", "-jar", "app.jar"]}),
		reviews.java(limits, "-XX:ConcGCThreads=1"),
		{"name": "app", "image": "eclipse-temurin:21", "resources": {"limits": limits}},
	]
	every app in unfixable {
		some f in report(measured, {"containers": [app]}, {})
		f.fix == []
	}
	app := object.union(reviews.java(limits, ""), {"command": ["sh", "-c", "exec java -jar app.jar"]})
	some f in report(measured, {"containers": [app]}, {})
	f.severity == "warning"
	count(f.fix) > 0
}

# With its use and its pauses known, it is known how many its quota has room for.
test_more_threads_where_the_quota_has_room if {
	known := {"cpu-average.headroom.dev/app": "500m", "jvm.headroom.dev/app": "pause=30ms"}
	of_g1 := {"containers": [reviews.java({"cpu": "2", "memory": "4Gi"}, "-XX:+UseG1GC")]}
	some f in report(object.union(known, {"headroom.dev/workload-class": "batch"}), of_g1, {})
	f.expected == "-XX:ParallelGCThreads=4 and -XX:ConcGCThreads=2"
	[f.severity, f.fix] == ["info", []]
	some one in of(reviews.java({"cpu": "1", "memory": "4Gi"}, "-XX:+UseG1GC -XX:ActiveProcessorCount=2"))
	one.expected == "-XX:ParallelGCThreads=2 and -XX:ConcGCThreads=1, as it takes now"
}

test_a_secret_may_hold_the_number if {
	app := object.union(reviews.java({"cpu": "2"}, ""), {"env": [secret("JAVA_TOOL_OPTIONS")]})
	some f in of(object.union(app, {"resources": {"limits": {"memory": "4Gi"}}}))
	[f.severity, f.fix] == ["info", []]
	endswith(f.message, "This does not apply if JAVA_TOOL_OPTIONS (a Secret holds it) sets it.")
	line := ["java", "-XX:ParallelGCThreads=64", "-jar", "app.jar"]
	some set in of(object.union(app, {"command": line}))
	set.severity == "info"
}

test_init_containers_and_what_is_no_jvm if {
	limits := {"cpu": "2", "memory": "4Gi"}
	spec := {"containers": [{"name": "web"}], "initContainers": [reviews.java(limits, "-XX:ParallelGCThreads=9")]}
	count(report({}, spec, {})) == 0
}

test_how_many_are_right if {
	rule._right({"least": 1, "most": 2}) == "1 to 2"
	rule._right({"least": 2, "most": 2}) == "2"
}

# No JVM counts more than the largest node has.
test_the_largest_node if {
	app := {"containers": [reviews.java({}, "-Xmx2g")]}
	every cores, wanted in {4: ["info", "(4 on 4)."], 16: ["warning", "(13 on 16)."]} {
		found := report({"cpu-average.headroom.dev/app": "1"}, app, {})
			with data.headroom.overrides as {"nodes": {"cores": cores}}
		some f in found
		f.severity == wanted[0]
		endswith(f.message, wanted[1])
	}
}
