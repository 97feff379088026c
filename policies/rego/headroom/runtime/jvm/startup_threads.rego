package headroom.runtime.jvm

# _thread_refusals speaks of collectors and threads that do not go together.
_thread_refusals(jvm) := array.concat(
	array.concat(_two_collectors(jvm), array.concat(_par_new_beside(jvm), _no_collector(jvm))),
	array.concat(_gc_threads(jvm), _compilers(jvm)),
)

# Resolved values count: +UseG1GC … -UseG1GC chooses no collector.
_two_collectors(jvm) := [_together(jvm, sort(flags), one_collector, every_release) |
	count(jvm.chosen) > 1
	flags := [flag |
		some flag in array.concat([name | some name, _ in collectors], ["AggressiveHeap"])
		on(jvm.flags, flag)
	]
]

one_collector := "a JVM takes one collector"

# The young collector of CMS takes no other beside it.
_par_new_beside(jvm) := [_together(jvm, array.concat(["UseParNewGC"], others), one_collector, {8}) |
	on(jvm.flags, "UseParNewGC")
	others := [flag | some flag in ["UseG1GC", "UseParallelGC", "UseParallelOldGC", "UseSerialGC"]; on(jvm.flags, flag)]
	count(others) > 0
	count(jvm.chosen) == 1
]

# The collector that a release would choose, switched off.
_no_collector(jvm) := [_together(jvm, [flag], "it switches off the collector that the JVM would choose", refusing) |
	count(jvm.chosen) == 0
	some flag in ["UseG1GC", "UseSerialGC"]
	off(jvm.flags, flag)
	refusing := {v |
		some v in since_11
		default_collector(jvm.flags, jvm.processors, server_class_memory(jvm.c, jvm.flags), v) == collectors[flag]
	}
]

# The collector on one release.
_collector_on(jvm, v) := collector(
	jvm.chosen, [], jvm.flags, jvm.processors,
	server_class_memory(jvm.c, jvm.flags), v,
)

# G1 refuses more concurrent than parallel threads up to 17, the default number included;
# Shenandoah on every release, if both are set; CMS where it exists but for 8 (measured).
_gc_threads(jvm) := [_together(jvm, names, reason, refusing) |
	concurrent := jvm.numbers.ConcGCThreads
	concurrent > _parallel_on(jvm)
	refusing := {v | some v in every_release; _too_many(_collector_on(jvm, v), v, concurrent, jvm)}
	names := [name | some name in ["ConcGCThreads", "ParallelGCThreads"]; jvm.flags[name]]
	reason := sprintf("ConcGCThreads may not be more than ParallelGCThreads, which is %v", [_parallel_on(jvm)])
]

_too_many("G1", v, concurrent, jvm) if {
	v <= 17
	parallel := _parallel_on(jvm)
	parallel > 0
	concurrent > parallel
}

_too_many("CMS", 11, concurrent, jvm) if concurrent > _parallel_on(jvm)

_too_many("Shenandoah", _, concurrent, jvm) if {
	jvm.flags.ParallelGCThreads
	concurrent > _parallel_on(jvm)
}

# What ParallelGCThreads is under G1, whatever release runs; 0 is not known.
_parallel_on(jvm) := max([0, jvm.numbers.ParallelGCThreads]) if jvm.flags.ParallelGCThreads

_parallel_on(jvm) := default_parallel("G1", jvm.processors, 0) if not jvm.flags.ParallelGCThreads

_compilers(jvm) := [_together(jvm, ["CICompilerCount"], reason, refusing) |
	wanted := jvm.numbers.CICompilerCount
	wanted >= 0
	some [reason, refusing] in array.concat(_too_few(jvm, wanted), _too_many_compilers(jvm, wanted))
]

_too_few(_, wanted) := [] if wanted >= 2

_too_few(jvm, wanted) := [["both compilers run, each in a thread of its own: it must be at least 2", {8}]] if {
	wanted == 1
	interpreted(jvm)
} else := [["up to 11 it must be at least 1", {8, 11}]] if {
	wanted == 0
	_nothing_compiles(jvm)
} else := [] if {
	wanted == 1
	jvm.numbers.TieredStopAtLevel == 0
} else := [["both compilers run, each in a thread of its own: it must be at least 2", every_release]] if {
	wanted < 2
	not one_compiler(jvm.flags, jvm.numbers)
} else := [["a compiler needs a thread", every_release]] if {
	wanted == 0
} else := [] if {
	wanted == 1
}

# 28 takes at most two for each processor, one with only one compiler.
_too_many_compilers(jvm, wanted) := [[sprintf("28 takes at most %v on %v processors", [most, jvm.processors]), {28}] |
	jvm.processors > 0
	most := _most_compilers(jvm)
	wanted > most
]

_nothing_compiles(jvm) if interpreted(jvm)

_nothing_compiles(jvm) if jvm.numbers.TieredStopAtLevel == 0

_most_compilers(jvm) := max([2, jvm.processors]) if one_compiler(jvm.flags, jvm.numbers)

_most_compilers(jvm) := 2 * jvm.processors if not one_compiler(jvm.flags, jvm.numbers)
