package headroom.rules.jvm["jvm-processors_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-processors"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_neither_a_limit_nor_a_count if {
	some f in report(average, {"containers": [reviews.java({"memory": "4Gi"}, "-Xmx2g")]}, {})
	f.container == "app"
	f.path == options
	contains(f.message, "no CPU limit and no -XX:ActiveProcessorCount")
	endswith(f.why, ": 43 collector, 11 concurrent and 18 compiler threads on 64 cores.")
	endswith(f.message, "Its cores: twice the average of 1, measured.")
	f.expected == "-XX:ActiveProcessorCount=2"
	f.figures == {"cores": 2, "average_millicores": 1000}
	not f.harm # nothing throttles what has no limit: the rule's own, threads
	count(f.fix) > 0
}

average := {"cpu-average.headroom.dev/app": "1"}

test_a_limit_or_a_count if {
	count(of(reviews.java({"cpu": "2"}, "-Xmx2g"))) == 0
	count(of(reviews.java({}, "-XX:ActiveProcessorCount=2"))) == 0
}

test_a_limit_of_zero_is_none_and_a_broken_one_is_not_judged if {
	count(of(reviews.java({"cpu": "0"}, "-Xmx2g"))) == 1
	count(of(reviews.java({"cpu": "two"}, "-Xmx2g"))) == 0
}

test_a_limit_of_the_pod_or_the_namespace if {
	spec := {"containers": [reviews.java({}, "-Xmx2g")]}
	count(report({}, object.union(spec, {"resources": {"limits": {"cpu": "2"}}}), {})) == 0
	count(report({}, spec, {"limit_ranges": [{"spec": {"limits": [{
		"type": "Container",
		"default": {"cpu": "2"},
	}]}}]})) == 0
}

# J3: twice the average, at least two.
test_the_count_that_is_wanted if {
	measured := {"0.4": 2, "1": 2, "1500m": 3, "2100m": 5}
	every average, wanted in measured {
		some f in report({"cpu-average.headroom.dev/app": average}, {"containers": [reviews.java({}, "-Xmx2g")]}, {})
		f.expected == sprintf("-XX:ActiveProcessorCount=%v", [wanted])
		endswith(f.message, ", measured.")
	}
}

# Too few would slow it down. A request bounds the number from below, and tells no more.
test_no_average_at_all if {
	every request, least in {"0": "2", "1m": "2", "2": "2", "2001m": "3 (its request)", "8": "8 (its request)"} {
		some f in of(object.union(reviews.java({}, "-Xmx2g"), {"resources": {"requests": {"cpu": request}}}))
		f.expected == concat("", [
			"-XX:ActiveProcessorCount at twice its average CPU use, no fewer than ", least,
			"; headroom annotate measures it: cpu-average.headroom.dev/app",
		])
		f.figures == {"cores": 0, "average_millicores": 0}
		f.severity == "warning"
		f.fix == []
		endswith(f.why, "on 64 cores.")
		endswith(f.message, " Its average CPU use is not known.")
	}
}

test_no_fewer_than_are_reserved if {
	app := object.union(reviews.java({}, "-Xmx2g"), {"resources": {"requests": {"cpu": "4500m"}}})
	some f in report(average, {"containers": [app]}, {})
	f.expected == "-XX:ActiveProcessorCount=5"
	endswith(f.message, "Its cores: 4500m, reserved by its request.")
}

# HR401 names the release: it counts the node's processors with a limit too, and lacks the flag.
test_a_release_without_the_flag if {
	spec := {"containers": [reviews.java({}, "-Xmx2g")]}
	count(report({"jvm.headroom.dev/app": "version=8u181"}, spec, {})) == 0
	count(report({"jvm.headroom.dev/app": "version=8u191"}, spec, {})) == 1
	count(report({"jvm.headroom.dev/app": "version=8"}, spec, {})) == 1
}

test_up_to_twice_the_cores if {
	count(of(reviews.java({"cpu": "2"}, "-XX:ActiveProcessorCount=4"))) == 0
	some f in of(reviews.java({"cpu": "1500m"}, "-XX:ActiveProcessorCount=5"))
	f.path == options
	f.message == concat(" ", [
		"-XX:ActiveProcessorCount=5 (JAVA_TOOL_OPTIONS): threads for 5 processors,",
		"more than twice the 2 cores of the container (limits.cpu 1500m).",
	])
	f.expected == "-XX:ActiveProcessorCount=2, at most 4"
	f.figures == {"processors": 5, "cores": 2}
	f.severity == "error"
	object.get(f, "fix", []) == []
}

test_twice_the_cores_of_an_average if {
	count(report(average, {"containers": [reviews.java({}, "-XX:ActiveProcessorCount=4")]}, {})) == 0
	some f in report(average, {"containers": [reviews.java({}, "-XX:ActiveProcessorCount=5")]}, {})
	f.expected == "-XX:ActiveProcessorCount=2, at most 4"
	count(of(reviews.java({}, "-XX:ActiveProcessorCount=64"))) == 0 # what it uses is not known
}

# A JVM multiplies: m is 1048576.
test_500m_is_not_half_a_processor if {
	some f in of(reviews.java({"cpu": "1"}, "-XX:ActiveProcessorCount=500m"))
	f.figures == {"processors": 524288000, "cores": 1}
}

# HR409 speaks.
test_a_count_that_no_jvm_reads if {
	count(of(reviews.java({}, "-XX:ActiveProcessorCount=2.5"))) == 0
}

test_the_strongest_source_decides if {
	both := [
		{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:ActiveProcessorCount=2"},
		{"name": "_JAVA_OPTIONS", "value": "-XX:ActiveProcessorCount=16"},
	]
	some f in of(object.union(reviews.java({"cpu": "2"}, ""), {"env": both}))
	f.path == array.concat(container, ["env", 1, "value"])
	f.figures.processors == 16
	line := ["java", "-XX:ActiveProcessorCount=2", "-jar", "app.jar"]
	count(of(object.union(reviews.java({"cpu": "2"}, "-XX:ActiveProcessorCount=16"), {"command": line}))) == 0
}

test_a_secret_may_hold_the_count if {
	every name in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"] {
		some f in of(object.union(reviews.java({}, ""), {"env": [secret(name)]}))
		[f.severity, f.fix] == ["info", []]
	}
	some f in of(object.union(reviews.java({}, ""), {"env": [], "envFrom": [{"secretRef": {"name": "s"}}]}))
	[f.severity, f.fix] == ["warning", []]
	contains(f.message, "and no -XX:ActiveProcessorCount. This does not apply if Secret s sets it. Its average")
	line := {"command": ["java", "-XX:ActiveProcessorCount=64", "-jar", "app.jar"]}
	every name, severity in {"JAVA_TOOL_OPTIONS": "info", "OTHER": "error"} {
		some set in of(object.union(reviews.java({"cpu": "2"}, ""), object.union(line, {"env": [secret(name)]})))
		set.severity == severity
	}
}

# An image that was not read may set the count.
test_an_image_that_was_not_read if {
	some read in report(average, {"containers": [reviews.java({}, "-Xmx1g")]}, {})
	count(read.fix) == 1
	app := object.union(reviews.java({}, "-Xmx1g"), {"image": "registry.example/app:1"})
	some unread in report(average, {"containers": [app]}, {})
	[unread.severity, unread.fix] == ["warning", []]
}

from_map := object.union(reviews.java({}, ""), {"env": [{
	"name": "JAVA_TOOL_OPTIONS",
	"valueFrom": {"configMapKeyRef": {"name": "jvm", "key": "flags"}},
}]})

map(flags) := {"config_maps": [{"metadata": {"name": "jvm"}, "data": {"flags": flags}}]}

test_a_config_map_of_the_same_input if {
	some f in report(average, {"containers": [from_map]}, map("-Xmx1g"))

	# The variable is not the workload's own to change, and its command is.
	f.fix[0].behind == ["command", 0]
	count(report({}, {"containers": [from_map]}, map("-XX:ActiveProcessorCount=2"))) == 0
	some unseen in of(from_map)
	[unseen.severity, unseen.fix] == ["info", []]
}

test_which_containers if {
	init := object.union(reviews.java({}, "-Xmx1g"), {"name": "migrate"})
	native := object.union(init, {"name": "agent", "restartPolicy": "Always"})
	spec := {"containers": [{"name": "web", "image": "nginx"}], "initContainers": [init, native]}
	{f.container | some f in report({}, spec, {})} == {"agent"}
}

test_a_probable_jvm_is_never_fixed if {
	some f in of({"name": "app", "image": "eclipse-temurin:21"})
	f.fix == []
	f.path == array.concat(container, ["env"])
}

test_behind_an_entrypoint_it_can_be_set if {
	some f in report(average, {"containers": [object.remove(reviews.java({}, "-Xmx1g"), ["command"])]}, {})
	count(f.fix) > 0
	object.get(f.fix[0], "behind", []) == []
}

# ConcGCThreads could exceed the ParallelGCThreads that the count gives; 28 bounds the other.
test_flags_that_the_count_might_contradict if {
	every flag in ["-XX:ConcGCThreads=4", "-XX:CICompilerCount=5"] {
		some f in report(average, {"containers": [reviews.java({}, flag)]}, {})
		f.fix == []
	}
}

old_in_a_shell := {"image": "eclipse-temurin:8", "command": ["sh", "-c", "exec java -jar app.jar"]}

# Java 8 passes over a value of 1,024 bytes, and the flag and a blank take 27.
test_room_for_the_flag if {
	of_length := {996: true, 997: false}
	every length, fixable in of_length {
		text := concat("", ["-Dx=", sprintf("%0*d", [length - 4, 0])])
		some f in report(average, {"containers": [object.union(reviews.java({}, text), old_in_a_shell)]}, {})
		count(f.fix) > 0 == fixable
	}
	long := concat("", ["-Dx=", sprintf("%0*d", [997, 0])])
	annotations := object.union(average, {"jvm.headroom.dev/app": "version=17"})
	some f in report(annotations, {"containers": [reviews.java({}, long)]}, {})
	count(f.fix) > 0
}

# What a flag sets does not follow the node, nor does what follows from the flag.
test_threads_that_flags_set if {
	threads := {
		"-XX:ParallelGCThreads=4": "of the node: 18 compiler threads on 64 cores.",
		"-XX:ConcGCThreads=2": "of the node: 43 collector and 18 compiler threads on 64 cores.",
		"-XX:CICompilerCount=4": "of the node: 43 collector and 11 concurrent threads on 64 cores.",
		"-XX:+UseSerialGC": "of the node: 18 compiler threads on 64 cores.",
		"-XX:+UseParallelGC": "of the node: 43 collector and 18 compiler threads on 64 cores.",
		"-XX:ParallelGCThreads=4 -XX:ConcGCThreads=2 -XX:CICompilerCount=2": "pools of threads to the node's cores.",
	}
	every flags, words in threads {
		some f in of(reviews.java({"memory": "4Gi"}, flags))
		endswith(f.why, words)
	}
}

# A container that Paketo's buildpacks built, as its variables show.
built(more) := object.union_n([
	{"name": "app", "image": "registry.example/boot:1", "resources": {"limits": {"cpu": "2", "memory": "1Gi"}}},
	more,
])

of_built(more) := found if {
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [built(more)]}}
}

