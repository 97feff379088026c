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
	block(of_class("batch", both("2", "1Gi"))) == yaml_of("\"2\"", ["\"2\""], "1Gi")
	unclassified := first(pod({}, [{"name": "app", "resources": both("500m", "1Gi")}]))
	block(unclassified) == yaml_of("500m", ["500m"], "1Gi")
	no_limit := first(pod({}, [{"name": "app", "resources": memory("1Gi")}]))
	block(no_limit) == yaml_of("\"1\"", [], "1Gi")
}

test_no_block if {
	none := first(pod({}, [{"name": "app"}]))
	block(none) == ""
	none.passing.block_note == concat("; ", [
		"no resources to copy: its CPU use was not measured, and it has no request",
		"what memory it needs is not known",
	])
	with_init := explain.result[1] with input as object.union(
		pod({}, [{"name": "app"}]),
		{"spec": {"initContainers": [{"name": "wait"}]}},
	)
	startswith(with_init.passing.block_note, "no resources to copy: no class asks anything of an init container; ")
	slip := first(pod({}, [{"name": "app", "resources": {"requests": {"cpu": "1"}, "limits": {"memory": "128m"}}}]))
	slip.passing.block_note == "no resources to copy: what memory it needs is not known"
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
	note(sidecar) == concat("", [
		"HR205 remains: limits.cpu: its measured peak, ",
		"not known yet (headroom annotate: cpu-peak.headroom.dev/app)",
	])
	startswith(note(around(sidecar, {"measured": {"app": {"samples": 0}}})), "HR205 remains: ")
}

plan(flags, limit, more) := [
	p.tool_options,
	p.tool_options_note,
	p.block_note,
	regex.find_n(`memory: \S+`, p.block, 1),
] if {
	annotations := object.union(facts(concat(" ", ["version=17", told])), more)
	p := counted(annotations, java(array.concat(["-XX:ActiveProcessorCount=2"], flags), limit)).passing
}

uncapped := ["-XX:MaxMetaspaceSize=64m", "-XX:ReservedCodeCacheSize=64m", "-Xss512k"]

test_plans if {
	# The present limit does.
	plan(array.concat(["-Xmx1g"], chapter), memory("4Gi"), {}) == ["", "", "", ["memory: 4Gi"]]
	plan(array.concat(["-Xmx2g"], uncapped), memory("4Gi"), {}) == ["", "", "", ["memory: 4Gi"]]

	# A larger limit.
	plan(array.concat(["-Xmx2g"], uncapped), memory("2Gi"), {}) == ["", "", "", ["memory: 3008Mi"]]
	plan(array.concat(["-XX:MaxRAMPercentage=60.0"], uncapped), memory("1200Mi"), {}) == [
		"", "", "", ["memory: 1600Mi"],
	]
}

test_plans_with_a_larger_limit if {
	# What was measured asks for more.
	peak := {"memory-peak.headroom.dev/app": "4000Mi"}
	plan(array.concat(["-Xmx2g"], chapter), memory("4Gi"), peak)[3] == ["memory: 5056Mi"]
}

test_plans_without_any_limit if {
	plan(array.concat(["-Xmx2g"], chapter), {}, {}) == [
		"", "",
		"the smallest limit for these flags, as there is none", ["memory: 3264Mi"],
	]
}

added := "beside the flags that are there"

# No limit, or none in proportion, is enough for a share: a limit for the heap that it has, as HR303 says.
test_plans_with_a_heap_of_the_same_size if {
	plan(greedy, memory("4Gi"), {}) == ["-Xmx3482m", added, "", ["memory: 5056Mi"]]
	plan(greedy, memory("1Gi"), {}) == ["-Xmx872m", added, "", ["memory: 1792Mi"]]
}

test_plans_with_a_heap_of_the_same_size_from_a_share if {
	plan(array.concat(["-XX:MaxRAMPercentage=85.0"], uncapped), memory("256Mi"), {}) == [
		"-Xmx218m", added, "", ["memory: 640Mi"],
	]
	plan(["-Xms2g"], memory("2Gi"), {}) == ["-Xmx2048m", added, "", ["memory: 3008Mi"]]
}

# And for no less than a JVM is run with.
test_plans_for_the_least_heap if {
	plan([], memory("200Mi"), {}) == ["-Xmx128m", added, "", ["memory: 448Mi"]]
	plan(["-XX:MaxRAMPercentage=75.0"], memory("200Mi"), {}) == ["-Xmx128m", added, "", ["memory: 448Mi"]]
}

