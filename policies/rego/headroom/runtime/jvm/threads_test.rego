package headroom.runtime.jvm_test

import data.headroom.runtime.jvm

# J1, J2, T6: collector, parallel, concurrent and compiler threads, as measured on JDK 8 to 28
# (tests/integration/jvm/testdata), by release.
pools := [
	{"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]]},
	{
		"args": ["-XX:ActiveProcessorCount=1"],
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]], [{28}, ["G1", 1, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=2"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=3"],
		"want": [[{8}, ["Parallel", 3, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 3, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=4"],
		"want": [[{8}, ["Parallel", 4, 0, 3]], [{11, 17, 21, 25, 26, 28}, ["G1", 4, 1, 3]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=8"],
		"want": [[{8}, ["Parallel", 8, 0, 4]], [{11, 17, 21, 25, 26, 28}, ["G1", 8, 2, 4]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=16"],
		"want": [[{8}, ["Parallel", 13, 0, 12]], [{11, 17, 21, 25, 26, 28}, ["G1", 13, 3, 12]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=32"],
		"want": [[{8}, ["Parallel", 23, 0, 15]], [{11, 17, 21, 25, 26, 28}, ["G1", 23, 6, 15]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=64"],
		"want": [[{8}, ["Parallel", 43, 0, 18]], [{11, 17, 21, 25, 26, 28}, ["G1", 43, 11, 18]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=0"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=2k"],
		"want": [
			[{8}, ["Parallel", 1283, 0, 49]],
			[{11, 17, 21, 25}, ["G1", 1283, 321, 49]], [{26, 28}, ["G1", 1283, 321, 24]],
		],
	},
	{"cpu": "500m", "want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]], [{28}, ["G1", 1, 1, 2]]]},
	{"cpu": "1", "want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]], [{28}, ["G1", 1, 1, 2]]]},
	{"cpu": "1500m", "want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]]},
	{
		"args": ["-XX:ActiveProcessorCount=2"],
		"memory": "1791Mi",
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]], [{28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=2"],
		"memory": "1792Mi",
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=1"],
		"memory": "4Gi",
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]], [{28}, ["G1", 1, 1, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=8"],
		"memory": "512Mi",
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 4]], [{28}, ["G1", 8, 2, 4]]],
	},
]

pools_of_collectors := [
	{"args": ["-XX:+UseSerialGC"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 0, 0, 2]]]},
	{"args": ["-XX:+UseParallelGC"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["Parallel", 2, 0, 2]]]},
	{
		"args": ["-XX:+UseParallelGC", "-XX:ActiveProcessorCount=1"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Parallel", 1, 0, 2]]],
	},
	{"args": ["-XX:+UseG1GC"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]]},
	{"args": ["-XX:+UseG1GC", "-XX:ActiveProcessorCount=1"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["G1", 1, 1, 2]]]},
	{"args": ["-XX:+UseG1GC", "-XX:ActiveProcessorCount=8"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["G1", 8, 2, 4]]]},
	{"args": ["-XX:+UseZGC"], "want": [[{17, 21, 25, 26, 28}, ["ZGC", 2, 1, 2]]]},
	{
		"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseZGC"],
		"want": [[{11, 17, 21, 25, 26, 28}, ["ZGC", 2, 1, 2]]],
	},
	{"args": ["-XX:+UseZGC", "-XX:ActiveProcessorCount=8"], "want": [[{17, 21, 25, 26, 28}, ["ZGC", 5, 2, 4]]]},
	{"args": ["-XX:+UseZGC", "-XX:+ZGenerational"], "want": [[{21, 25}, ["ZGC", 2, 1, 2]]]},
	{"args": ["-XX:+UseZGC", "-XX:-ZGenerational"], "want": [[{21, 25}, ["ZGC", 2, 1, 2]]]},
	{"args": ["-XX:+UseShenandoahGC"], "want": [[{11, 17, 21, 25, 26, 28}, ["Shenandoah", 1, 1, 2]]]},
	{
		"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC"],
		"want": [[{11, 17, 21, 25, 26, 28}, ["Shenandoah", 1, 1, 2]]],
	},
	{"args": ["-XX:+UseParNewGC"], "want": [[{8}, ["Serial", 2, 0, 2]]]},
	{"args": ["-XX:+UseParallelOldGC"], "want": [[{8, 11}, ["Parallel", 2, 0, 2]]]},
	{"args": ["-XX:+UseParallelGC", "-XX:+UseParallelOldGC"], "want": [[{8, 11}, ["Parallel", 2, 0, 2]]]},
	{
		"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC"],
		"want": [[{11, 17, 21, 25, 26, 28}, ["Epsilon", 0, 0, 2]]],
	},
	{"args": ["-XX:+UseSerialGC", "-XX:+UseSerialGC"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 0, 0, 2]]]},
	{"args": ["-XX:+UseG1GC", "-XX:-UseG1GC"], "want": [[{8}, ["Parallel", 2, 0, 2]]]},
	{
		"args": ["-XX:+UseG1GC", "-XX:-UseG1GC", "-XX:ActiveProcessorCount=1"],
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]]],
	},
	{"args": ["-XX:-UseG1GC", "-XX:+UseG1GC"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]]},
	{"args": ["-XX:-UseG1GC"], "want": [[{8}, ["Parallel", 2, 0, 2]]]},
	{"args": ["-XX:-UseG1GC", "-XX:ActiveProcessorCount=1"], "want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]]]},
	{"args": ["-XX:-UseSerialGC"], "want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]]},
	{
		"args": ["-XX:-UseSerialGC", "-XX:ActiveProcessorCount=1"],
		"want": [[{8}, ["Serial", 0, 0, 2]], [{28}, ["G1", 1, 1, 2]]],
	},
	{
		"args": ["-XX:-UseParallelGC"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{"args": ["-XX:-UseG1GC", "-XX:+UseSerialGC"], "want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 0, 0, 2]]]},
	{
		"args": ["-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:-UseG1GC"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 0, 0, 2]]],
	},
	{
		"args": ["-XX:-UseG1GC", "-XX:+UseSerialGC"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:+UseG1GC"},
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 0, 0, 2]]],
	},
]