threads := {"name": "BPL_JVM_THREAD_COUNT", "value": "60"}

test_a_launcher_that_counts if {
	[found] := [f | some f in of_built({"env": [threads]})]
	found.severity == "info"
	contains(found.expected, "-XX:ActiveProcessorCount=2")
	of_built({"env": [threads, {"name": "JAVA_TOOL_OPTIONS", "value": "-XX:ActiveProcessorCount=2"}]}) == set()
	of_built({"env": [threads], "command": ["/bin/app"]}) == set()
	of_built({"env": [{"name": "BPL_DEBUG_ENABLED", "value": "true"}]}) == set()
}

# What it counts is known: the node's cores are no question.
test_a_count_that_was_measured if {
	some many in report(
		object.union(average, {"jvm.headroom.dev/app": "processors=64"}),
		{"containers": [reviews.java({}, "-Xmx2g")]},
		{},
	)
	many.severity == "error"
	contains(many.message, "no -XX:ActiveProcessorCount, and it counts 64 processors (annotation).")
	some few in report(
		object.union(average, {"jvm.headroom.dev/app": "processors=4"}),
		{"containers": [reviews.java({}, "-Xmx2g")]},
		{},
	)
	few.severity == "info"
	some unknown in report({"jvm.headroom.dev/app": "processors=64"}, {"containers": [reviews.java({}, "-Xmx2g")]}, {})
	unknown.severity == "warning"
}

# No JVM counts more than the largest node has.
test_the_largest_node if {
	app := {"containers": [reviews.java({}, "-Xmx2g")]}
	every cores, wanted in {4: ["info", "4 collector and 3 compiler threads on 4 cores."], 5: ["warning", "on 5 cores."]} {
		some f in report(average, app, {}) with data.headroom.overrides as {"nodes": {"cores": cores}}
		f.severity == wanted[0]
		endswith(f.why, wanted[1])
	}
}
