package headroom.advice_test

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

# share is the heap that is wanted for a JVM with these flags under a limit of so many MiB, 0 for none.
share(limit_mib, flags) := text if {
	text := [advice.heap_share(j, limit_mib) | some j in jvm.jvms][0] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{
			"name": "app",
			"command": ["java", "-jar", "app.jar"],
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
			"resources": {"requests": {"cpu": "1"}, "limits": limits(limit_mib)},
		}]},
	}
}

limits(0) := {}

limits(mib) := {"memory": sprintf("%vMi", [mib])} if mib > 0

test_a_heap_that_has_room if {
	share(2048, "") == "-XX:MaxRAMPercentage=25.0 with -XX:MaxDirectMemorySize=256m"
	share(1500, "") == concat(" ", [
		"-XX:MaxRAMPercentage=22.0 with",
		"-XX:MaxDirectMemorySize=256m, -XX:ReservedCodeCacheSize=128m and -Xss512k",
	])
	share(512, "") == concat(" ", [
		"-Xmx128m and limits.memory of 1408Mi, or with -XX:ReservedCodeCacheSize=128m and -Xss512k:",
		"-Xmx128m and limits.memory of 1088Mi (no heap fits under this limit)",
	])
	share(4096, "-Xms1g") == concat(", or ", [
		"-XX:MaxRAMPercentage=29.0",
		"-XX:MaxRAMPercentage=50.0 with -XX:MaxDirectMemorySize=256m",
	])
}

test_a_heap_without_container_support if {
	off := "-XX:-UseContainerSupport"
	share(2048, off) == "-Xmx508m with -XX:ReservedCodeCacheSize=128m and -Xss512k"
	share(512, off) == "a larger limits.memory, and -Xmx: no heap fits under this limit"
	share(0, off) == "limits.memory and -Xmx: without container support a percentage is one of the node's memory"
}

test_a_heap_without_a_limit if {
	share(0, "") == "limits.memory, then the share of it that HR303 has room for, at most -XX:MaxRAMPercentage=50.0"
}

# On little memory MinRAMPercentage decides, and a share has no effect.
test_a_heap_on_little_memory if {
	capped_small := "-XX:MaxMetaspaceSize=16m -XX:ReservedCodeCacheSize=16m -XX:MaxDirectMemorySize=1m -Xss512k"
	small(200, capped_small) == "-Xmx100m"
	small(260, capped_small) == "-XX:MaxRAMPercentage=50.0"
}

small(limit_mib, flags) := text if {
	text := [advice.heap_share(j, limit_mib) | some j in jvm.jvms][0] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"jvm.headroom.dev/app": "threads=8 native=10Mi"}},
		"spec": {"containers": [{
			"name": "app",
			"command": ["java", "-jar", "app.jar"],
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
			"resources": {"requests": {"cpu": "1"}, "limits": limits(limit_mib)},
		}]},
	}
}

# size is the heap that is advised where a JVM with so many MiB of it gets such a one by a share of 100 MiB.
size(heap_mib, largest_mib, flag, bytes) := text if {
	text := advice.heap_share({"c": {"memory_limit": 1}, "flags": {}, "numbers": {}}, 100) with memory.sees_limit as false
		with advice.heap_caps as []
		with memory.configured_heap_mib as heap_mib
		with memory.largest_heap_mib as largest_mib
		with memory.heap_at_percentage as {"flag": flag, "bytes": bytes}
}

test_a_size_where_a_share_gives_more if {
	every case in [
		[50, 60, "MaxRAMPercentage", 52428800, "-XX:MaxRAMPercentage=50.0"],
		[60, 50, "MaxRAMPercentage", 52428800, "-XX:MaxRAMPercentage=50.0"],
		[50, 60, "MaxRAMPercentage", 52428801, "-Xmx50m"],
		[50, 60, "InitialHeapSize", 52428800, "-Xmx50m"],
		[50, 60, "MinRAMPercentage", 52428800, "-Xmx50m"],
	] {
		size(case[0], case[1], case[2], case[3]) == case[4]
	}
}

test_a_heap_under_the_smallest_limits if {
	share(1, "-XX:-UseContainerSupport") == "a larger limits.memory, and -Xmx: no heap fits under this limit"
	share(1, "") == "another heap" with advice.wanted_memory as "another heap"
	startswith(share(0, "-XX:MaxRAM=4g"), "limits.memory, then the share of it")
	text := advice.heap_share({"c": {"memory_limit": 0}, "flags": {}, "numbers": {}}, 1) with memory.sees_limit as false
		with advice.heap_caps as []
		with memory.largest_heap_mib as 7
	text == "-Xmx2m"
}

# The share of the default is taken as it is, and less is none; a start of the heap has to fit, too.
test_the_least_share if {
	j := {"numbers": {"InitialHeapSize": 7}, "flags": {}, "c": {"memory_limit": 1}, "heap": {"bytes": 0}}
	every case in [[25, true, "-Xa"], [24, true, "larger"], [25, false, "larger"]] {
		text := advice.heap_share(j, 100) with memory.sees_limit as true
			with memory.fitting_share as {"flag": "-Xa", "percent": case[0]}
			with memory.fits as case[1]
			with advice.direct_cap as []
			with advice.heap_caps as ["-Xb"]
			with advice.with_flags as j
			with memory.largest_heap_mib as 10
			with memory.heap_at_percentage as {"flag": "", "bytes": 0}
		startswith(text, {"-Xa": "-Xa", "larger": "-Xmx10m with -Xb"}[case[2]])
	}
}

# Nothing of a heap that has no start is held against the limit.
fits_nothing(_, _, bytes) if bytes == 0

test_a_heap_without_a_start if {
	j := {"numbers": {}, "flags": {}, "c": {"memory_limit": 1}, "heap": {"bytes": 0}}
	text := advice.heap_share(j, 100) with memory.sees_limit as true
		with memory.fitting_share as {"flag": "-Xa", "percent": 25}
		with memory.fits as fits_nothing
		with advice.direct_cap as []
	text == "-Xa"
}
