package headroom.advice_test

import data.headroom.advice
import data.headroom.evidence
import data.headroom.runtime.jvm

# wanted is the advice for a JVM with these flags under a limit of so many MiB.
wanted(flags, limit_mib) := wanted_with({}, flags, limit_mib)

wanted_with(annotations, flags, limit_mib) := text if {
	text := [advice.wanted_memory(j, limit_mib) | some j in jvm.jvms][0] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": annotations},
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
	numbers("-Xmx3g", 1500) == "at most -Xmx844m under this limit, or limits.memory of 4480Mi"
	numbers("-Xms3g -Xmx3g", 1500) == "at most -Xms844m and -Xmx844m under this limit, or limits.memory of 4480Mi"
	numbers("-Xmx64m", 200) == "limits.memory of 256Mi"
	numbers("-Xmx1g -XX:MaxDirectMemorySize=512m", 1024) == "limits.memory of 2368Mi"
}

test_no_limit_passes if {
	numbers("-Xmx1100g", 256) == "other flags: no limit passes with these"
}

# numbers is the advice where the budget is known well enough for them.
numbers(flags, limit_mib) := text if {
	text := wanted(flags, limit_mib) with evidence.numbered as true
}

# Of what is assumed no number is made: it is asked for, and no more than is assumed.
test_what_to_measure_first if {
	every flags, asked in {
		"": ["threads=, classes= and native=", "set -XX:MaxDirectMemorySize and -XX:ReservedCodeCacheSize"],
		"-XX:MaxDirectMemorySize=64m": ["threads=, classes= and native=", "set -XX:ReservedCodeCacheSize"],
		"-XX:MaxMetaspaceSize=64m": ["threads= and native=", "set -XX:MaxDirectMemorySize and -XX:ReservedCodeCacheSize"],
	} {
		wanted(concat(" ", ["-Xmx700m", flags]), 768) == sprintf(
			"annotate %s (headroom diagnose POD shows them), %s, then lower the heap or raise the limit",
			asked,
		)
	}
}

# Where flags alone can say it, nothing is to be measured first.
test_what_to_set_first if {
	caps := {
		"-XX:MaxMetaspaceSize=64m": "set -XX:MaxDirectMemorySize and -XX:ReservedCodeCacheSize",
		"-XX:MaxDirectMemorySize=64m": "set -XX:ReservedCodeCacheSize",
		"-XX:ReservedCodeCacheSize=64m": "set -XX:MaxDirectMemorySize",
	}
	told := {"jvm.headroom.dev/app": "threads=40 native=60Mi classes=4000"}
	every flag, asked in caps {
		text := wanted_with(told, concat(" ", ["-Xmx700m", flag]), 768)
		text == sprintf("%s, then lower the heap or raise the limit", [asked])
	}
}

# A range within a quarter is known well enough.
test_a_range_that_is_narrow if {
	caps := "-XX:MaxMetaspaceSize=128m -XX:MaxDirectMemorySize=64m -XX:ReservedCodeCacheSize=64m -Xss256k"
	startswith(wanted(concat(" ", ["-Xmx3g", caps]), 3300), "at most -Xmx")
}

# The limit for a heap of the same size, where a share would ask for a multiple.
test_a_share_out_of_proportion if {
	numbers("-XX:MaxRAMPercentage=70.0", 768) == concat(" ", [
		"at most -XX:MaxRAMPercentage=40.0 (-Xmx310m) under this limit, or -Xmx538m and limits.memory of 1152Mi",
	])
	numbers("-Xms1500m", 1024) == concat(" ", [
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
	other := "no -Xa, or what the JVM in the image has in its place"
	release := concat(" ", [
		"the release that runs in annotation jvm.headroom.dev/app,",
		"or flags that all of 8 to 25 start with",
	])
	taken := advice.startup_flags({"flags": ["-Xa"], "all": false, "wants": "-Xb"}, {"version": 0, "container": "app"})
	taken == "-Xb"
	beside := {"flags": ["-XX:ConcGCThreads=6"], "all": true, "settled": true}
	advice.startup_flags(beside, {"version": 17, "container": "app"}) == "another -XX:ConcGCThreads, or none"
	two := {"flags": ["-XX:+UseG1GC", "-XX:+UseSerialGC"], "all": true, "reason": "a JVM takes one collector"}
	advice.startup_flags(two, {"version": 17, "container": "app"}) == "only one of these collectors"
	every entry in [
		[["-Xa"], false, 0, release],
		[["-Xa"], false, 17, other],
		[["-Xa"], true, 0, other],
		[["-Xmx…"], true, 17, image],
		[["-XX:MaxRAMPercentage=75"], true, 17, "-XX:MaxRAMPercentage=75.0, which every release takes"],
		[["-XX:MaxRAMPercentage=75", "-Xa"], true, 17, image],
	] {
		refused := {"flags": entry[0], "all": entry[1]}
		advice.startup_flags(refused, {"version": entry[2], "container": "app"}) == entry[3]
	}
}
