package headroom.memory_test

import data.headroom.memory

test_the_sum_as_a_person_would_write_it if {
	sum := budget(array.concat(["-Xmx2g"], chapter), "4096Mi", declared)
	concat(" + ", [sprintf("%s %v", [term.name, term.mib]) | some term in sum.terms]) == concat(" + ", [
		"heap 2048",
		"metaspace 96",
		"code cache 64",
		"direct 256",
		"stacks 25",
		"native 100",
	])
	sum.total_mib == 2589
}

# Where each of them comes from, and what bounds it.
test_sources_of_the_terms if {
	sources(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), declared) == [
		"-XX:MaxRAMPercentage=50.0",
		"assumed, at most 256: -XX:MaxMetaspaceSize=256m",
		"assumed, at most 128: -XX:ReservedCodeCacheSize=128m",
		"-XX:MaxDirectMemorySize=256m",
		"200 threads of 128 KiB, annotation",
		"annotation",
	]
	sources([], "classes=2000") == [
		"25 % of the limit, JVM default",
		"annotation",
		"assumed, at most 240",
		"assumed, at most 1024",
		"250 threads of 128 KiB, assumed",
		"G1, assumed",
	]
}

sources(flags, facts) := [memory.source_text(j, term) | some term in memory.budget(j).terms] if {
	j := model(flags, "4096Mi", facts)
}

test_without_a_limit_the_heap_is_not_known if {
	without := model([], "0", "")
	memory.source_text(without, memory.budget(without).terms[0]) == "25 % of the node's memory, JVM default"
}

test_figures if {
	flags := array.concat(["-XX:MaxRAMPercentage=75.0"], chapter)
	found := memory.figures(model(flags, "4096Mi", declared), budget(flags, "4096Mi", declared))
	found.limit_mib == 4096
	[found.least_mib, found.total_mib, found.bound_mib] == [3189, 3613, 3912]
	found.left_mib == 483
	found.headroom_percent == 11.8
	found.terms[0] == {
		"name": "heap",
		"mib": 3072,
		"least": 3072,
		"most": 3072,
		"grade": "declared",
		"source": "-XX:MaxRAMPercentage=75.0",
	}
	sum([term.mib | some term in found.terms]) == found.total_mib
}

test_what_a_budget_leaves if {
	memory.left_text({"left_mib": -1, "limit_mib": 10}) == "1 MiB too much"
	memory.left_text({"left_mib": 0, "limit_mib": 10, "headroom": 0}) == "0 MiB are left, 0 %"
	memory.left_text({"left_mib": 3, "limit_mib": 32, "headroom": 0.09375}) == "3 MiB are left, 9.4 %"
}

# The low end is said where it is less, and what to declare where that would pass: 80 of 100 MiB.
test_what_the_low_end_is if {
	every case in [
		[810, 810, ""],
		[950, 801, " Even the low end, 801 MiB, leaves too little."],
		[1900, 1000, " Even the low end, 1000 MiB, leaves too little."],
		[1900, 1001, " Even the low end, 1001 MiB, is over the limit: it is OOMKilled once the heap fills."],
		[950, 800, " It may use as little as 800 MiB."],
		[820, 800, ""],
	] {
		[total, least, text] := case
		memory.least_text({"total_mib": total, "least_mib": least, "limit_mib": 1000}) == text
	}
}

test_where_the_heap_is_set if {
	memory.heap_path(model(["-Xmx1g"], "4096Mi", "")) == ["spec", "containers", 0, "command"]
	memory.heap_path(model([], "4096Mi", "")) == ["spec", "containers", 0, "resources", "limits", "memory"]
}

# A heap of nothing is the node's to say, another term of nothing is not.
test_a_term_of_nothing if {
	j := {"heap": {"percent": 25}, "gc": "G1"}
	every case in [
		["heap", 0, "JVM default", "25 % of the node's memory, JVM default"],
		["heap", 1, "JVM default", "25 % of the limit, JVM default"],
		["native", 0, "annotation", "annotation"],
		["native", 0, "assumed", "G1, assumed"],
		["metaspace", 0, "assumed", "assumed"],
		["direct", 0, "assumed", "assumed, at most 1"],
		["direct", 1, "assumed", "assumed"],
	] {
		memory.source_text(j, {"name": case[0], "mib": case[1], "source": case[2], "flag": "", "bound_mib": 1}) == case[3]
	}
}

# Enough is left of what is expected, and not of what is allowed.
test_what_may_be_too_little if {
	left := {"total_mib": 700, "limit_mib": 1000, "left_mib": 300, "headroom": 0.3, "bound_mib": 1500}
	memory.judged_text(left) == concat("", [
		"300 MiB are left, 30 %, and 20 % must stay free: ",
		"enough, unless it takes all of the 1500 MiB that are allowed",
	])
}
