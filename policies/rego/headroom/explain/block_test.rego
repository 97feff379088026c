package headroom.explain_test

import data.headroom.explain

block(x) := x.passing.block

yaml_of(cpu, limit_cpu, amount) := concat("\n", array.concat(
	["resources:", "  requests:", sprintf("    cpu: %s", [cpu]), sprintf("    memory: %s", [amount]), "  limits:"],
	array.concat([sprintf("    cpu: %s", [c]) | some c in limit_cpu], [sprintf("    memory: %s", [amount])]),
))

of_class(class, resources) := first(pod(of(class), [{"name": "app", "resources": resources}]))

test_a_block_of_what_the_class_asks_for if {
	block(of_class("latency-sensitive", both("500m", "1Gi"))) == yaml_of("500m", [], "1Gi")
	block(of_class("batch", both("2", "1Gi"))) == yaml_of("\"2\"", ["\"4\""], "1Gi")
	unclassified := first(pod({}, [{"name": "app", "resources": both("500m", "1Gi")}]))
	block(unclassified) == yaml_of("500m", ["500m"], "1Gi")
	no_limit := first(pod({}, [{"name": "app", "resources": memory("1Gi")}]))
	block(no_limit) == yaml_of("\"1\"", [], "1Gi")
}

test_no_block if {
	none := first(pod({}, [{"name": "app"}]))
	block(none) == ""
	none.passing.block_note == concat("; ", [
		"no block: nobody has measured its CPU use, and it has no request",
		"what memory it needs is not known",
	])
	with_init := explain.result[1] with input as object.union(
		pod({}, [{"name": "app"}]),
		{"spec": {"initContainers": [{"name": "wait"}]}},
	)
	startswith(with_init.passing.block_note, "no block: no class asks anything of an init container; ")
	slip := first(pod({}, [{"name": "app", "resources": {"requests": {"cpu": "1"}, "limits": {"memory": "128m"}}}]))
	slip.passing.block_note == "no block: what memory it needs is not known"
}

test_memory_of_the_larger_and_of_the_peak if {
	less := {"requests": {"cpu": "1", "memory": "2Gi"}, "limits": {"memory": "1Gi"}}
	block(of_class("latency-sensitive", less)) == yaml_of("\"1\"", [], "2Gi")
	peak := {"memory-peak.headroom.dev/app": "800Mi"}
	measured := first(pod(object.union(of("latency-sensitive"), peak), [{
		"name": "app",
		"resources": {"requests": {"cpu": "1"}},
	}]))
	block(measured) == yaml_of("\"1\"", [], "1000Mi")
}

test_a_pinned_container_keeps_its_cpu if {
	annotations := object.union(of("latency-sensitive"), {"headroom.dev/cpu-pinning": "static"})
	pinned := first(pod(annotations, [{"name": "app", "resources": both("2", "1Gi")}]))
	block(pinned) == yaml_of("\"2\"", ["\"2\""], "1Gi")
}

test_other_resources_are_kept if {
	odd := {
		"requests": {"cpu": "1", "memory": "1Gi", "ephemeral-storage": "2e9", "a b": "1", "x": [], "example.com/gpu": 1},
		"limits": {"memory": "1Gi", "example.com/gpu": 1},
	}
	block(of_class("latency-sensitive", odd)) == concat("\n", [
		"resources:",
		"  requests:",
		"    cpu: \"1\"",
		"    ephemeral-storage: \"2e9\"",
		"    example.com/gpu: 1",
		"    memory: 1Gi",
		"  limits:",
		"    example.com/gpu: 1",
		"    memory: 1Gi",
	])
}

note(given) := first(given).passing.block_note

