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