# A share of the limit, where the JVM does not see it.
test_plans_where_the_heap_is_not_known if {
	every limit, wanted in {"1Gi": "1856Mi", "4Gi": "1856Mi"} {
		plan(array.concat(["-XX:-UseContainerSupport"], chapter), memory(limit), {}) == [
			"-XX:MaxRAMPercentage=50.0", "in place of -XX:-UseContainerSupport (command line)",
			"", [sprintf("memory: %s", [wanted])],
		]
	}
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
}

test_a_block_without_processors if {
	latency := of("latency-sensitive")
	narrow := array.concat(chapter, ["-XX:ParallelGCThreads=2"])

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

test_the_smallest_amounts_are_in_a_block if {
	unclassified(both("1m", "4Mi")) == yaml_of("1m", ["1m"], "4Mi")
	unclassified(both("1m", "4194303")) == ""
	less := {"requests": {"cpu": "1", "memory": "4194303"}, "limits": {"memory": "4Mi"}}
	unclassified(less) == yaml_of("\"1\"", [], "4Mi")
	average := object.union(of("batch"), {"cpu-average.headroom.dev/app": "1m"})
	block(first(pod(average, [{"name": "app", "resources": both("5m", "1Gi")}]))) == yaml_of("1m", ["2m"], "1Gi")

	# A limit is no less than the request beside it.
	low := {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "500m", "memory": "1Gi"}}
	unclassified(low) == yaml_of("\"1\"", ["\"1\""], "1Gi")
}

unclassified(resources) := block(first(pod({}, [{"name": "app", "resources": resources}])))

test_the_block_of_an_init_container if {
	every resources, note in {
		{"requests": {"cpu": "1"}}: "no resources to copy: what memory it needs is not known",
		{"limits": {"memory": "1Gi"}}: "no resources to copy: no class asks anything of an init container",
		both("1", "1Gi"): "",
	} {
		given := object.union(pod({}, []), {"spec": {
			"containers": [{"name": "app"}],
			"initContainers": [{"name": "wait", "resources": resources}],
		}})
		found := explain.result with input as given
		[x.passing.block_note | some x in found; x.role == "init"] == [note]
	}
}

test_the_limit_of_a_measured_peak if {
	every peak, mib in {"lots": 0, "0": 0, "1": 1, "1Mi": 2, "800Mi": 1000, "801Mi": 1002} {
		limit_of(peak) == mib
	}
	limit_of("1Mi") == 1000 with data.headroom.overrides as {"memory": {"peak": 0.001}}
}

limit_of(peak) := x.passing.smallest_limit_mib.value if {
	x := first(pod({"memory-peak.headroom.dev/app": peak}, [{"name": "app"}]))
}

# The peak decides where it is more than what is there, and where that is a slip.
test_a_peak_beside_other_memory if {
	every limit, expected in {"1": "1000Mi", "500Mi": "1000Mi", "2Gi": "2Gi"} {
		annotations := {"memory-peak.headroom.dev/app": "800Mi"}
		block(first(pod(annotations, [{"name": "app", "resources": both("1", limit)}]))) == yaml_of(
			"\"1\"", ["\"1\""],
			expected,
		)
	}
}

test_what_remains_of_others_and_of_other_rules_is_not_said if {
	note(pod(of("sidecar"), [
		{"name": "app", "resources": both("1", "1Gi")},
		{"name": "other", "resources": memory("1Gi")},
	])) == ""
	broken := java(array.concat(["-Xmx1g", "-XX:+NoSuchFlag"], chapter), both("1", "4Gi"))
	jvm(object.union(batch, facts(told)), broken).passing.block_note == ""
	unknown_class := pod(of("bach"), [{"name": "app", "resources": both("1", "1Gi")}])
	note(unknown_class) == ""
}

# Its limit stays, and nothing in the namespace stands against that.
test_what_the_namespace_does_to_a_limit_is_not_said if {
	limited := pod(of("batch"), [{"name": "app", "resources": both("1", "1Gi")}])
	quota := {"metadata": {"name": "q"}, "spec": {"hard": {"limits.cpu": "8"}}}
	note(around(limited, {"resource_quotas": [quota]})) == ""
	beside := pod(object.union(of("batch"), {"class.headroom.dev/other": "latency-sensitive"}), [
		{"name": "app", "resources": both("1", "1Gi")},
		{"name": "other", "resources": both("1", "1Gi")},
	])
	note(around(beside, {"resource_quotas": [quota]})) == ""
}

test_a_present_limit_at_a_bound_stays if {
	peak := {"memory-peak.headroom.dev/app": "1600Mi"}
	plan(array.concat(["-Xmx256m"], chapter), memory("2000Mi"), peak) == ["", "", "", ["memory: 2000Mi"]]
	plan(array.concat(["-Xmx256m"], chapter), memory("1999Mi"), peak) == ["", "", "", ["memory: 2Gi"]]
}

