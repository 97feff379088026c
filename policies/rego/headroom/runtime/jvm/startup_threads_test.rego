package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# Collectors, as measured on JDK 8 to 28 (tests/integration/jvm/testdata).
collectors_that_start := [
	{"args": ["-XX:+UseSerialGC"], "refusing": none},
	{"args": ["-XX:+UseParallelGC"], "refusing": none},
	{"args": ["-XX:+UseParallelGC", "-XX:ActiveProcessorCount=1"], "refusing": none},
	{"args": ["-XX:+UseG1GC"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:ActiveProcessorCount=1"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:ActiveProcessorCount=8"], "refusing": none},
	{"args": ["-XX:+UseZGC"], "refusing": {8, 11}},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"], "refusing": {8}},
	{"args": ["-XX:+UseZGC", "-XX:ActiveProcessorCount=8"], "refusing": {8, 11}},
	{"args": ["-XX:+UseZGC", "-XX:+ZGenerational"], "refusing": {8, 11, 17, 26, 28}},
	{"args": ["-XX:+UseZGC", "-XX:-ZGenerational"], "refusing": {8, 11, 17, 26, 28}},
	{"args": ["-XX:+UseShenandoahGC"], "refusing": {8}},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC"], "refusing": {8}},
	{"args": ["-XX:+UseConcMarkSweepGC"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:+UseConcMarkSweepGC", "-XX:+UseParNewGC"], "refusing": since_11},
	{"args": ["-XX:+UseParNewGC"], "refusing": since_11},
	{"args": ["-XX:+UseParallelOldGC"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:+UseParallelGC", "-XX:+UseParallelOldGC"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:+UseEpsilonGC"], "refusing": all},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC"], "refusing": {8}},
	{"args": ["-XX:+UseG1GC", "-XX:+UseSerialGC"], "refusing": all},
	{"args": ["-XX:+UseParallelGC", "-XX:+UseG1GC"], "refusing": all},
	{"args": ["-XX:+UseZGC", "-XX:+UseG1GC"], "refusing": all},
	{"args": ["-XX:+UseSerialGC", "-XX:+UseSerialGC"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:-UseG1GC"], "refusing": since_11},
	{"args": ["-XX:+UseG1GC", "-XX:-UseG1GC", "-XX:ActiveProcessorCount=1"], "refusing": {28}},
	{"args": ["-XX:-UseG1GC", "-XX:+UseG1GC"], "refusing": none},
	{"args": ["-XX:-UseG1GC"], "refusing": since_11},
	{"args": ["-XX:-UseG1GC", "-XX:ActiveProcessorCount=1"], "refusing": {28}},
	{"args": ["-XX:-UseSerialGC"], "refusing": none},
	{"args": ["-XX:-UseSerialGC", "-XX:ActiveProcessorCount=1"], "refusing": {11, 17, 21, 25, 26}},
	{"args": ["-XX:-UseParallelGC"], "refusing": none},
	{"args": ["-XX:-UseG1GC", "-XX:+UseSerialGC"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:-UseG1GC"], "refusing": none},
	{"args": ["-XX:+UseSerialGC"], "env": {"JAVA_TOOL_OPTIONS": "-XX:+UseG1GC"}, "refusing": all},
	{"args": ["-XX:-UseG1GC", "-XX:+UseSerialGC"], "env": {"JAVA_TOOL_OPTIONS": "-XX:+UseG1GC"}, "refusing": none},
]

test_collectors_that_start_1 if differences(part(collectors_that_start, 0)) == []

test_collectors_that_start_2 if differences(part(collectors_that_start, 1)) == []

test_collectors_that_start_3 if differences(part(collectors_that_start, 2)) == []

test_collectors_that_start_4 if differences(part(collectors_that_start, 3)) == []

test_collectors_that_start_5 if differences(part(collectors_that_start, 4)) == []

test_collectors_that_start_6 if differences(part(collectors_that_start, 5)) == []

test_collectors_that_start_7 if differences(part(collectors_that_start, 6)) == []

test_collectors_that_start_8 if differences(part(collectors_that_start, 7)) == []

test_collectors_that_start_9 if {
	last_part(collectors_that_start, 8)
	differences(part(collectors_that_start, 8)) == []
}

# T6: threads of the collector.
gc_threads_that_start := [
	{"args": ["-XX:ParallelGCThreads=4"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=4", "-XX:ConcGCThreads=2"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=2"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=8"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=1"], "refusing": none},
	{"args": ["-XX:ConcGCThreads=4"], "refusing": {11, 17}},
	{"args": ["-XX:ConcGCThreads=4", "-XX:ActiveProcessorCount=4"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": {11, 17}},
	{"args": ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": none},
	{"args": ["-XX:+UseParallelGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": none},
	{"args": ["-XX:+UseZGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": {8, 11}},
	{"args": ["-XX:+UseShenandoahGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": all},
	{"args": ["-XX:+UseConcMarkSweepGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": since_11},
	{"args": ["-XX:ActiveProcessorCount=1", "-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=2"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"], "refusing": {8, 11, 17}},
	{"args": ["-XX:ConcGCThreads=0"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:ParallelGCThreads=0"], "refusing": all},
	{"args": ["-XX:+UseParallelGC", "-XX:ParallelGCThreads=0"], "refusing": all},
	{"args": ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=0"], "refusing": none},
	{"args": ["-XX:+UseZGC", "-XX:ParallelGCThreads=0"], "refusing": all},
	{"args": ["-XX:ParallelGCThreads=0"], "refusing": all},
	{"args": ["-XX:ParallelGCThreads=-1"], "refusing": all},
	{"args": ["-XX:ParallelGCThreads=two"], "refusing": all},
	{"args": ["-XX:ParallelGCThreads="], "refusing": all},
	{"args": ["-XX:ParallelGCThreads"], "refusing": all},
	{"args": ["-XX:ParallelGCThreads=2.5"], "refusing": all},
	{"args": ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=2"], "refusing": none},
	{"args": ["-XX:ParallelGCThreads=8", "-XX:ParallelGCThreads=3"], "refusing": none},
	{
		"args": ["-XX:ParallelGCThreads=1"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ParallelGCThreads=2 -XX:ConcGCThreads=2"},
		"refusing": {11, 17},
	},
	{"args": ["-XX:G1ConcRefinementThreads=1"], "refusing": none},
]

test_gc_threads_that_start_1 if differences(part(gc_threads_that_start, 0)) == []

test_gc_threads_that_start_2 if differences(part(gc_threads_that_start, 1)) == []

test_gc_threads_that_start_3 if differences(part(gc_threads_that_start, 2)) == []

test_gc_threads_that_start_4 if differences(part(gc_threads_that_start, 3)) == []

test_gc_threads_that_start_5 if differences(part(gc_threads_that_start, 4)) == []

test_gc_threads_that_start_6 if differences(part(gc_threads_that_start, 5)) == []

test_gc_threads_that_start_7 if differences(part(gc_threads_that_start, 6)) == []

test_gc_threads_that_start_8 if {
	last_part(gc_threads_that_start, 7)
	differences(part(gc_threads_that_start, 7)) == []
}

# Compiler threads, on 2 processors unless a row says otherwise.
compilers_that_start := [
	{"args": ["-XX:CICompilerCount=0"], "refusing": all},
	{"args": ["-XX:CICompilerCount=1"], "refusing": all},
	{"args": ["-XX:CICompilerCount=2"], "refusing": none},
	{"args": ["-XX:CICompilerCount=2", "-XX:ActiveProcessorCount=1"], "refusing": none},
	{"args": ["-XX:CICompilerCount=3", "-XX:ActiveProcessorCount=1"], "refusing": {28}},
	{"args": ["-XX:CICompilerCount=4", "-XX:ActiveProcessorCount=2"], "refusing": none},
	{"args": ["-XX:CICompilerCount=5", "-XX:ActiveProcessorCount=2"], "refusing": {28}},
	{"args": ["-XX:CICompilerCount=9", "-XX:ActiveProcessorCount=4"], "refusing": {28}},
	{"args": ["-XX:CICompilerCount=1", "-XX:-TieredCompilation"], "refusing": none},
	{"args": ["-XX:CICompilerCount=2", "-XX:-TieredCompilation"], "refusing": none},
	{"args": ["-XX:CICompilerCount=3", "-XX:-TieredCompilation"], "refusing": {28}},
	{"args": ["-XX:CICompilerCount=0", "-XX:-TieredCompilation"], "refusing": all},
	{"args": ["-XX:CICompilerCount=1", "-XX:TieredStopAtLevel=1"], "refusing": none},
	{"args": ["-XX:CICompilerCount=2", "-XX:TieredStopAtLevel=1"], "refusing": none},
	{"args": ["-XX:CICompilerCount=3", "-XX:TieredStopAtLevel=1"], "refusing": {28}},
	{"args": ["-XX:CICompilerCount=1", "-XX:TieredStopAtLevel=3"], "refusing": none},
	{"args": ["-XX:CICompilerCount=two"], "refusing": all},
	{"args": ["-XX:CICompilerCount=1", "-Xint"], "refusing": {8}},
	{"args": ["-Xint"], "refusing": none},
	{"args": ["-XX:-TieredCompilation"], "refusing": none},
	{"args": ["-XX:-TieredCompilation", "-XX:ActiveProcessorCount=8"], "refusing": none},
	{"args": ["-XX:TieredStopAtLevel=0"], "refusing": none},
	{"args": ["-XX:TieredStopAtLevel=1"], "refusing": none},
	{"args": ["-XX:TieredStopAtLevel=1", "-XX:ActiveProcessorCount=8"], "refusing": none},
	{"args": ["-XX:TieredStopAtLevel=3"], "refusing": none},
	{"args": ["-XX:TieredStopAtLevel=5"], "refusing": since_11},
]

test_compilers_that_start_1 if differences(part(compilers_that_start, 0)) == []

test_compilers_that_start_2 if differences(part(compilers_that_start, 1)) == []

test_compilers_that_start_3 if differences(part(compilers_that_start, 2)) == []

test_compilers_that_start_4 if differences(part(compilers_that_start, 3)) == []

test_compilers_that_start_5 if differences(part(compilers_that_start, 4)) == []

test_compilers_that_start_6 if differences(part(compilers_that_start, 5)) == []

test_compilers_that_start_7 if {
	last_part(compilers_that_start, 6)
	differences(part(compilers_that_start, 6)) == []
}

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
