package headroom.runtime.jvm_node_threads_test

import data.headroom.runtime.jvm

# started is what a JVM starts that counts the cores of its node, with so many threads of each kind by default.
started(parallel, concurrent, compilers, set) := text if {
	j := {
		"flags": {}, "numbers": {}, "gc": "G1", "version": 17, "heap": {"bytes": 0},
		"parallel_gc_threads": {"set": "collector" in set},
		"conc_gc_threads": {"set": "concurrent" in set},
		"compiler_threads": {"set": "compiler" in set},
	}
	text := jvm.threads_of_node(j) with jvm.parallel_threads as {"value": parallel}
		with jvm.default_concurrent as concurrent
		with jvm.default_compilers as compilers
}

test_threads_on_the_cores_of_a_node if {
	every case in [
		[3, 2, 4, set(), "3 collector, 2 concurrent and 4 compiler"],
		[2, 1, 1, set(), "2 collector"],
		[1, 2, 0, set(), "2 concurrent"],
		[1, 1, 2, set(), "2 compiler"],
		[3, 2, 4, {"collector", "compiler"}, "2 concurrent"],
		[3, 2, 4, {"concurrent", "compiler"}, "3 collector"],
	] {
		started(case[0], case[1], case[2], case[3]) == sprintf(
			"The JVM starts threads for all cores of the node: %s threads on 64 cores.",
			[case[4]],
		)
	}
	started(1, 1, 1, set()) == "The JVM sizes its pools of threads to the node's cores."
	started(3, 2, 4, {"collector", "concurrent", "compiler"}) == "The JVM sizes its pools of threads to the node's cores."
}

test_threads_that_a_jvm_takes if {
	jvm.threads_taken({"processors": 0}, 3, "its node decides") == "its node decides"
	jvm.threads_taken({"processors": 1, "processors_source": "limits.cpu"}, 3, "") == concat(" ", [
		"3 on the 1 processor it counts",
		"(limits.cpu)",
	])
}

# What is said of a node is worked out for 64 cores, or for those of the largest node where the config tells them.
collectors_of(_, _, _, cores, _) := {"value": cores}

concurrent_of(_, _, cores, _) := cores

compilers_of(_, _, _, cores) := cores

told(config) := text if {
	j := {
		"flags": {}, "numbers": {}, "gc": "G1", "version": 17, "heap": {"bytes": 0},
		"parallel_gc_threads": {"set": false}, "conc_gc_threads": {"set": false}, "compiler_threads": {"set": false},
	}
	text := jvm.threads_of_node(j) with data.headroom.overrides as {"nodes": config}
		with jvm.parallel_threads as collectors_of
		with jvm.default_concurrent as concurrent_of
		with jvm.default_compilers as compilers_of
}

test_the_cores_of_the_node if {
	contains(told({}), ": 64 collector, 64 concurrent and 64 compiler threads on 64 cores.")
	contains(told({"cores": 12}), ": 12 collector, 12 concurrent and 12 compiler threads on 12 cores.")
}
