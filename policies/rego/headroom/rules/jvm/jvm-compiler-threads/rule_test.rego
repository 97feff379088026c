package headroom.rules.jvm["jvm-compiler-threads_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.jvm["jvm-compiler-threads"] as rule

report(annotations, spec, context) := found if {
	found := rule.report with input as reviews.of_template(annotations, spec, context)
}

container := ["spec", "template", "spec", "containers", 0]

options := array.concat(container, ["env", 0, "value"])

of(app) := report({}, {"containers": [app]}, {})

secret(name) := {"name": name, "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}

test_nothing_sizes_the_compilers if {
	some f in report(average, {"containers": [reviews.java({"memory": "4Gi"}, "-Xmx2g")]}, {})
	f.container == "app"
	f.path == options
	_whole(f) == concat(" ", [
		"Neither a CPU limit nor -XX:ActiveProcessorCount nor -XX:CICompilerCount is set.",
		"The JIT compilers start threads for the node's cores: 4 on 8, 15 on 32, 18 on 64.",
	])
	f.expected == "-XX:ActiveProcessorCount=2, which sizes these threads too"
	f.figures == {"cores": 2}
	not f.harm # the rule's own, threads
	count(f.fix) > 0
	f.follows == ["jvm-processors"]
}

average := {"cpu-average.headroom.dev/app": "1"}

test_nothing_sizes_them_and_the_use_is_not_known if {
	some f in of(reviews.java({"memory": "4Gi"}, "-Xmx2g"))
	f.expected == "-XX:ActiveProcessorCount (HR402), which sizes these threads too"
	f.fix == []
}

test_something_sizes_them if {
	count(of(reviews.java({"cpu": "2"}, "-Xmx2g"))) == 0
	count(of(reviews.java({}, "-XX:ActiveProcessorCount=2"))) == 0
	count(of(reviews.java({}, "-XX:CICompilerCount=2"))) == 0
}

test_a_release_without_the_flag if {
	spec := {"containers": [reviews.java({}, "-Xmx2g")]}
	count(report({"jvm.headroom.dev/app": "version=8u181"}, spec, {})) == 0
	count(report({"jvm.headroom.dev/app": "version=8u191"}, spec, {})) == 1
}

test_a_limit_of_zero_is_none_and_a_broken_one_is_not_judged if {
	count(of(reviews.java({"cpu": "0"}, "-Xmx2g"))) == 1
	count(of(reviews.java({"cpu": "two"}, "-Xmx2g"))) == 0
}

set_to(cpu, threads) := of(reviews.java({"cpu": cpu}, concat("", ["-XX:CICompilerCount=", threads])))

test_up_to_the_cores_and_always_two if {
	count(set_to("4", "4")) == 0
	count(set_to("3500m", "4")) == 0
	count(set_to("1", "2")) == 0
	some f in set_to("4", "5")
	f.path == options
	f.message == "-XX:CICompilerCount=5 (JAVA_TOOL_OPTIONS) is more than the 4 cores of the container (limits.cpu 4)."
	endswith(f.why, "2 are enough for both compilers.")
	f.expected == "-XX:CICompilerCount=4, or none"
	f.figures == {"compiler_threads": 5, "cores": 4}
	f.harm == "throttled"
	object.get(f, "fix", []) == []
	some one in set_to("1", "3")
	one.expected == "-XX:CICompilerCount=2, or none"
}

test_the_cores_of_an_average if {
	app := reviews.java({}, "-XX:CICompilerCount=3")
	some f in report(average, {"containers": [app]}, {})
	contains(f.message, "2 cores of the container (twice the average of 1, measured)")
	count(of(app)) == 0 # what it uses is not known
	f.harm == "threads"
	count(report({"cpu-average.headroom.dev/app": "1500m"}, {"containers": [app]}, {})) == 0
}

test_nothing_tells_the_cores if {
	count(of(object.union(reviews.java({}, "-XX:CICompilerCount=64"), {"resources": {"requests": {"cpu": "0"}}}))) == 0
}

# Its ConcGCThreads may be more than the count would leave, and G1 would not start (HR402).
test_fixed_as_the_processors_are if {
	some f in of(reviews.java({}, "-XX:ConcGCThreads=4"))
	f.fix == []
	some probable in of({"name": "app", "image": "eclipse-temurin:21"})
	probable.fix == []
}

test_numbers_that_cannot_be_read if {
	count(set_to("2", "many")) == 0
}

test_a_secret_may_hold_the_number if {
	hidden := {"env": [secret("_JAVA_OPTIONS")]}
	some f in of(object.union(reviews.java({}, ""), hidden))
	[f.severity, f.fix] == ["info", []]
	endswith(f.message, "This does not apply if _JAVA_OPTIONS (a Secret holds it) sets it.")
	line := {"command": ["java", "-XX:CICompilerCount=9", "-jar", "app.jar"]}
	some set in of(object.union(reviews.java({"cpu": "2"}, ""), object.union(hidden, line)))
	set.severity == "info"
}

test_init_containers if {
	app := reviews.java({}, "-Xmx1g")
	count(report({}, {"containers": [{"name": "web"}], "initContainers": [app]}, {})) == 0
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])

# No JVM counts more than the largest node has.
test_the_largest_node if {
	app := {"containers": [reviews.java({}, "-Xmx2g")]}
	every cores, wanted in {4: ["info", ": 3 on 4."], 32: ["warning", ": 15 on 32."]} {
		found := report({"cpu-average.headroom.dev/app": "1"}, app, {})
			with data.headroom.overrides as {"nodes": {"cores": cores}}
		some f in found
		f.severity == wanted[0]
		endswith(f.why, wanted[1])
	}
}
