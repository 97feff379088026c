package headroom.advice_test

import data.headroom.advice
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