pools_of_flags := [
	{
		"args": ["-XX:ParallelGCThreads=4"],
		"want": [[{8}, ["Parallel", 4, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 4, 1, 2]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=4", "-XX:ConcGCThreads=2"],
		"want": [[{8}, ["Parallel", 4, 2, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 4, 2, 2]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=2"],
		"want": [[{8}, ["Parallel", 2, 2, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 2, 2]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=8"],
		"want": [[{8}, ["Parallel", 8, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 8, 2, 2]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=1"],
		"want": [[{8}, ["Parallel", 1, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 1, 1, 2]]],
	},
	{"args": ["-XX:ConcGCThreads=4"], "want": [[{8}, ["Parallel", 2, 4, 2]], [{21, 25, 26, 28}, ["G1", 2, 4, 2]]]},
	{
		"args": ["-XX:ConcGCThreads=4", "-XX:ActiveProcessorCount=4"],
		"want": [[{8}, ["Parallel", 4, 4, 3]], [{11, 17, 21, 25, 26, 28}, ["G1", 4, 4, 3]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"],
		"want": [[{8}, ["Parallel", 2, 3, 2]], [{21, 25, 26, 28}, ["G1", 2, 3, 2]]],
	},
	{
		"args": ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 2, 3, 2]]],
	},
	{
		"args": ["-XX:+UseParallelGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Parallel", 2, 3, 2]]],
	},
	{
		"args": ["-XX:+UseZGC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"],
		"want": [[{17, 21, 25, 26, 28}, ["ZGC", 2, 3, 2]]],
	},
	{
		"args": ["-XX:ActiveProcessorCount=1", "-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=2"],
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 1, 2, 2]], [{28}, ["G1", 1, 2, 2]]],
	},
	{
		"args": ["-XX:+UseG1GC", "-XX:ParallelGCThreads=2", "-XX:ConcGCThreads=3"],
		"want": [[{21, 25, 26, 28}, ["G1", 2, 3, 2]]],
	},
	{
		"args": ["-XX:ConcGCThreads=0"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=0"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 0, 0, 2]]],
	},
	{
		"args": ["-XX:+UseSerialGC", "-XX:ParallelGCThreads=2"],
		"want": [[{8, 11, 17, 21, 25, 26, 28}, ["Serial", 2, 0, 2]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=8", "-XX:ParallelGCThreads=3"],
		"want": [[{8}, ["Parallel", 3, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 3, 1, 2]]],
	},
	{
		"args": ["-XX:ParallelGCThreads=1"],
		"env": {"JAVA_TOOL_OPTIONS": "-XX:ParallelGCThreads=2 -XX:ConcGCThreads=2"},
		"want": [[{8}, ["Parallel", 1, 2, 2]], [{21, 25, 26, 28}, ["G1", 1, 2, 2]]],
	},
	{
		"args": ["-XX:CICompilerCount=2"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:CICompilerCount=2", "-XX:ActiveProcessorCount=1"],
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 2]], [{28}, ["G1", 1, 1, 2]]],
	},
	{
		"args": ["-XX:CICompilerCount=3", "-XX:ActiveProcessorCount=1"],
		"want": [[{8, 11, 17, 21, 25, 26}, ["Serial", 0, 0, 3]]],
	},
	{
		"args": ["-XX:CICompilerCount=4", "-XX:ActiveProcessorCount=2"],
		"want": [[{8}, ["Parallel", 2, 0, 4]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 4]]],
	},
	{
		"args": ["-XX:CICompilerCount=5", "-XX:ActiveProcessorCount=2"],
		"want": [[{8}, ["Parallel", 2, 0, 5]], [{11, 17, 21, 25, 26}, ["G1", 2, 1, 5]]],
	},
	{
		"args": ["-XX:CICompilerCount=9", "-XX:ActiveProcessorCount=4"],
		"want": [[{8}, ["Parallel", 4, 0, 9]], [{11, 17, 21, 25, 26}, ["G1", 4, 1, 9]]],
	},
	{
		"args": ["-XX:CICompilerCount=1", "-XX:-TieredCompilation"],
		"want": [[{8}, ["Parallel", 2, 0, 1]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 1]]],
	},
	{
		"args": ["-XX:CICompilerCount=2", "-XX:-TieredCompilation"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:CICompilerCount=3", "-XX:-TieredCompilation"],
		"want": [[{8}, ["Parallel", 2, 0, 3]], [{11, 17, 21, 25, 26}, ["G1", 2, 1, 3]]],
	},
	{
		"args": ["-XX:CICompilerCount=1", "-XX:TieredStopAtLevel=1"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 1]]],
	},
	{
		"args": ["-XX:CICompilerCount=2", "-XX:TieredStopAtLevel=1"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 2]]],
	},
	{
		"args": ["-XX:CICompilerCount=3", "-XX:TieredStopAtLevel=1"],
		"want": [[{8}, ["Parallel", 2, 0, 3]], [{11, 17, 21, 25, 26}, ["G1", 2, 1, 3]]],
	},
	{
		"args": ["-XX:CICompilerCount=1", "-XX:TieredStopAtLevel=3"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21, 25, 26, 28}, ["G1", 2, 1, 1]]],
	},
	{
		"args": ["-XX:CICompilerCount=1", "-Xint"],
		"want": [[{11, 17, 21}, ["G1", 2, 1, 1]], [{25, 26, 28}, ["G1", 2, 1, 0]]],
	},
	{
		"args": ["-Xint"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21}, ["G1", 2, 1, 2]], [{25, 26, 28}, ["G1", 2, 1, 0]]],
	},
	{
		"args": ["-XX:-TieredCompilation"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21}, ["G1", 2, 1, 2]], [{25, 26, 28}, ["G1", 2, 1, 1]]],
	},
	{
		"args": ["-XX:-TieredCompilation", "-XX:ActiveProcessorCount=8"],
		"want": [[{8}, ["Parallel", 8, 0, 2]], [{11}, ["G1", 8, 2, 2]], [{17, 21, 25, 26, 28}, ["G1", 8, 2, 4]]],
	},
	{
		"args": ["-XX:TieredStopAtLevel=0"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21}, ["G1", 2, 1, 2]], [{25, 26, 28}, ["G1", 2, 1, 0]]],
	},
	{
		"args": ["-XX:TieredStopAtLevel=1"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21}, ["G1", 2, 1, 2]], [{25, 26, 28}, ["G1", 2, 1, 1]]],
	},
	{
		"args": ["-XX:TieredStopAtLevel=1", "-XX:ActiveProcessorCount=8"],
		"want": [[{8}, ["Parallel", 8, 0, 4]], [{11, 17, 21, 25, 26, 28}, ["G1", 8, 2, 4]]],
	},
	{
		"args": ["-XX:TieredStopAtLevel=3"],
		"want": [[{8}, ["Parallel", 2, 0, 2]], [{11, 17, 21}, ["G1", 2, 1, 2]], [{25, 26, 28}, ["G1", 2, 1, 1]]],
	},
	{"args": ["-XX:TieredStopAtLevel=5"], "want": [[{8}, ["Parallel", 2, 0, 2]]]},
]

