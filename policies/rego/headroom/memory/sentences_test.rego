package headroom.memory_test

import data.headroom.memory

sentence(flags, facts) := memory.equation(model(flags, "4096Mi", facts), budget(flags, "4096Mi", facts))

test_the_sum_as_a_person_would_write_it if {
	sentence(array.concat(["-XX:MaxRAMPercentage=50.0"], chapter), declared) == concat("", [
		"heap 2048 (-XX:MaxRAMPercentage=50.0) + metaspace 256 (-XX:MaxMetaspaceSize=256m) + ",
		"code cache 128 (-XX:ReservedCodeCacheSize=128m) + direct 256 (-XX:MaxDirectMemorySize=256m) + ",
		"stacks 100 (200 threads of 512 KiB, annotation) + native 100 (annotation) = 2888 MiB",
	])
}

test_where_nothing_is_set if {
	sentence([], "") == concat("", [
		"heap 1024 (25 % of the limit, JVM default) + metaspace 256 (assumed) + code cache 240 (JVM default) + ",
		"direct 1024 (as much as the heap, JVM default) + stacks 250 (250 threads of 1024 KiB, assumed) + ",
		"native 131 (G1, assumed) = 2925 MiB",
	])
}

test_without_a_limit_the_heap_is_not_known if {
	without := model([], "0", "")
	startswith(memory.equation(without, memory.budget(without)), "heap 0 (25 % of the node's memory, JVM default) + ")
}

test_figures if {
	flags := array.concat(["-XX:MaxRAMPercentage=75.0"], chapter)
	found := memory.figures(model(flags, "4096Mi", declared), budget(flags, "4096Mi", declared))
	found.limit_mib == 4096
	found.total_mib == 3912
	found.left_mib == 184
	found.headroom_percent == 4.5
	found.terms[0] == {"name": "heap", "mib": 3072, "source": "-XX:MaxRAMPercentage=75.0"}
	sum([term.mib | some term in found.terms]) == found.total_mib
}

# Regions that are not bounded, at the low end of what is typical.
test_least if {
	found := budget(["-Xmx2g"], "4096Mi", "")
	memory.least_mib(found) == (((2048 + 50) + 48) + 50) + (100 + 172)
	all_set := budget(array.concat(["-Xmx2g"], chapter), "4096Mi", declared)
	memory.least_mib(all_set) == all_set.total_mib
}

# What is declared stays, what is bounded stays, and what is less than typical is not lifted.
test_the_low_end_of_each_term if {
	term := {"name": "stacks", "mib": 300, "source": "assumed", "assumed": true}
	every row in [
		[{}, 100],
		[{"mib": 99}, 99],
		[{"assumed": false}, 300],
		[{"source": "annotation"}, 300],
		[{"name": "native"}, 300],
		[{"name": "metaspace"}, 50],
		[{"name": "code cache"}, 48],
		[{"name": "direct"}, 50],
	] {
		memory.least_mib({"terms": [object.union(term, row[0])]}) == row[1]
	}
}

test_what_a_budget_leaves if {
	memory.left_text({"left_mib": -1, "limit_mib": 10}) == "1 MiB more than the limit of 10 MiB"
	memory.left_text({"left_mib": 0, "limit_mib": 10, "headroom": 0}) == "it leaves 0 of 10 MiB, 0 %"
	memory.left_text({"left_mib": 3, "limit_mib": 32, "headroom": 0.09375}) == "it leaves 3 of 32 MiB, 9.4 %"
}

of(heap, stacks) := {
	"terms": [
		{"name": "heap", "mib": heap, "source": "flag", "assumed": false},
		{"name": "stacks", "mib": stacks, "source": "assumed", "assumed": true},
	],
	"total_mib": heap + stacks,
	"limit_mib": 1000,
}

# The low end is said where it is less, and what to declare where that would pass: 80 of 100 MiB.
test_what_the_low_end_is if {
	memory.least_text(of(10, 100), "app") == ""
	startswith(memory.least_text(of(700, 101), "app"), " With the regions ")
	contains(memory.least_text(of(700, 101), "app"), "it is 800 MiB, 80 % of the limit. Say what was measured")
	endswith(memory.least_text(of(701, 101), "app"), "it is 801 MiB, 80 % of the limit.")
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
		["direct", 0, "JVM default", "as much as the heap, JVM default"],
	] {
		memory.source_text(j, {"name": case[0], "mib": case[1], "source": case[2]}) == case[3]
	}
}
