package headroom.runtime.jvm_test

# Code cache, stacks, metaspace, direct memory, as measured on JDK 8 to 28 (tests/integration/jvm/testdata).
sizes_that_start := [
	{"args": ["-XX:ReservedCodeCacheSize=2m"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=2495k"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=2496k"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=4m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=16m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=64m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=128m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=2048m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=2049m"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=0"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=64Mi"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=4m", "-XX:+SegmentedCodeCache"], "refusing": {8, 25, 26, 28}},
	{"args": ["-XX:ReservedCodeCacheSize=16m", "-XX:-TieredCompilation"], "refusing": none},
	{"args": ["-XX:InitialCodeCacheSize=64m", "-XX:ReservedCodeCacheSize=32m"], "refusing": all},
]

stacks_that_start := [
	{"args": ["-Xss100k"], "refusing": all},
	{"args": ["-Xss135k"], "refusing": all},
	{"args": ["-Xss136k"], "refusing": {8}},
	{"args": ["-Xss180k"], "refusing": {8}},
	{"args": ["-Xss227k"], "refusing": {8}},
	{"args": ["-Xss228k"], "refusing": none},
	{"args": ["-Xss256k"], "refusing": none},
	{"args": ["-Xss512k"], "refusing": none},
	{"args": ["-Xss512"], "refusing": all},
	{"args": ["-Xss1048576"], "refusing": none},
	{"args": ["-Xss2m"], "refusing": none},
	{"args": ["-Xss1g"], "refusing": none},
	{"args": ["-Xss2g"], "refusing": all},
	{"args": ["-Xss4g"], "refusing": since_11},
	{"args": ["-Xss4194400k"], "refusing": all},
	{"args": ["-Xss0"], "refusing": {8, 11}},
	{"args": ["-Xss0.5m"], "refusing": all},
	{"args": ["-Xss512Ki"], "refusing": all},
	{"args": ["-XX:ThreadStackSize=512"], "refusing": none},
	{"args": ["-XX:ThreadStackSize=512k"], "refusing": none},
	{"args": ["-XX:ThreadStackSize=100"], "refusing": all},
	{"args": ["-Xss512k", "-XX:ThreadStackSize=1024"], "refusing": none},
]

regions_that_start := [
	{"args": ["-XX:MaxMetaspaceSize=256m"], "refusing": none},
	{"args": ["-XX:MaxMetaspaceSize=256Mi"], "refusing": all},
	{"args": ["-XX:MaxMetaspaceSize=8m"], "refusing": {8, 11}},
	{"args": ["-XX:MaxMetaspaceSize=0"], "refusing": all},
	{"args": ["-XX:MetaspaceSize=512m", "-XX:MaxMetaspaceSize=256m"], "refusing": none},
	{"args": ["-XX:CompressedClassSpaceSize=64m"], "refusing": none},
	{"args": ["-XX:CompressedClassSpaceSize=4g"], "refusing": {8, 11, 17, 21}},
	{"args": ["-XX:MaxDirectMemorySize=256m"], "refusing": none},
	{"args": ["-XX:MaxDirectMemorySize=0"], "refusing": none},
	{"args": ["-XX:MaxDirectMemorySize=256mb"], "refusing": all},
	{"args": ["-XX:MaxPermSize=256m"], "refusing": {17, 21, 25, 26, 28}},
	{"args": ["-XX:PermSize=128m"], "refusing": {17, 21, 25, 26, 28}},
	{
		"args": [
			"-XX:+UseContainerSupport", "-XX:ActiveProcessorCount=2",
			"-XX:ParallelGCThreads=4", "-XX:ConcGCThreads=2", "-XX:CICompilerCount=2",
			"-XX:MaxRAMPercentage=50.0", "-XX:MaxMetaspaceSize=256m",
			"-XX:ReservedCodeCacheSize=128m", "-XX:MaxDirectMemorySize=256m", "-Xss512k",
		],
		"refusing": none,
	},
]

test_sizes_that_start_1 if differences(part(sizes_that_start, 0)) == []

test_sizes_that_start_2 if differences(part(sizes_that_start, 1)) == []

test_sizes_that_start_3 if differences(part(sizes_that_start, 2)) == []

test_sizes_that_start_4 if {
	last_part(sizes_that_start, 3)
	differences(part(sizes_that_start, 3)) == []
}

test_stacks_that_start_1 if differences(part(stacks_that_start, 0)) == []

test_stacks_that_start_2 if differences(part(stacks_that_start, 1)) == []

test_stacks_that_start_3 if differences(part(stacks_that_start, 2)) == []

test_stacks_that_start_4 if differences(part(stacks_that_start, 3)) == []

test_stacks_that_start_5 if differences(part(stacks_that_start, 4)) == []

