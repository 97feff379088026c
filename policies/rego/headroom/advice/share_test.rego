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

# A share is told where the limit has room for the most of what is assumed beside it.
test_a_heap_that_has_room if {
	share(4096, "") == "-XX:MaxRAMPercentage=50.0 and -XX:MaxDirectMemorySize=1024m"
	share(4096, "-Xms1g") == "-XX:MaxRAMPercentage=50.0 and -XX:MaxDirectMemorySize=1024m"
	share(2048, "-XX:MaxDirectMemorySize=64m") == "-XX:MaxRAMPercentage=50.0"
	share(2048, "") == concat(" ", [
		"-XX:MaxRAMPercentage=28.0 and -XX:MaxDirectMemorySize=512m",
		"(more may fit once threads=, classes= and native= are annotated)",
	])
	every limit_mib in [512, 700, 1024] {
		share(limit_mib, "") == sprintf("%s then set the heap with -XX:MaxRAMPercentage", [assumed_first])
	}
}

# Where none fits that a JVM could run with, a limit comes after the measuring, too.
test_no_heap_has_room if {
	share(128, "") == sprintf("%s then set -Xmx and limits.memory", [assumed_first])
	share(1024, "-Xms900m") == sprintf("%s then set the heap with -XX:MaxRAMPercentage", [assumed_first])
}

assumed_first := concat(" ", [
	"annotate threads=, classes= and native= (headroom diagnose POD shows them),",
	"set -XX:MaxDirectMemorySize and -XX:ReservedCodeCacheSize,",
])

# What was measured leaves a share, and one that passes at the initial heap, too.
test_a_heap_beside_what_was_measured if {
	caps := "-XX:ReservedCodeCacheSize=48m -XX:MaxDirectMemorySize=64m"
	beside_measured(1024, caps) == "-XX:MaxRAMPercentage=50.0"
	beside_measured(1024, sprintf("%s -Xms900m", [caps])) == "-Xms512m and -Xmx512m"
}

beside_measured(limit_mib, flags) := text if {
	text := [advice.heap_share(j, limit_mib) | some j in jvm.jvms][0] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"jvm.headroom.dev/app": "threads=40 native=80Mi classes=9000"}},
		"spec": {"containers": [{
			"name": "app",
			"command": ["java", "-jar", "app.jar"],
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
			"resources": {"requests": {"cpu": "1"}, "limits": limits(limit_mib)},
		}]},
	}
}

# The smallest limits there are.
test_a_heap_under_the_smallest_limits if {
	share(1, "-XX:-UseContainerSupport") == sprintf("%s then set -Xmx and limits.memory", [assumed_first])
	share(1, "") == sprintf("%s then set -Xmx and limits.memory", [assumed_first])
	startswith(share(0, "-XX:MaxRAM=4g"), "limits.memory, then the share of it")
}

test_a_heap_without_container_support if {
	off := "-XX:-UseContainerSupport"
	share(4096, sprintf("%s -XX:MaxDirectMemorySize=64m", [off])) == "-Xmx2048m"
	share(2048, off) == sprintf("%s then set the heap with -Xmx", [assumed_first])
	share(200, off) == sprintf("%s then set -Xmx and limits.memory", [assumed_first])
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

# size is the heap that is advised where so many MiB pass, and so many are configured, under 100 MiB.
size(configured, largest) := text if {
	j := {
		"c": {"memory_limit": 1}, "command": {"java": true}, "flags": {"MaxHeapSize": {}},
		"numbers": {}, "heap": {"bytes": 0, "percent": 0},
	}
	text := advice.heap_share(j, 100) with memory.sees_limit as false
		with memory.configured_heap_mib as configured
		with memory.largest_heap_mib as largest
		with memory.least_heap_mib as 40
		with memory.smallest_limit_mib as 0
		with advice.same_heap_way as "more"
} else := "none"

test_a_size_that_passes if {
	every case in [[50, 60, "-Xmx50m"], [60, 50, "-Xmx50m"], [50, 40, "-Xmx40m"], [50, 39, "more"]] {
		size(case[0], case[1]) == case[2]
	}
}

# A share has an effect from 250 MiB, and no limit out of proportion is advice.
test_a_share_with_a_limit if {
	j := object.union(bare, {"command": {"java": true}, "heap": {"percent": 25}})
	every case in [
		[200, 250, "-XX:MaxRAMPercentage=25.0 and limits.memory of 250Mi"],
		[200, 249, "more"],
		[200, 300, "-XX:MaxRAMPercentage=25.0 and limits.memory of 300Mi"],
		[200, 301, "more"],
		[200, 0, "more"],
	] {
		[limit_mib, mib, wanted] := case
		text := advice.heap_share(j, limit_mib) with memory.sees_limit as false
			with memory.smallest_limit_mib as mib
			with memory.largest_heap_mib as 0
			with advice.same_heap_way as "more"
		text == wanted
	}
}

# The share of the default is taken as it is, and a smaller one is not advised; -Xms has to fit, too.
test_the_least_share if {
	j := {
		"command": {"java": true}, "numbers": {"InitialHeapSize": 7}, "flags": {},
		"c": {"memory_limit": 1}, "heap": {"bytes": 0},
	}
	every case in [[25, true, "-Xa"], [24, true, "larger"], [25, false, "larger"]] {
		text := advice.heap_share(j, 100) with memory.sees_limit as true
			with memory.fitting_share as {"flags": ["-Xa"], "percent": case[0]}
			with memory.fits as case[1]
			with memory.largest_heap_mib as 0
			with memory.smallest_limit_mib as 0
			with advice.same_heap_way as "larger"
		text == case[2]
	}
}

# Nothing of a heap that has no start is held against the limit.
fits_nothing(_, _, bytes) if bytes == 0

test_a_heap_without_a_start if {
	j := {"command": {"java": true}, "numbers": {}, "flags": {}, "c": {"memory_limit": 1}, "heap": {"bytes": 0}}
	text := advice.heap_share(j, 100) with memory.sees_limit as true
		with memory.fitting_share as {"flags": ["-Xa"], "percent": 25}
		with memory.fits as fits_nothing
	text == "-Xa"
}