test_resources_that_are_a_list if {
	odd := {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": ["a", 1]}
	block(of_class("latency-sensitive", odd)) == yaml_of("\"1\"", [], "1Gi")
}

test_what_the_namespace_does_is_said if {
	free := pod(of("latency-sensitive"), [{"name": "app", "resources": both("1", "1Gi")}])
	note(around(free, {"limit_ranges": [{
		"metadata": {"name": "cpu"},
		"spec": {"limits": [{"type": "Container", "default": {"cpu": "2"}}]},
	}]})) == "LimitRange cpu (default.cpu: 2 per Container) sets a CPU limit again"
	note(around(free, {"resource_quotas": [{
		"metadata": {"name": "q"},
		"spec": {"hard": {"limits.cpu": "8"}},
	}]})) == "ResourceQuota q (limits.cpu: 8) refuses Pods without a CPU limit"
}

test_what_remains_is_said if {
	sidecar := pod(of("sidecar"), [{"name": "app", "resources": memory("1Gi")}])
	note(sidecar) == "HR205 remains: limits.cpu: its measured peak, which no annotation gives"
	startswith(note(around(sidecar, {"measured": {"app": {"samples": 0}}})), "HR205 remains: ")
}

plan(flags, limit, more) := [
	p.tool_options,
	p.tool_options_note,
	p.block_note,
	regex.find_n(`memory: \S+`, p.block, 1),
] if {
	annotations := object.union(facts(concat(" ", ["version=17", told])), more)
	p := jvm(annotations, java(array.concat(["-XX:ActiveProcessorCount=2"], flags), limit)).passing
}

uncapped := ["-XX:MaxMetaspaceSize=64m", "-XX:ReservedCodeCacheSize=64m", "-Xss512k"]

# capped is what is added where nothing bounds direct memory.
capped := "-XX:MaxDirectMemorySize=256m"

test_plans if {
	# The present limit does.
	plan(array.concat(["-Xmx1g"], chapter), memory("4Gi"), {}) == ["", "", "", ["memory: 4Gi"]]

	# With a cap on direct memory it does.
	plan(array.concat(["-Xmx2g"], uncapped), memory("4Gi"), {}) == [
		capped, "beside the flags that are there",
		"", ["memory: 4Gi"],
	]

	# A larger limit with a cap.
	plan(array.concat(["-Xmx2g"], uncapped), memory("2Gi"), {}) == [
		capped, "beside the flags that are there",
		"without the cap on direct memory 5568Mi", ["memory: 3328Mi"],
	]
}

test_plans_with_a_larger_limit if {
	# No limit is enough without the cap: with it as much direct memory as heap comes on top.
	plan(array.concat(["-XX:MaxRAMPercentage=60.0"], uncapped), memory("2Gi"), {}) == [
		capped, "beside the flags that are there",
		"", ["memory: 2944Mi"],
	]

	# Without any limit.
	plan(array.concat(["-Xmx2g"], chapter), {}, {}) == [
		"", "",
		"the smallest limit for these flags, as there is none", ["memory: 3648Mi"],
	]
	plan(array.concat(["-Xmx2g"], uncapped), {}, {})[0] == capped

	# What was measured asks for more.
	peak := {"memory-peak.headroom.dev/app": "4000Mi"}
	plan(array.concat(["-Xmx2g"], chapter), memory("4Gi"), peak)[3] == ["memory: 5056Mi"]
}

test_plans_with_other_flags if {
	greedy := array.concat(["-XX:MaxRAMPercentage=85.0"], chapter)
	replaced := "in place of -XX:MaxRAMPercentage=85.0 (command line)"

	# No limit does: a smaller share under the present one.
	plan(greedy, memory("4Gi"), {}) == ["-XX:MaxRAMPercentage=59.0", replaced, "", ["memory: 4Gi"]]
}

added := "beside the flags that are there"

test_plans_with_another_heap if {
	greedy := array.concat(["-XX:MaxRAMPercentage=85.0"], chapter)

	# No share is worth it: a limit for the heap that it has.
	plan(greedy, memory("1Gi"), {}) == ["-Xmx872m", added, "", ["memory: 2176Mi"]]
	plan(array.concat(["-XX:MaxRAMPercentage=85.0"], uncapped), memory("256Mi"), {}) == [
		"-Xmx218m", added,
		"", ["memory: 960Mi"],
	]
}

test_plans_with_a_heap_of_the_limit if {
	plan(["-Xms2g"], memory("2Gi"), {}) == ["-Xmx2048m -XX:MaxDirectMemorySize=256m", added, "", ["memory: 3904Mi"]]

	# What follows the limit is not followed by a multiple of it.
	plan([], memory("512Mi"), {}) == ["-Xmx128m", added, "", ["memory: 1344Mi"]]

	# A share of the limit, where the JVM does not see it.
	plan(array.concat(["-XX:-UseContainerSupport"], chapter), memory("1Gi"), {}) == [
		"-XX:MaxRAMPercentage=50.0", "in place of -XX:-UseContainerSupport (command line)",
		"", ["memory: 2816Mi"],
	]
}

test_plans_that_nothing_passes if {
	hungry := plan(array.concat(["-XX:NewRatio=2"], uncapped), memory("256Mi"), {"jvm.headroom.dev/app": "native=1Ei"})
	startswith(hungry[2], "no limit passes with these flags; HR303 remains: ")

	# Nothing to go by.
	blind := plan(array.concat(["-Xmx1Gi"], chapter), memory("4Gi"), {"jvm.headroom.dev/app": "native=1Ei"})
	blind[2] == "whether this passes is not known: -Xmx1Gi (command line) cannot be read"
}

processors(resources, flags, annotations) := [p.tool_options, p.tool_options_note] if {
	p := jvm(object.union(facts(told), annotations), java(array.concat(["-Xmx512m"], flags), resources)).passing
}

test_a_block_without_a_cpu_limit_has_the_processors if {
	latency := of("latency-sensitive")
	narrow := array.concat(chapter, ["-XX:ParallelGCThreads=2"])
	processors(both("500m", "4Gi"), narrow, latency) == ["-XX:ActiveProcessorCount=2", added]
	busy := object.union(latency, {"cpu-average.headroom.dev/app": "3"})
	processors(both("3", "4Gi"), narrow, busy) == ["-XX:ActiveProcessorCount=6", added]
	processors(both("500m", "4Gi"), array.concat(narrow, ["-XX:ActiveProcessorCount=3"]), latency) == ["", ""]

	# It has one, or gets one.
	processors(both("500m", "4Gi"), narrow, of("batch")) == ["", ""]

	# Fewer processors would be fewer parallel than concurrent threads: it would not start.
	wide := array.concat(chapter, ["-XX:ConcGCThreads=6"])
	processors(both("500m", "4Gi"), wide, latency) == ["", ""]
}

# A JVM beside it adds no count of its own.
test_the_processors_of_one_of_two if {
	container := java(array.concat(["-Xmx512m", "-XX:ParallelGCThreads=2"], chapter), both("500m", "4Gi"))
	annotations := object.union(object.union(batch, facts(told)), of("latency-sensitive"))
	beside := object.union(container, {"name": "beside"})
	first(pod(annotations, [container, beside])).passing.tool_options == "-XX:ActiveProcessorCount=2"
}