greedy := array.concat(["-XX:MaxRAMPercentage=85.0"], chapter)

# A limit that the flags do not pass under is not asked for, whatever the peak is.
test_a_peak_out_of_all_proportion if {
	huge := {"jvm.headroom.dev/app": "native=1Ti", "memory-peak.headroom.dev/app": "2Ti"}
	startswith(plan(array.concat(["-Xmx512m"], chapter), memory("2Gi"), huge)[2], "no limit passes with these flags")
}

test_no_processors_where_none_are_asked_for if {
	latency := of("latency-sensitive")
	narrow := array.concat(chapter, ["-XX:ParallelGCThreads=2"])
	unasked := java(narrow, {"limits": {"memory": "4Gi"}})
	first(pod(object.union(facts(told), latency), [unasked])).passing.tool_options == ""
	secret := object.union(java(["-Xmx512m"], both("500m", "4Gi")), {"envFrom": [{"secretRef": {"name": "s"}}]})
	jvm(object.union(facts(told), latency), secret).passing.tool_options == ""
	smallest := object.union(latency, {"cpu-average.headroom.dev/app": "1m"})
	processors(both("1m", "4Gi"), narrow, smallest) == ["-XX:ActiveProcessorCount=2", added]
}

# A heap of the same size passes under 1088Mi with the serial collector, not under the 1920Mi that the peak asks for.
test_a_limit_of_the_peak_has_to_pass_too if {
	tiny := ["-XX:MaxMetaspaceSize=16m", "-XX:ReservedCodeCacheSize=16m", "-XX:MaxDirectMemorySize=8m", "-Xss256k"]
	flags := array.concat(["-XX:MaxRAMPercentage=71.0"], tiny)
	few := {"jvm.headroom.dev/app": "version=17 threads=5 classes=100"}
	plan(flags, memory("1Gi"), few)[3] == ["memory: 1088Mi"]
	plan(flags, memory("1Gi"), object.union(few, {"memory-peak.headroom.dev/app": "1500Mi"})) == [
		"-Xmx728m", added, "", ["memory: 1920Mi"],
	]
}

# A release without container support lacks the flags that came with it.
test_a_release_without_the_flags if {
	old := counted(facts("version=8u181"), java([], memory("512Mi"))).passing
	old.tool_options == ""
	old.block_note == "whether this passes is not known: Java 8u181 has no container support"
	off := counted(facts("version=8u191"), java(["-XX:-UseContainerSupport"], memory("512Mi"))).passing
	contains(off.tool_options, "-XX:MaxRAMPercentage=50.0")
}

# A flag in front of what the command reads as one argument would keep java from starting.
test_options_that_are_read_elsewhere_too if {
	command := ["sh", "-c", "java $JAVA_TOOL_OPTIONS -XX:-UseContainerSupport -jar cart.jar"]
	p := counted(facts("version=17"), object.union(java([], memory("512Mi")), {"command": command})).passing
	p.block == ""
	p.block_note == concat(" ", [
		"no resources to copy: it needs -XX:MaxRAMPercentage=50.0 on java's command line,",
		"as JAVA_TOOL_OPTIONS is read elsewhere too",
	])
	p.tool_options == ""
}

# Two processors would be less than the flags ask for, so that the block does not set them, and says so.
test_processors_that_do_not_go_with_the_flags if {
	p := jvm(
		object.union(of("latency-sensitive"), {"jvm.headroom.dev/app": "version=17", "cpu-average.headroom.dev/app": "50m"}),
		object.union(
			java(["-XX:ConcGCThreads=6", "-Xmx512m"], {
				"requests": {"cpu": "50m", "memory": "2Gi"},
				"limits": {"memory": "2Gi"},
			}),
			{"image": "eclipse-temurin:17"},
		),
	).passing
	p.tool_options == ""
	p.block_note == "" # what remains is no error
}

# Twice the average is one processor, and so one parallel GC thread: a JVM with more concurrent ones starts no more.
test_a_limit_that_keeps_a_jvm_from_starting_is_said if {
	resources := {"requests": {"cpu": "500m", "memory": "2Gi"}, "limits": {"cpu": "4", "memory": "2Gi"}}
	remains := "HR409 remains: another -XX:ConcGCThreads, or none"
	every threads, wanted in {"1": "", "2": remains} {
		flags := ["-XX:+UseG1GC", concat("=", ["-XX:ConcGCThreads", threads]), "-Xmx1g"]
		x := jvm(
			{"jvm.headroom.dev/app": "version=17", "cpu-average.headroom.dev/app": "500m"},
			java(flags, resources),
		)
		x.jvm.will_not_start == []
		x.passing.block_note == wanted
	}
}