pool_of(j) := [j.gc, j.parallel_gc_threads.value, j.conc_gc_threads.value, j.compiler_threads.value]

wrong_pools(rows) := [[row, release, found] |
	js := started(rows)
	some i, row in rows
	some [releases, want] in row.want
	some release in releases
	found := [pool | pool := pool_of(js[sprintf("%d-%d", [i, release])])]
	found != [want]
]

test_pools_1 if wrong_pools(part(pools, 0)) == []

test_pools_2 if wrong_pools(part(pools, 1)) == []

test_pools_3 if wrong_pools(part(pools, 2)) == []

test_pools_4 if wrong_pools(part(pools, 3)) == []

test_pools_5 if {
	last_part(pools, 4)
	wrong_pools(part(pools, 4)) == []
}

test_pools_of_collectors_1 if wrong_pools(part(pools_of_collectors, 0)) == []

test_pools_of_collectors_2 if wrong_pools(part(pools_of_collectors, 1)) == []

test_pools_of_collectors_3 if wrong_pools(part(pools_of_collectors, 2)) == []

test_pools_of_collectors_4 if wrong_pools(part(pools_of_collectors, 3)) == []

test_pools_of_collectors_5 if wrong_pools(part(pools_of_collectors, 4)) == []

test_pools_of_collectors_6 if wrong_pools(part(pools_of_collectors, 5)) == []

