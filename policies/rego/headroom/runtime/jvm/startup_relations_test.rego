package headroom.runtime.jvm_test

# As measured on JDK 8 to 28.
relations_that_start := [
	{"args": ["-XX:MaxHeapFreeRatio=30"], "refusing": {8, 11, 17, 21, 25, 26}},
	{"args": ["-XX:MaxHeapFreeRatio=30", "-XX:+UseSerialGC"], "refusing": all},
	{"args": ["-XX:MaxHeapFreeRatio=30", "-XX:+UseParallelGC"], "refusing": {8}},
	{"args": ["-XX:MinHeapFreeRatio=50", "-XX:MaxHeapFreeRatio=40", "-XX:+UseParallelGC"], "refusing": all},
	{"args": ["-XX:MinHeapFreeRatio=70", "-XX:+UseSerialGC"], "refusing": none},
	{"args": ["-XX:MinMetaspaceFreeRatio=71"], "refusing": all},
	{"args": ["-XX:SoftMaxHeapSize=1g", "-Xmx512m"], "refusing": all},
	{"args": ["-XX:SoftMaxHeapSize=512m", "-Xmx512m"], "refusing": {8, 11}},
	{"args": ["-XX:+UseG1GC", "-XX:GCPauseIntervalMillis=500"], "refusing": all},
	{"args": ["-XX:+UseSerialGC", "-XX:GCPauseIntervalMillis=500"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-XX:GCPauseIntervalMillis=200", "-XX:MaxGCPauseMillis=200"], "refusing": all},
	{"args": ["-XX:+UseG1GC", "-XX:GCPauseIntervalMillis=201", "-XX:MaxGCPauseMillis=200"], "refusing": none},
	{"args": ["-XX:InitialTenuringThreshold=10", "-XX:MaxTenuringThreshold=5", "-XX:+UseSerialGC"], "refusing": {8}},
	{"args": ["-XX:InitialTenuringThreshold=10", "-XX:MaxTenuringThreshold=5", "-XX:+UseParallelGC"], "refusing": all},
	{"args": ["-XX:MarkStackSize=600m", "-XX:+UseSerialGC"], "refusing": since_11},
	{"args": ["-XX:TLABSize=1k", "-XX:+UseSerialGC"], "refusing": since_11},
	{"args": ["-XX:ConcGCThreads=0", "-XX:+UseG1GC"], "refusing": none},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:ConcGCThreads=0", "-XX:+UseZGC"], "refusing": all},
	{"args": ["-XX:NewRatio=0", "-XX:+UseSerialGC"], "refusing": all},
	{"args": ["-XX:ObjectAlignmentInBytes=12"], "refusing": all},
	{"args": ["-XX:ObjectAlignmentInBytes=16"], "refusing": none},
	{"args": ["-XX:ContendedPaddingWidth=4"], "refusing": all},
	{"args": ["-XX:ContendedPaddingWidth=16"], "refusing": none},
	{"args": ["-XX:LargePageSizeInBytes=3m"], "refusing": {25, 26, 28}},
	{"args": ["-XX:NativeMemoryTracking=on"], "refusing": all},
	{"args": ["-XX:NativeMemoryTracking=detail"], "refusing": none},
	{"args": ["-XX:CompilationMode=quick"], "refusing": all},
	{"args": ["-XX:CompilationMode=high-only-quick-internal"], "refusing": {8, 11, 28}},
	{"args": ["-XX:InitialCodeCacheSize=49m"], "refusing": all},
	{"args": ["-XX:InitialCodeCacheSize=49m", "-XX:ReservedCodeCacheSize=64m"], "refusing": none},
	{"args": ["-XX:NonProfiledCodeHeapSize=300m"], "refusing": {8, 11, 17, 21}},
	{"args": ["-XX:NonProfiledCodeHeapSize=300m", "-XX:ReservedCodeCacheSize=240m"], "refusing": all},
	{"args": ["-XX:NonProfiledCodeHeapSize=30m", "-XX:ReservedCodeCacheSize=64m"], "refusing": {8}},
	{"args": ["-XX:InitialBootClassLoaderMetaspaceSize=260m", "-XX:MaxMetaspaceSize=256m"], "refusing": all},
	{"args": ["-Xms128m", "-XX:MinHeapSize=256m", "-Xmx1g"], "refusing": all},
	{"args": ["-XX:MinHeapSize=256m", "-Xms128m", "-Xmx1g"], "refusing": {8, 11}},
	{"args": ["-Xms512k"], "refusing": all},
	{"args": ["-XX:+UseG1GC", "-XX:+UseParNewGC"], "refusing": all},
	{"args": ["-XX:+AggressiveHeap", "-XX:+UseSerialGC"], "refusing": all},
	{"args": ["-XX:VMThreadStackSize=1"], "refusing": since_11},
	{"args": ["-XX:MaxRAM=3m"], "refusing": since_11},
	{"args": ["-XX:MaxRAM=1g", "-XX:SoftMaxHeapSize=512m"], "refusing": all},
	{"args": ["-XX:ObjectAlignmentInBytes=7"], "refusing": all},
	{
		"args": [
			"-XX:NonNMethodCodeHeapSize=8m", "-XX:ProfiledCodeHeapSize=100m", "-XX:NonProfiledCodeHeapSize=100m",
			"-XX:ReservedCodeCacheSize=240m",
		],
		"refusing": all,
	},
	{
		"args": ["-XX:+SegmentedCodeCache", "-XX:ReservedCodeCacheSize=64m", "-XX:NonProfiledCodeHeapSize=80m"],
		"refusing": all,
	},
	{"args": ["-XX:+AutoCreateSharedArchive"], "refusing": all},
	{"args": ["-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=/tmp/a.jsa"], "refusing": {8, 11, 17}},
	{"args": ["-XX:AOTMode=create"], "refusing": all},
	{"args": ["-XX:AOTMode=record", "-XX:AOTConfiguration=/tmp/a.conf"], "refusing": {8, 11, 17, 21}},
	{"args": ["-XX:FlightRecorderOptions=stackdepth=64,defaultrecording=true"], "refusing": since_11},
	{"args": ["-XX:FlightRecorderOptions:stackdepth=64"], "refusing": none},
	{"args": ["-XX:StartFlightRecording:maxsize=10m"], "refusing": none},
	{"args": ["-XX:ParallelCMSThreads=1"], "refusing": since_11},
	{"args": ["-XX:CICompilerCount=1", "-XX:TieredStopAtLevel=0"], "refusing": none},
	{"args": ["-XX:CICompilerCount=0", "-XX:TieredStopAtLevel=0"], "refusing": {8, 11}},
	{"args": ["-XX:MaxMetaspaceSize=18446744073709551616"], "refusing": since_11},
	{"args": ["-XX:MaxMetaspaceSize=18446744073709551615"], "refusing": none},
	{"args": ["-XX:CompilationMode=quick-only", "-XX:CICompilerCount=1"], "refusing": {8, 11}},
	{"args": ["-XX:-TieredCompilation", "-XX:InitialCodeCacheSize=49m"], "refusing": all},
]

test_relations_1 if differences(part(relations_that_start, 0)) == []

test_relations_2 if differences(part(relations_that_start, 1)) == []

test_relations_3 if differences(part(relations_that_start, 2)) == []

test_relations_4 if differences(part(relations_that_start, 3)) == []

test_relations_5 if differences(part(relations_that_start, 4)) == []

test_relations_6 if differences(part(relations_that_start, 5)) == []

test_relations_7 if differences(part(relations_that_start, 6)) == []

test_relations_8 if differences(part(relations_that_start, 7)) == []

test_relations_9 if differences(part(relations_that_start, 8)) == []

test_relations_10 if differences(part(relations_that_start, 9)) == []

test_relations_11 if differences(part(relations_that_start, 10)) == []

test_relations_12 if differences(part(relations_that_start, 11)) == []

test_relations_13 if differences(part(relations_that_start, 12)) == []

test_relations_14 if differences(part(relations_that_start, 13)) == []

test_relations_15 if {
	last_part(relations_that_start, 14)
	differences(part(relations_that_start, 14)) == []
}

# Where nothing is compiled with profiles one segment is enough, and 26 has room for each (measured).
test_segments_without_room if {
	every segment in ["-XX:NonProfiledCodeHeapSize=1k", "-XX:ProfiledCodeHeapSize=2k"] {
		args := ["-XX:+SegmentedCodeCache", segment]
		every release in [11, 17, 21, 25] {
			[r] := declared(args, release).startup
			r.reason == "the segment has no room for a page"
		}
		every release in [26, 28] {
			declared(args, release).startup == []
		}
		every one in ["-XX:TieredStopAtLevel=1", "-XX:TieredStopAtLevel=0", "-XX:-TieredCompilation", "-Xint"] {
			declared(array.concat(args, [one]), 17).startup == []
		}
	}
	declared(["-XX:+SegmentedCodeCache", "-XX:NonProfiledCodeHeapSize=4k"], 25).startup == []
}

# What JAVA_TOOL_OPTIONS says is looked at less by Java 8; of two sources the later counts.
test_relations_of_what_variables_say if {
	differences([
		{"args": [], "env": {"JAVA_TOOL_OPTIONS": "-XX:NativeMemoryTracking=on"}, "refusing": since_11},
		{"args": ["-XX:MinHeapSize=256m", "-Xmx1g"], "env": {"JAVA_TOOL_OPTIONS": "-Xms128m"}, "refusing": all},
	]) == []
}

unlocked := ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseShenandoahGC"]

words_that_start := [
	{"args": array.concat(unlocked, ["-XX:ShenandoahGCMode=satb"]), "refusing": {8}},
	{"args": array.concat(unlocked, ["-XX:ShenandoahGCMode=iu"]), "refusing": {8, 25, 26, 28}},
	{"args": array.concat(unlocked, ["-XX:ShenandoahGCMode=passive"]), "refusing": all},
	{"args": ["-XX:+UseShenandoahGC", "-XX:ShenandoahGCMode=generational"], "refusing": {8, 11, 17, 21}},
	{"args": array.concat(unlocked, ["-XX:ShenandoahGCHeuristics=x"]), "refusing": all},
	{"args": array.concat(unlocked, ["-XX:ConcGCThreads=0"]), "refusing": all},
]

test_words_of_shenandoah if differences(words_that_start) == []

options_that_start := [
	{"args": ["-Xlog"], "refusing": {8}},
	{"args": ["-Xlog::"], "refusing": {8}},
	{"args": ["-Xlog:async"], "refusing": {8, 11}},
	{"args": ["-Xlog:async:drop"], "refusing": {8, 11, 17, 21}},
	{"args": ["-Xlog:gc=verbose"], "refusing": all},
	{"args": ["-Xlog:gc*:file=gc.log:time,tags:filecount=5,filesize=10m"], "refusing": {8}},
	{"args": ["-Xlog:gc:file=gc.log::filesize=10MB"], "refusing": all},
	{"args": ["-Xlog:gc:file=gc.log::filecount=1001"], "refusing": all},
	{"args": ["-Xlog:gc:stdout::filecount=1"], "refusing": {8, 21, 25, 26, 28}},
	{"args": ["-Xlog:gc:file=gc.log::foldmultilines=true"], "refusing": {8, 11, 17}},
	{"args": ["-Xlog:gc:file=gc.log:nonsense"], "refusing": all},
	{"args": ["-Xlog:gc+gc"], "refusing": all},
	{"args": ["-Xlogx"], "refusing": all},
	{"args": ["-Xmn0"], "refusing": all},
	{"args": ["-Xmn64m"], "refusing": none},
	{"args": ["-Xminf0.3"], "refusing": none},
	{"args": ["-Xmaxjitcodesize64m"], "refusing": none},
	{"args": ["-Xverify:bogus"], "refusing": all},
	{"args": ["-Xcheck:x"], "refusing": all},
	{"args": ["--finalization=enabled"], "refusing": {8, 11, 17}},
	{"args": ["--finalization=x"], "refusing": all},
	{"args": ["-cp=x"], "refusing": all},
	{"args": ["-p", "x"], "refusing": {8}},
	{"args": ["--add-opens=java.base"], "refusing": all},
]

test_options_1 if differences(part(options_that_start, 0)) == []

test_options_2 if differences(part(options_that_start, 1)) == []

test_options_3 if differences(part(options_that_start, 2)) == []

test_options_4 if differences(part(options_that_start, 3)) == []

test_options_5 if differences(part(options_that_start, 4)) == []

test_options_6 if {
	last_part(options_that_start, 5)
	differences(part(options_that_start, 5)) == []
}

# Some bounds hold for java's command line only.
test_what_variables_say_is_not_always_looked_at if {
	pauses := "-XX:+UseG1GC -XX:GCPauseIntervalMillis=500 -XX:MaxGCPauseMillis=500"
	[r.versions | some r in in_variables([{"name": "JAVA_TOOL_OPTIONS", "value": pauses}], ["Main"])] == [[8]]
	[r.versions | some r in in_variables([{"name": "JDK_JAVA_OPTIONS", "value": pauses}], ["Main"])] == [[11, 17, 21, 25]]
}

test_what_is_said_of_two_flags if {
	some r in under_java(["-XX:MaxHeapFreeRatio=30"]).startup
	r.reason == "MaxHeapFreeRatio=30 is below MinHeapFreeRatio=40 (default)"
	some s in under_java(["-XX:SoftMaxHeapSize=1g", "-Xmx512m"]).startup
	s.reason == "MaxHeapSize=512m is below SoftMaxHeapSize=1g"
	s.flags == ["-Xmx512m", "-XX:SoftMaxHeapSize=1g"]
}

with_4_gib(args, release) := model(
	{
		"command": ["java"],
		"args": array.concat(args, ["-jar", "/app.jar"]),
		"resources": {"limits": {"memory": "4Gi", "cpu": "2"}},
	},
	{"jvm.headroom.dev/app": sprintf("version=%d", [release])},
)

# The heap that JVMs print, by release and flags.
heaps_that_fit := [
	[["-Xmx513m", "-XX:+UseG1GC", "-XX:G1HeapRegionSize=16m"], 8, 553648128],
	[["-Xmx513m", "-XX:+UseG1GC", "-XX:G1HeapRegionSize=3m"], 11, 538968064],
	[["-Xmx513m", "-XX:+UseG1GC", "-XX:G1HeapRegionSize=3m"], 17, 541065216],
	[["-Xmx9217m", "-XX:+UseG1GC"], 21, 9672065024],
	[["-Xmx100000001", "-XX:+UseShenandoahGC"], 17, 100139008],
	[["-Xmx777m", "-XX:+UseShenandoahGC"], 17, 814743552],
	[["-XX:+AggressiveHeap"], 17, 2147483648],
	[["-XX:+AggressiveHeap", "-Xmx300m"], 17, 314572800],
	[["-XX:ErgoHeapSizeLimit=64m"], 17, 67108864],
	[["-XX:ErgoHeapSizeLimit=64m", "-Xms100m"], 17, 104857600],
	[["-XX:DefaultMaxRAMFraction=2"], 17, 2147483648],
	[["-XX:MaxRAMPercentage=050.0"], 17, 2147483648],
	[["-XX:MaxRAMPercentage=1e1"], 21, 429916160],
	[["-XX:NewSize=2g", "-XX:+UseSerialGC"], 8, 2153775104],
	[["-XX:NewSize=2g", "-XX:+UseSerialGC"], 17, 1080033280],
	[["-XX:NewSize=2g", "-XX:+UseSerialGC"], 25, 1073741824],
]

test_heaps_that_fit if {
	wrong := [[row, bytes] |
		some row in heaps_that_fit
		bytes := with_4_gib(row[0], row[1]).heap.bytes
		bytes != row[2]
	]
	wrong == []
	count([row | some row in heaps_that_fit; with_4_gib(row[0], row[1]).heap.bytes]) == count(heaps_that_fit)
}