test_stacks_that_start_6 if {
	last_part(stacks_that_start, 5)
	differences(part(stacks_that_start, 5)) == []
}

test_regions_that_start_1 if differences(part(regions_that_start, 0)) == []

test_regions_that_start_2 if differences(part(regions_that_start, 1)) == []

test_regions_that_start_3 if differences(part(regions_that_start, 2)) == []

test_regions_that_start_4 if {
	last_part(regions_that_start, 3)
	differences(part(regions_that_start, 3)) == []
}

# The number of processors, as measured on JDK 8 to 28 (tests/integration/jvm/testdata).
processors_that_start := [
	{"refusing": none},
	{"args": ["-XX:ActiveProcessorCount=1"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=2"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=3"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=4"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=8"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=16"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=32"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=64"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=0"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=-1"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=2.5"], "refusing": all},
	{"args": ["-XX:ActiveProcessorCount=2k"], "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=two"], "refusing": all},
	{"cpu": "500m", "refusing": none},
	{"cpu": "1", "refusing": none},
	{"cpu": "1500m", "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=2"], "memory": "1791Mi", "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=2"], "memory": "1792Mi", "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=1"], "memory": "4Gi", "refusing": none},
	{"args": ["-XX:ActiveProcessorCount=8"], "memory": "512Mi", "refusing": none},
	{"args": ["-XX:-UseContainerSupport", "-Xmx256m"], "refusing": none},
	{"args": ["-XX:+UseContainerSupport"], "refusing": none},
	{"args": ["-XX:+UseContainerCpuShares"], "refusing": {8, 21, 25, 26, 28}},
	{"args": ["-XX:+PreferContainerQuotaForCPUCount"], "refusing": {21, 25, 26, 28}},
]

test_processors_that_start_1 if differences(part(processors_that_start, 0)) == []

test_processors_that_start_2 if differences(part(processors_that_start, 1)) == []

test_processors_that_start_3 if differences(part(processors_that_start, 2)) == []

test_processors_that_start_4 if differences(part(processors_that_start, 3)) == []

test_processors_that_start_5 if differences(part(processors_that_start, 4)) == []

test_processors_that_start_6 if differences(part(processors_that_start, 5)) == []

test_processors_that_start_7 if {
	last_part(processors_that_start, 6)
	differences(part(processors_that_start, 6)) == []
}

# Heap sizes and percentages.
heaps_that_start := [
	{"args": ["-Xmx512m"], "refusing": none},
	{"args": ["-Xmx512M"], "refusing": none},
	{"args": ["-Xmx524288k"], "refusing": none},
	{"args": ["-Xmx536870912"], "refusing": none},
	{"args": ["-Xmx1g"], "refusing": none},
	{"args": ["-Xmx2G"], "refusing": none},
	{"args": ["-Xmx513m"], "refusing": none},
	{"args": ["-Xmx100000001"], "refusing": none},
	{"args": ["-Xmx0x20000000"], "refusing": {8}},
	{"args": ["-Xmx1.5g"], "refusing": all},
	{"args": ["-Xmx1Gi"], "refusing": all},
	{"args": ["-Xmx1gb"], "refusing": all},
	{"args": ["-Xmx"], "refusing": all},
	{"args": ["-Xmx", "1g"], "refusing": all},
	{"args": ["-Xmx=1g"], "refusing": all},
	{"args": ["-Xmx50%"], "refusing": all},
	{"args": ["-Xmx-1g"], "refusing": all},
	{"args": ["-Xmx0"], "refusing": all},
	{"args": ["-Xmx1m"], "refusing": since_11},
	{"args": ["-Xmx$HEAP"], "refusing": all},
	{"args": ["-Xmx4g"], "refusing": none},
	{"args": ["-Xmx8g"], "refusing": none},
	{"args": ["-XX:MaxHeapSize=512m"], "refusing": none},
	{"args": ["-Xmx1g", "-XX:MaxHeapSize=512m"], "refusing": none},
	{"args": ["-XX:MaxHeapSize=512m", "-Xmx1g"], "refusing": none},
	{"args": ["-Xmx512m", "-Xmx1g"], "refusing": none},
	{"args": ["-Xms2g", "-Xmx1g"], "refusing": all},
	{"args": ["-Xmx1g", "-Xms2g"], "refusing": all},
	{"args": ["-Xms1g", "-Xmx1g"], "refusing": none},
	{"args": ["-Xms256m"], "refusing": none},
	{"args": ["-Xms2g"], "refusing": none},
	{"args": ["-Xms2g", "-XX:MaxRAMPercentage=5.0"], "refusing": none},
	{"args": ["-Xms256m"], "memory": "512Mi", "refusing": none},
	{"args": ["-XX:InitialHeapSize=2g", "-Xmx1g"], "refusing": all},
	{"args": ["-Xms0"], "refusing": none},
	{"args": ["-Xmx512m", "-Xmn1g"], "refusing": none},
	{"args": ["-Xmx512m", "-Xmn128m"], "refusing": none},
]

