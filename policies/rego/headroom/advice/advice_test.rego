package headroom.advice_test

import data.headroom.advice
import data.headroom.runtime.jvm

# wanted is the advice for a JVM with these flags under a limit of so many MiB.
wanted(flags, limit_mib) := text if {
	text := [advice.wanted_memory(j, limit_mib) | some j in jvm.jvms][0] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{
			"name": "app",
			"command": ["java", "-jar", "app.jar"],
			"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
			"resources": {"requests": {"cpu": "1"}, "limits": {"memory": sprintf("%vMi", [limit_mib])}},
		}]},
	}
}

capped := "-XX:MaxDirectMemorySize=256m -XX:ReservedCodeCacheSize=128m -Xss512k"

test_caps_that_are_enough if {
	wanted("-Xmx2g", 4096) == concat(" ", [
		"-XX:MaxDirectMemorySize=256m, or, without it,",
		"at most -Xmx1196m under this limit, or limits.memory of 6272Mi",
	])
	wanted("-Xmx300m -XX:MaxDirectMemorySize=8m", 1280) == concat(" ", [
		"-XX:ReservedCodeCacheSize=128m and -Xss512k, or, without them,",
		"at most -Xmx170m under this limit, or limits.memory of 1472Mi",
	])
	wanted("-Xmx40m", 880) == "-XX:ReservedCodeCacheSize=128m and -Xss512k"
}

# A cap of 256 MiB would leave less than a small heap takes for its direct memory.
test_a_small_heap_does_without_the_cap if {
	wanted("-Xmx300m", 1216) == concat(" ", [
		"with -XX:ReservedCodeCacheSize=128m and -Xss512k:",
		"at most -Xmx180m under this limit, or limits.memory of 1536Mi",
	])
	startswith(wanted("-Xmx3g", 1500), concat(" ", [
		"with -XX:MaxDirectMemorySize=256m, -XX:ReservedCodeCacheSize=128m and -Xss512k:",
		"at most -Xmx334m under this limit,",
	]))
}

test_flags_that_are_there_stay if {
	wanted(concat(" ", ["-Xmx4g", capped]), 4096) == "at most -Xmx2326m under this limit, or limits.memory of 6400Mi"
	wanted(concat(" ", ["-Xmx64m", capped]), 256) == "limits.memory of 1216Mi (no heap fits under this limit)"
}

# What fits needs no cap.
test_flags_that_fit if {
	wanted(concat(" ", ["-Xmx64m", capped]), 4096) == "at most -Xmx2326m under this limit, or limits.memory of 1216Mi"
}

test_one_cap_lowers_the_limit if {
	wanted("-Xmx64m -XX:MaxDirectMemorySize=256m -XX:ReservedCodeCacheSize=128m", 256) == concat(" ", [
		"limits.memory of 1344Mi, or with -Xss512k: limits.memory of 1216Mi",
		"(no heap fits under this limit)",
	])
}

test_no_limit_passes if {
	wanted(concat(" ", ["-Xmx900g -XX:MaxMetaspaceSize=900g", capped]), 256) == "other flags: no limit passes with these"
}

# The limit for a heap of the same size, where a share would ask for a multiple.
test_a_share_out_of_proportion if {
	wanted("-XX:MaxRAMPercentage=70.0", 1250) == concat(" ", [
		"with -XX:ReservedCodeCacheSize=128m and -Xss512k:",
		"at most -XX:MaxRAMPercentage=15.0 (-Xmx194m) under this limit, or -Xmx876m and limits.memory of 3008Mi",
	])
	wanted("-Xms1500m", 4096) == concat(" ", [
		"-XX:MaxDirectMemorySize=256m, or, without it,",
		"at most -Xms1196m and -Xmx1196m under this limit, or -Xmx1500m and limits.memory of 4928Mi",
	])
}

test_no_start_above_the_maximum if {
	advice.size_text({"numbers": {}}, 1) == "-Xmx1m"
	advice.size_text({"numbers": {"InitialHeapSize": 1048576}}, 1) == "-Xmx1m"
	advice.size_text({"numbers": {"InitialHeapSize": 1048577}}, 1) == "-Xms1m and -Xmx1m"
}

test_flags_to_start_with if {
	image := "flags that the JVM in the image starts with"
	release := concat(" ", [
		"the release that runs in annotation jvm.headroom.dev/app,",
		"or flags that all of 8 to 25 start with",
	])
	every entry in [
		[["-Xa"], false, 0, release],
		[["-Xa"], false, 17, image],
		[["-Xa"], true, 0, image],
		[["-XX:MaxRAMPercentage=75"], true, 17, "-XX:MaxRAMPercentage=75.0, which every release takes"],
		[["-XX:MaxRAMPercentage=75", "-Xa"], true, 17, image],
	] {
		refused := {"flags": entry[0], "all": entry[1]}
		advice.startup_flags(refused, {"version": entry[2], "container": "app"}) == entry[3]
	}
}
