package headroom.explain_test

import data.headroom.explain

# M1's flags, less the heap.
chapter := ["-XX:MaxMetaspaceSize=256m", "-XX:ReservedCodeCacheSize=128m", "-XX:MaxDirectMemorySize=256m", "-Xss512k"]

told := "threads=200 native=100Mi"

values(x) := [
	x.passing.smallest_limit_mib.value,
	x.passing.largest_heap_mib.value,
	x.passing.largest_percentage.value,
	x.passing.largest_threads.value,
]

whys(x) := [
	x.passing.smallest_limit_mib.why,
	x.passing.largest_heap_mib.why,
	x.passing.largest_percentage.why,
	x.passing.largest_threads.why,
]

# 2589 of 4096 MiB: 541 of them with another heap than half of the limit.
test_what_would_pass if {
	x := jvm(facts(told), java(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), memory("4096Mi")))
	values(x) == [1856, 2734, 66, 5696]
	whys(x) == ["", "", "", ""]
}

test_nothing_passes if {
	x := counted({}, java(["-XX:MaxRAMPercentage=99.0"], memory("256Mi")))
	values(x) == [0, 0, 0, 0]
	whys(x) == [
		concat("", [
			"-XX:MaxRAMPercentage=99.0 (command line) passes under no limit: ",
			"what grows with it leaves less than the budget has to leave free",
		]),
		"at most 70 MiB of heap pass, and no JVM should run with less than 128",
		"at most 70 MiB of heap pass, and no JVM should run with less than 128",
		"heap and the rest take 482 MiB of the 256 MiB: 226 MiB over without any thread",
	]
}

# Half of the limit, by a start script.
test_a_share_by_a_script_grows if {
	x := counted({}, {"name": "app", "image": "quay.io/infinispan/server:15.0", "resources": memory("512Mi")})
	whys(x)[0] == concat(" ", [
		"only 1216 MiB for these flags, as the heap grows with it;",
		"with -Xmx256m in JAVA_OPTIONS and limits.memory of 704Mi (and requests.memory)",
	])
}

# A heap that no JVM could run with is no answer.
test_a_heap_that_is_too_small if {
	x := counted({}, java(["-XX:MaxRAMPercentage=75.0"], memory("256Mi")))
	values(x) == [0, 0, 0, 0]
	whys(x)[0] == concat(" ", [
		"only 6272 MiB for these flags, as the heap grows with it;",
		"with -Xmx192m and limits.memory of 512Mi (and requests.memory)",
	])
	every i in [1, 2] {
		whys(x)[i] == "at most 70 MiB of heap pass, and no JVM should run with less than 128"
	}
}

test_heap_alone_leaves_too_little if {
	capped := array.concat(["-Xmx3200m"], chapter)
	whys(jvm(facts(told), java(capped, memory("4096Mi"))))[3] == concat(", ", [
		"heap and the rest take 3716 MiB of the 4096 MiB",
		"and leave 9.3 %",
	])
	default_heap := counted(facts("version=17"), java(["-XX:MinRAMPercentage=80.0"], {}))
	default_heap.passing.smallest_limit_mib.value > 0
	huge := counted({}, java(["-XX:MaxRAMPercentage=99.0", "-XX:MaxDirectMemorySize=1m"], memory("4096Mi")))
	startswith(whys(huge)[0], "-XX:MaxRAMPercentage=99.0 (command line) passes under no limit: ")
}

test_no_limit_no_answer if {
	x := jvm(facts(told), java(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), {}))
	values(x) == [1856, 0, 0, 0]
	whys(x) == ["", "there is no memory limit", "there is no memory limit", "there is no memory limit"]
	greedy := whys(counted({}, java(["-XX:MaxRAMFraction=1"], {})))[0]
	startswith(greedy, "-XX:MaxRAMFraction=1 (command line) passes under no limit: ")
}

test_the_jvm_does_not_look_at_the_limit if {
	off := counted({}, java(["-XX:-UseContainerSupport"], memory("4096Mi")))
	values(off) == [0, 2816, 0, 0]
	whys(off) == [
		"the JVM does not size its heap by the limit: container support is off",
		"",
		"container support is off: the JVM takes its share of the node's memory",
		"the heap is not known",
	]
	wrong := jvm({}, java(["-Xmx1Gi"], memory("4096Mi")))
	whys(wrong)[0] == "the JVM does not size its heap by the limit: -Xmx1Gi (command line) cannot be read"
	little := jvm(facts("threads=10 native=10Mi"), java(array.concat(["-Xmx16m"], chapter), memory("200Mi")))
	whys(little)[2] == "MaxRAMPercentage has no effect on 200 MiB: on so little memory MinRAMPercentage decides"
}

