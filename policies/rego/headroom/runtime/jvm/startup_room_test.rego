package headroom.runtime.jvm_test

# What has no room, and numbers between others, as measured on JDK 8 to 28.
things_without_room := [
	{"args": ["-XX:+UseSerialGC", "-XX:AutoBoxCacheMax=5000000", "-Xms64m"], "refusing": {8, 11, 17, 21, 25}},
	{"args": ["-XX:+UseG1GC", "-XX:AutoBoxCacheMax=16777217"], "refusing": {8, 11, 17, 21, 25}},
	{"args": ["-XX:+UseSerialGC", "-XX:AutoBoxCacheMax=1000000", "-Xms512m"], "refusing": none},
	{"args": ["-XX:AutoBoxCacheMax=20000", "-Xmx64m"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-Xmx256m", "-XX:YoungPLABSize=65536"], "refusing": none},
	{"args": ["-XX:+UseG1GC", "-Xmx256m", "-XX:OldPLABSize=65537"], "refusing": since_11},
	{
		"args": ["-XX:+UseG1GC", "-XX:G1HeapRegionSize=4m", "-Xmx1g", "-XX:YoungPLABSize=262144"],
		"refusing": none,
	},
	{
		"args": ["-XX:+UseG1GC", "-XX:G1HeapRegionSize=4m", "-Xmx1g", "-XX:YoungPLABSize=262145"],
		"refusing": since_11,
	},
	{"args": ["-XX:+UseParallelGC", "-XX:YoungPLABSize=2000000"], "refusing": none},
	{"args": ["-XX:+UseParallelGC", "-XX:OldPLABSize=2g"], "refusing": since_11},
	{"args": ["-XX:+UseSerialGC", "-XX:YoungPLABSize=2g"], "refusing": none},
	{"args": ["-XX:AllocatePrefetchInstr=3"], "refusing": none},
	{"args": ["-XX:AllocatePrefetchInstr=4"], "refusing": since_11},
	{"args": ["-XX:AllocatePrefetchInstr=-1"], "refusing": since_11},
	{"args": ["-XX:CompilerThreadStackSize=1t"], "refusing": all},
	{"args": ["-XX:VMThreadStackSize=128g"], "refusing": all},
	{"args": ["-XX:LargePageSizeInBytes=0"], "refusing": {25, 26, 28}},
	{"args": ["-XX:BiasedLockingBulkRevokeThreshold=19"], "refusing": since_11},
	{"args": ["-XX:BiasedLockingBulkRevokeThreshold=20"], "refusing": {21, 25, 26, 28}},
	{"env": {"JAVA_TOOL_OPTIONS": "-XX:NodeLimitFudgeFactor=1599"}, "refusing": since_11},
	{"args": ["-XX:NodeLimitFudgeFactor=1600"], "refusing": none},
	{"args": ["-XX:NodeLimitFudgeFactor=32001"], "refusing": since_11},
	{"args": ["-XX:MaxNodeLimit=1000000"], "refusing": since_11},
	{"args": ["-XX:ErgoHeapSizeLimit=101"], "refusing": all},
	{"args": ["-XX:ErgoHeapSizeLimit=1m"], "refusing": since_11},
	{"args": ["-XX:ErgoHeapSizeLimit=101", "-Xmx64m"], "refusing": none},
	{"args": ["-XX:StringTableSize=64m"], "memory": "512Mi", "refusing": all},
	{"args": ["-XX:AutoBoxCacheMax=1t"], "refusing": since_11},
]

test_room_1 if differences(part(things_without_room, 0)) == []

test_room_2 if differences(part(things_without_room, 1)) == []

test_room_3 if differences(part(things_without_room, 2)) == []

test_room_4 if differences(part(things_without_room, 3)) == []

test_room_5 if differences(part(things_without_room, 4)) == []

test_room_6 if differences(part(things_without_room, 5)) == []

test_room_7 if {
	last_part(things_without_room, 6)
	differences(part(things_without_room, 6)) == []
}