percentages_that_start := [
	{"args": ["-XX:MaxRAMPercentage=75.0"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=75"], "refusing": {8}},
	{"args": ["-XX:MaxRAMPercentage=50.0"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=75%"], "refusing": all},
	{"args": ["-XX:MaxRAMPercentage=75,0"], "refusing": all},
	{"args": ["-XX:MaxRAMPercentage=.5"], "refusing": {8, 11, 17}},
	{"args": ["-XX:MaxRAMPercentage=75."], "refusing": {8, 11, 17}},
	{"args": ["-XX:MaxRAMPercentage=5e1"], "refusing": {8, 11, 17}},
	{"args": ["-XX:MaxRAMPercentage=5.0e1"], "refusing": {8}},
	{"args": ["-XX:MaxRAMPercentage=0.0"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=100.0"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=101.0"], "refusing": since_11},
	{"args": ["-XX:MaxRAMPercentage=101"], "refusing": all},
	{"args": ["-XX:MaxRAMPercentage=-1.0", "-Xmx512m"], "refusing": since_11},
	{"args": ["-XX:MaxRAMPercentage="], "refusing": all},
	{"args": ["-XX:MaxRAMPercentage=half"], "refusing": all},
	{"args": ["-XX:MaxRAMPercentage=0.75"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=33.333333"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=75.0", "-Xmx512m"], "refusing": none},
	{"args": ["-Xmx512m", "-XX:MaxRAMPercentage=75.0"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=25.0", "-XX:MaxRAMPercentage=60.0"], "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=75.0"], "memory": "249Mi", "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=75.0"], "memory": "250Mi", "refusing": none},
	{"args": ["-XX:MaxRAMPercentage=75.0"], "memory": "512Mi", "refusing": none},
	{"memory": "200Mi", "refusing": none},
	{"memory": "400Mi", "refusing": none},
	{"memory": "512Mi", "refusing": none},
	{"args": ["-XX:MinRAMPercentage=60.0"], "memory": "200Mi", "refusing": none},
	{"args": ["-XX:MinRAMPercentage=80.0"], "memory": "1Gi", "refusing": none},
	{"args": ["-XX:MinRAMPercentage=80.0", "-XX:MaxRAMPercentage=10.0"], "memory": "200Mi", "refusing": none},
	{"args": ["-XX:InitialRAMPercentage=50.0"], "refusing": none},
	{"args": ["-XX:InitialRAMPercentage=60.0", "-XX:MaxRAMPercentage=40.0"], "refusing": none},
	{"args": ["-XX:InitialRAMPercentage=50.0", "-Xmx512m"], "refusing": none},
	{"args": ["-XX:MaxRAMFraction=2"], "refusing": {25, 26, 28}},
	{"args": ["-XX:MaxRAMFraction=1"], "refusing": {25, 26, 28}},
	{"args": ["-XX:MaxRAMFraction=2", "-XX:MaxRAMPercentage=75.0"], "refusing": {25, 26, 28}},
	{"args": ["-XX:MaxRAM=1g"], "refusing": {28}},
	{"args": ["-XX:+UseCGroupMemoryLimitForHeap"], "refusing": all},
	{"args": ["-XX:+UnlockExperimentalVMOptions", "-XX:+UseCGroupMemoryLimitForHeap"], "refusing": since_11},
	{"args": ["-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"], "refusing": none},
]

test_heaps_that_start_1 if differences(part(heaps_that_start, 0)) == []

test_heaps_that_start_2 if differences(part(heaps_that_start, 1)) == []

test_heaps_that_start_3 if differences(part(heaps_that_start, 2)) == []

test_heaps_that_start_4 if differences(part(heaps_that_start, 3)) == []

test_heaps_that_start_5 if differences(part(heaps_that_start, 4)) == []

test_heaps_that_start_6 if differences(part(heaps_that_start, 5)) == []

test_heaps_that_start_7 if differences(part(heaps_that_start, 6)) == []

test_heaps_that_start_8 if differences(part(heaps_that_start, 7)) == []

test_heaps_that_start_9 if differences(part(heaps_that_start, 8)) == []

test_heaps_that_start_10 if {
	last_part(heaps_that_start, 9)
	differences(part(heaps_that_start, 9)) == []
}

test_percentages_that_start_1 if differences(part(percentages_that_start, 0)) == []

test_percentages_that_start_2 if differences(part(percentages_that_start, 1)) == []

test_percentages_that_start_3 if differences(part(percentages_that_start, 2)) == []

test_percentages_that_start_4 if differences(part(percentages_that_start, 3)) == []

test_percentages_that_start_5 if differences(part(percentages_that_start, 4)) == []

test_percentages_that_start_6 if differences(part(percentages_that_start, 5)) == []

test_percentages_that_start_7 if differences(part(percentages_that_start, 6)) == []

test_percentages_that_start_8 if differences(part(percentages_that_start, 7)) == []

test_percentages_that_start_9 if differences(part(percentages_that_start, 8)) == []

test_percentages_that_start_10 if {
	last_part(percentages_that_start, 9)
	differences(part(percentages_that_start, 9)) == []
}

# The bounds of the model. The first look passes over what is within, and -Xss2m makes it go on.
bounds_of_sizes := [
	{"args": ["-XX:ReservedCodeCacheSize=2048m", "-Xss2m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=2147483649"], "refusing": all},
	{"args": ["-XX:ReservedCodeCacheSize=3m", "-XX:InitialCodeCacheSize=3m"], "refusing": none},
	{"args": ["-XX:ReservedCodeCacheSize=8m", "-XX:+SegmentedCodeCache"], "refusing": {8}},
	{"args": ["-XX:ReservedCodeCacheSize=8388607", "-XX:+SegmentedCodeCache"], "refusing": {8, 25, 26, 28}},
	{"args": ["-XX:ReservedCodeCacheSize=2555904", "-XX:+SegmentedCodeCache"], "refusing": {8, 25, 26, 28}},
	{"args": ["-Xss1"], "refusing": all},
	{"args": ["-Xss138240"], "refusing": all},
	{"args": ["-Xss138241"], "refusing": {8}},
	{"args": ["-Xss139264"], "refusing": {8}},
	{"args": ["-Xss232448"], "refusing": {8}},
	{"args": ["-Xss232449", "-Xmx1g"], "refusing": none},
	{"args": ["-Xss233472"], "refusing": none},
	{"args": ["-Xss1073741824"], "refusing": none},
	{"args": ["-Xss1073741825"], "refusing": since_11},
	{"args": ["-Xss2147482624"], "refusing": since_11},
	{"args": ["-Xss2147483648"], "refusing": all},
	{"args": ["-XX:ThreadStackSize=0"], "refusing": none},
]

bounds_of_regions := [
	{"args": ["-XX:MaxMetaspaceSize=0"], "refusing": all},
	{"args": ["-XX:MaxMetaspaceSize=1"], "refusing": {8, 11, 21, 25}},
	{"args": ["-XX:MaxMetaspaceSize=1048576"], "refusing": {8, 11, 21, 25}},
	{"args": ["-XX:MaxMetaspaceSize=4194303"], "refusing": {8, 11, 21, 25}},
	{"args": ["-XX:MaxMetaspaceSize=4194304"], "refusing": {8, 11}},
	{"args": ["-XX:MaxMetaspaceSize=8388608"], "refusing": {8, 11}},
	{"args": ["-XX:MaxMetaspaceSize=8388609"], "refusing": none},
	{"args": ["-XX:MaxMetaspaceSize=10m", "-Xss2m"], "refusing": none},
	{"args": ["-Xmx1048575"], "refusing": all},
	{"args": ["-Xmx1048576"], "refusing": since_11},
	{"args": ["-Xmx2097151"], "refusing": since_11},
	{"args": ["-Xmx2097152"], "refusing": none},
	{"args": ["-XX:MinHeapSize=1g", "-Xmx1g"], "refusing": {8, 11}},
	{"args": ["-XX:MinHeapSize=1073741825", "-Xmx1g"], "refusing": all},
	{"args": ["-Xms1g", "-Xmx1g", "-Xss2m"], "refusing": none},
	{"args": ["-Xms1073741825", "-Xmx1g", "-Xss2m"], "refusing": all},
]

test_bounds_of_sizes_1 if differences(part(bounds_of_sizes, 0)) == []

test_bounds_of_sizes_2 if differences(part(bounds_of_sizes, 1)) == []

test_bounds_of_sizes_3 if differences(part(bounds_of_sizes, 2)) == []

test_bounds_of_sizes_4 if differences(part(bounds_of_sizes, 3)) == []

test_bounds_of_sizes_5 if {
	last_part(bounds_of_sizes, 4)
	differences(part(bounds_of_sizes, 4)) == []
}

test_bounds_of_regions_1 if differences(part(bounds_of_regions, 0)) == []

test_bounds_of_regions_2 if differences(part(bounds_of_regions, 1)) == []

test_bounds_of_regions_3 if differences(part(bounds_of_regions, 2)) == []

test_bounds_of_regions_4 if {
	last_part(bounds_of_regions, 3)
	differences(part(bounds_of_regions, 3)) == []
}