test_of_what_is_no_jvm if {
	x := first(pod({"memory-peak.headroom.dev/app": "800Mi"}, [{"name": "app", "resources": memory("900Mi")}]))
	values(x) == [1000, 0, 0, 0]
	whys(x) == ["", "no JVM", "no JVM", "no JVM"]
	y := first(pod({}, [{"name": "app"}]))
	whys(y)[0] == "its peak was not measured, and a manifest does not tell it"
}

# With a size of the memory of its own, the JVM takes a share of that.
test_a_share_of_what_is_said if {
	x := jvm(facts(told), java(array.concat(["-XX:-UseContainerSupport", "-XX:MaxRAM=2g"], chapter), memory("4096Mi")))
	[values(x)[2], whys(x)[2]] == [100, ""]
}

test_a_value_or_why_there_is_none if {
	explain._found(1, "why") == {"value": 1, "why": ""}
	explain._found(0, "why") == {"value": 0, "why": "why"}
}

test_what_is_left_of_a_limit if {
	every entry in [
		[100, 0, ", and leave 100 %"],
		[3, 2, ", and leave 33.3 %"],
		[100, 100, ", and leave 0 %"],
		[100, 101, ": 1 MiB over without any thread"],
	] {
		explain._leave(entry[0], entry[1]) == entry[2]
	}
}

test_a_heap_of_its_own_needs_no_limit_to_see if {
	off := counted({}, java(["-XX:-UseContainerSupport", "-Xmx1g"], memory("4096Mi")))
	[values(off)[0] > 0, whys(off)[0]] == [true, ""]
	none_direct := counted({}, java(["-XX:MaxRAMPercentage=99.0", "-XX:MaxDirectMemorySize=0"], memory("4096Mi")))
	startswith(whys(none_direct)[0], "-XX:MaxRAMPercentage=99.0 (command line) passes under no limit: ")
}

test_the_smallest_limit_is_one if {
	x := jvm({}, java([], memory("1Mi")))
	whys(x)[1] != "there is no memory limit"
	whys(jvm({}, java([], memory("0"))))[1] == "there is no memory limit"
}

# What lint withholds is not told here either. What would make it known is, and the present resources are no advice.
test_no_number_of_a_guess if {
	x := jvm(of("latency-sensitive"), java(["-Xmx1400m"], memory("1536Mi")))
	guess := "not known: too much of the budget is assumed"
	whys(x) == [
		concat(" ", [
			sprintf("%s;", [guess]),
			"annotate threads=, classes= and native= (headroom diagnose POD shows them),",
			"set -XX:MaxDirectMemorySize and -XX:ReservedCodeCacheSize",
		]),
		guess,
		guess,
		guess,
	]
	[x.passing.block, x.passing.block_note] == ["", "no resources to copy: what memory it needs is not known"]
	x.passing.smallest_limit_mib.value == 0
}

# What HR406 wants where no heap is set is told, and that more of it is a guess.
test_the_share_that_lint_wants if {
	beyond := "not known beyond the %v of HR406: too much of the budget is assumed"
	x := jvm({}, java([], memory("4Gi")))
	every i, amount in {1: "2048 MiB", 2: "50 %"} {
		whys(x)[i] == sprintf(beyond, [amount])
	}
}

# Of a heap that follows the node's memory the largest that passes is told where the rest is known, as HR406 does.
test_a_heap_instead_of_a_share_of_the_node if {
	known := jvm({}, {"image": "cassandra:5.0", "resources": {"limits": {"memory": "2Gi"}}})
	[values(known)[1], whys(known)[1]] == [1248, ""]
	guessed := jvm({}, {"image": "datastax/dse-server:6.8.40", "resources": {"limits": {"memory": "2Gi"}}})
	[values(guessed)[1], whys(guessed)[1]] == [0, "not known: too much of the budget is assumed"]
}

# What is enough as it is stays.
test_what_is_there_is_no_number_of_a_guess if {
	x := jvm(of("latency-sensitive"), java(["-Xmx512m"], memory("2Gi")))
	[x.passing.smallest_limit_mib.value, contains(x.passing.block, "memory: 2Gi")] == [0, true]
	not contains(whys(x)[0], "lower the heap")
}