test_pools_of_collectors_7 if wrong_pools(part(pools_of_collectors, 6)) == []

test_pools_of_collectors_8 if {
	last_part(pools_of_collectors, 7)
	wrong_pools(part(pools_of_collectors, 7)) == []
}

test_pools_of_flags_1 if wrong_pools(part(pools_of_flags, 0)) == []

test_pools_of_flags_2 if wrong_pools(part(pools_of_flags, 1)) == []

test_pools_of_flags_3 if wrong_pools(part(pools_of_flags, 2)) == []

test_pools_of_flags_4 if wrong_pools(part(pools_of_flags, 3)) == []

test_pools_of_flags_5 if wrong_pools(part(pools_of_flags, 4)) == []

test_pools_of_flags_6 if wrong_pools(part(pools_of_flags, 5)) == []

test_pools_of_flags_7 if wrong_pools(part(pools_of_flags, 6)) == []

test_pools_of_flags_8 if wrong_pools(part(pools_of_flags, 7)) == []

test_pools_of_flags_9 if wrong_pools(part(pools_of_flags, 8)) == []

test_pools_of_flags_10 if {
	last_part(pools_of_flags, 9)
	wrong_pools(part(pools_of_flags, 9)) == []
}

# Collectors without threads to size have none by default either (J1); those that run beside the
# program have both kinds.
test_kinds_of_collectors if {
	every gc in jvm.single_threaded {
		jvm.default_parallel(gc, 8, 0) == 0
		jvm.default_concurrent(gc, 0, 8, 0) == 0
	}
	jvm.single_threaded == {"Serial", "Epsilon"}
	every gc in jvm.concurrent_collectors {
		jvm.default_concurrent(gc, jvm.default_parallel(gc, 8, 4294967296), 8, 4294967296) > 0
	}
	not "Parallel" in jvm.concurrent_collectors
	jvm.default_concurrent("Parallel", 8, 8, 0) == 0
}

# Shenandoah has as many parallel threads as concurrent ones, at least (measured on 17, 21 and 25).
test_pools_of_shenandoah if {
	every case in [[9, [9, 9]], [2, [2, 2]]] {
		[concurrent, want] := case
		flags := ["java", "-XX:+UseShenandoahGC", sprintf("-XX:ConcGCThreads=%v", [concurrent]), "Main"]
		[j] := models(
			{"command": flags, "resources": {"limits": {"cpu": "4", "memory": "4Gi"}}},
			{"jvm.headroom.dev/app": "version=17"},
		)
		[j.parallel_gc_threads.value, j.conc_gc_threads.value] == want
	}
}
