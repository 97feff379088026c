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

# A smaller heap, or a larger limit; a heap too small for any JVM is not advised.
test_ways_that_pass if {
	wanted("-Xmx3g", 1500) == "at most -Xmx844m under this limit, or limits.memory of 4480Mi"
	wanted("-Xms3g -Xmx3g", 1500) == "at most -Xms844m and -Xmx844m under this limit, or limits.memory of 4480Mi"
	wanted("-Xmx300m", 647) == "limits.memory of 832Mi"
	wanted("-Xmx300m", 648) == "at most -Xmx162m under this limit, or limits.memory of 832Mi"
	wanted("-Xmx64m", 256) == "limits.memory of 576Mi"
	wanted("-Xmx1g -XX:MaxDirectMemorySize=512m", 1024) == "limits.memory of 2368Mi"
}

test_no_limit_passes if {
	wanted("-Xmx900g", 256) == "other flags: no limit passes with these"
}

# The limit for a heap of the same size, where a share would ask for a multiple.
test_a_share_out_of_proportion if {
	wanted("-XX:MaxRAMPercentage=70.0", 768) == concat(" ", [
		"at most -XX:MaxRAMPercentage=33.0 (-Xmx258m) under this limit, or -Xmx538m and limits.memory of 1152Mi",
	])
	wanted("-Xms1500m", 1024) == concat(" ", [
		"at most -Xms462m and -Xmx462m under this limit, or -Xmx1500m and limits.memory of 2432Mi",
	])
}

test_no_start_above_the_maximum if {
	advice.size_text({"command": {"java": true}, "numbers": {}}, 1) == "-Xmx1m"
	advice.size_text({"command": {"java": true}, "numbers": {"InitialHeapSize": 1048576}}, 1) == "-Xmx1m"
	advice.size_text({"command": {"java": true}, "numbers": {"InitialHeapSize": 1048577}}, 1) == "-Xms1m and -Xmx1m"
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
