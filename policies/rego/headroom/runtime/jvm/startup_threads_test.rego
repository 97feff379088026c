package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

test_too_few_compilers_at_their_bounds if {
	both := {"flags": {}, "numbers": {}, "sources": []}
	one := {"flags": {"TieredCompilation": {"value": "-"}}, "numbers": {}, "sources": []}
	interpreting := {"flags": {}, "numbers": {}, "sources": [{"options": {"-Xint": [""]}}]}
	every row in [
		[both, 0, [all]], [both, 1, [all]], [both, 2, []], [both, 3, []],
		[one, 0, [all]], [one, 1, []], [one, 2, []],
		[interpreting, 0, [{8, 11}]], [interpreting, 1, [{8}]], [interpreting, 2, []],
	] {
		found := jvm._too_few(row[0], row[1])
		[refusing | some [_, refusing] in found] == row[2]
	}
}

test_too_many_compilers_at_their_bounds if {
	both := {"flags": {}, "numbers": {}, "sources": []}
	one := {"flags": {"TieredCompilation": {"value": "-"}}, "numbers": {}, "sources": []}
	every row in [
		[both, 0, 9, 0], [both, 1, 2, 0], [both, 1, 3, 1], [both, 3, 6, 0], [both, 3, 7, 1],
		[one, 0, 9, 0], [one, 1, 1, 0], [one, 1, 2, 0], [one, 1, 3, 1], [one, 3, 3, 0], [one, 3, 4, 1],
	] {
		count(jvm._too_many_compilers(object.union(row[0], {"processors": row[1]}), row[2])) == row[3]
	}
}

# What ParallelGCThreads is under G1, whatever runs.
test_parallel_threads_that_concurrent_ones_are_held_to if {
	set_by_flag := {"flags": {"ParallelGCThreads": {"value": "x"}}, "processors": 9}
	every row in [[-1, 0], [0, 0], [1, 1], [7, 7]] {
		jvm._parallel_on(object.union(set_by_flag, {"numbers": {"ParallelGCThreads": row[0]}})) == row[1]
	}
	every row in [[0, 0], [1, 1], [8, 8], [10, 9]] {
		jvm._parallel_on({"flags": {}, "numbers": {}, "processors": row[0]}) == row[1]
	}
}

# Beside other flags, those that contradict each other are named.
test_flags_that_contradict_each_other_are_named if {
	refused(["-XX:ConcGCThreads=3", "-XX:ParallelGCThreads=2", "-Xmx1g", "-Xss2m"]).flags == [
		"-XX:ConcGCThreads=3",
		"-XX:ParallelGCThreads=2",
	]
	under_java(["-Xmx1g", "-XX:MaxMetaspaceSize=2g", "-Xms512m", "-Xss2m"]).startup == []
	[least] := declared(["-Xmx1g", "-XX:MinHeapSize=2g", "-XX:MaxMetaspaceSize=2g"], 17).startup
	least.flags == ["-XX:MinHeapSize=2g", "-Xmx1g"]
	refused(["-XX:+UseSerialGC", "-XX:+UseG1GC", "-XX:+UseNUMA"]).flags == ["-XX:+UseG1GC", "-XX:+UseSerialGC"]
}
