package headroom.runtime.jvm_test

import data.headroom.cpu
import data.headroom.runtime.jvm

_cores_text(annotations, measured) := found[0] if {
	review := {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": annotations}, "spec": {"containers": [{
			"name": "app",
			"command": ["java", "-jar", "a.jar"],
			"resources": {"requests": {"cpu": "1"}},
		}]}},
		"context": {"measured": {"app": measured}},
	}
	found := [jvm.cores_text(j) | some j in jvm.jvms] with input as review
}

test_cores_say_who_measured_the_average if {
	entry := {"source": "Prometheus", "samples": 100, "window_seconds": 86400, "cpu_average": "1200m"}
	annotations := {"cpu-average.headroom.dev/app": "2"}
	_cores_text(annotations, entry) == concat("", [
		"twice the average of 1200m, ",
		"measured by Prometheus: 100 samples over 24h, newest 0s old",
	])
	few := object.union(entry, {"samples": 1})
	doubt := "Prometheus has 1 sample, at least 60 are wanted"
	_cores_text(annotations, few) == concat("; ", ["twice the average of 2, measured", doubt])
	startswith(_cores_text({}, few), "counted by the JVM: the node")
}

# The flag that wins, as its author wrote it.
text_of(option, name) := jvm.flag_text(under_java([option]), name)

test_flags_as_written if {
	text_of("-Xmx1g", "MaxHeapSize") == "-Xmx1g"
	text_of("-Xms64m", "InitialHeapSize") == "-Xms64m"
	text_of("-XX:MaxHeapSize=1g", "MaxHeapSize") == "-XX:MaxHeapSize=1g"
	text_of("-Xss512k", "ThreadStackSize") == "-Xss512k"
	text_of("-XX:ThreadStackSize=512", "ThreadStackSize") == "-XX:ThreadStackSize=512"
	text_of("-XX:+UseG1GC", "UseG1GC") == "-XX:+UseG1GC"
	text_of("-XX:-UseG1GC", "UseG1GC") == "-XX:-UseG1GC"
	text_of("-XX:UseG1GC", "UseG1GC") == "-XX:UseG1GC"
	text_of("-XX:MaxRAMPercentage=75.0", "MaxRAMPercentage") == "-XX:MaxRAMPercentage=75.0"
}

test_origin if {
	jvm.origin(set_to("JAVA_TOOL_OPTIONS", "-Xmx1g -XX:+UseG1GC"), "UseG1GC") == "-XX:+UseG1GC (JAVA_TOOL_OPTIONS)"
}

# Nothing in a manifest may break the line of a message, make it endless or tell a secret.
test_what_is_shown_is_short_and_printable if {
	text_of("-XX:ErrorFile=a\nb", "ErrorFile") == "-XX:ErrorFile=…"
	[j] := review(
		{"env": [
			{"name": "HEAP", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
			{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx$(HEAP)"},
		]},
		[],
	)
	jvm.flag_text(j, "MaxHeapSize") == "-Xmx…"
}

test_lists if {
	jvm.listed([8]) == "8"
	jvm.listed([8, 11]) == "8 and 11"
	jvm.listed([8, 11, 17]) == "8, 11 and 17"
	jvm.listed(["-Xmx1g", "-Xms2g"]) == "-Xmx1g and -Xms2g"
	jvm.listed([]) == ""
}

test_flags_as_written_beside_others if {
	j := under_java(["-Xmx1g", "-Da=axHeapSize"])
	jvm.flag_text(j, "MaxHeapSize") == "-Xmx1g"
	text_of("-XX:+UseG1GC=true", "UseG1GC") == "-XX:+UseG1GC=true"
	two := under_variables([{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:MaxHeapSize=1g"}], ["-Xmx2g", "Main"])
	jvm.flag_text(two, "MaxHeapSize") == "-Xmx2g"
	other := under_variables([{"name": "JAVA_TOOL_OPTIONS", "value": "-Xmx1g"}], ["-XX:MaxHeapSize=2g", "Main"])
	jvm.flag_text(other, "MaxHeapSize") == "-XX:MaxHeapSize=2g"
}

test_what_is_no_flag_of_a_jvm_is_not_shown if {
	every row in [
		["-Dpassword", "secret", "-D…"], ["-Dpassword", "+secret", "-D…"], ["-Da", "", "-D…"],
		["word", "", "a word that is not shown"], ["-javaagent:/a.jar", "key", "-javaagent:…"],
		["-Xlog:gc", "", "-Xlog:gc"], ["-Xlog:gc:file=/x", "", "-Xlog:…"], ["-Xint", "", "-Xint"],
		["-Xrunx:y", "", "-X…"],
		["-token:secret", "", "-…"], ["-Xtoken:secret", "", "-X…"], ["-XX:secret", "1", "-XX:…"],
		["-XX:NoSuch", "1", "-XX:NoSuch=1"], ["-XX:MaxRAM", "1gsecret", "-XX:MaxRAM=…"], ["-XX:UseZGC", "+", "-XX:+UseZGC"],
		["-XX:UseZGC", "+secret", "-XX:UseZGC=…"], ["-XX:UseZGC", "+=secret", "-XX:+UseZGC=…"],
		["--add-opens", "secret", "--add-opens=…"], ["--finalization", "", "--finalization"],
	] {
		jvm.shown({"text": concat("=", [row[0], row[1]])}, row[0], row[1]) == row[2]
	}
}

# room_of is the room for threads in a container with a limit, and with an average where it has none.
room_of(limit, average) := [room.least, room.most, room.wanted] if {
	c := {"id": 0, "cpu_limit": limit, "cpu_request": 0, "cpu_request_source": ""}
	j := {"c": c, "flags": {}, "processors": 1}
	room := jvm.thread_room(j) with cpu.average as [{"milli": average}]
}

# Whole threads, and no more than twice what the quota has of cores.
test_threads_within_the_quota if {
	every case in [
		[100, 0, [1, 2, 1]],
		[500, 0, [1, 2, 1]],
		[999, 0, [1, 2, 1]],
		[1000, 0, [1, 2, 2]],
		[1500, 0, [1, 3, 2]],
		[1999, 0, [1, 3, 2]],
		[2000, 0, [2, 4, 4]],
		[2500, 0, [2, 5, 4]],
		[8000, 0, [8, 16, 16]],
		[9000, 0, [8, 18, 16]],
		[16000, 0, [13, 32, 16]],
		[32000, 0, [23, 64, 23]],
		[0, 16000, [23, 64, 23]],
		[0, 500, [2, 4, 4]],
		[0, 1600, [4, 8, 8]],
		[0, 0, [1, 2, 2]],
	] {
		room_of(case[0], case[1]) == case[2]
	}
}

latency(limit, flags, annotations) := found if {
	manifest := {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": object.union({"headroom.dev/workload-class": "latency-sensitive"}, annotations)},
		"spec": {"containers": [{
			"name": "app",
			"command": array.concat(["java"], flags),
			"resources": {"limits": {"cpu": limit}},
		}]},
	}
	found := [[jvm.cores(j), jvm.thread_room(j).wanted, jvm.wanted_processors(j), jvm.cores_text(j)] |
		some j in jvm.jvms
	] with input as manifest
}

# Where HR202 takes the limit away, what is right without one is what counts.
test_cores_that_there_will_be if {
	average := {"cpu-average.headroom.dev/app": "500m"}
	ignored := {"ignore.headroom.dev/HR202": "the tenant pays for it"}
	every case in [
		["2", [], {"cpu-average.headroom.dev/app": "1500m"}, [3, 6, 3, "twice the average of 1500m, measured"]],
		["8", [], average, [8, 16, 8, "8, reserved by its request"]],
		["8", [], object.union(average, ignored), [8, 16, 8, "limits.cpu 8"]],
		["8", ["-XX:ActiveProcessorCount=4"], average, [8, 16, 8, "8, reserved by its request"]],
		["8", ["-XX:ActiveProcessorCount=4"], {}, [4, 8, 8, "counted by the JVM: command line"]],
	] {
		latency(case[0], case[1], case[2]) == [case[3]]
	}
}

test_pairs_of_threads_at_their_bounds if {
	every row in [[1, false], [2, true], [4, true], [5, false]] {
		jvm.threads_fit(row[0], {"least": 2, "most": 4}) == row[1]
	}
	jvm.pair({"gc": "ZGC"}, {"wanted": 6}) == ["-XX:ParallelGCThreads=6", "-XX:ConcGCThreads=3"]
	jvm.pair({"gc": "ZGC"}, {"wanted": 1}) == ["-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=1"]
	wanted_parallel_of(7, true, 4000) == 7
	wanted_parallel_of(9, true, 4000) == 8
	wanted_parallel_of(5, false, 1000) == 2
	wanted_parallel_of(5, false, 2000) == 4
	wanted_parallel_of(5, false, 0) == 2
	wanted_parallel_of(5, true, 0) == 5
}

wanted_parallel_of(threads, set, limit) := wanted if {
	j := {
		"c": {"id": 0, "cpu_limit": limit},
		"parallel_gc_threads": {"set": set, "value": threads},
		"processors": 0,
		"flags": {},
	}
	wanted := jvm.wanted_parallel(j) with input as pod([{"name": "app"}], {})
}

# A number that is set is not one that the JVM picks.
test_half_of_the_parallel_threads if {
	every row in [
		[{"value": 2, "set": false}, 4, true], [{"value": 2, "set": true}, 4, false],
		[{"value": 1, "set": false}, 4, false],
		[{"value": 1, "set": false}, 2, true], [{"value": 1, "set": true}, 2, false],
	] {
		taken := jvm.takes_half({
			"c": {"id": 0, "cpu_limit": 2000},
			"parallel_gc_threads": {"set": true, "value": row[1]},
			"conc_gc_threads": row[0],
		}) with input as pod([{"name": "app"}], {})
		taken == row[2]
	}
}

# Flags that are added later are added to what is there.
test_a_jvm_with_more_flags if {
	j := under_java(["-Xmx1g"])
	changed := jvm.changed(j, object.union(j.c, {"cpu_limit": 4000}), ["-XX:+UseSerialGC", "-XX:MaxMetaspaceSize=64m"])
	changed.flags == object.union(j.flags, {
		"UseSerialGC": {"value": "+", "source": "JAVA_TOOL_OPTIONS", "path": at(["env"])},
		"MaxMetaspaceSize": {"value": "64m", "source": "JAVA_TOOL_OPTIONS", "path": at(["env"])},
	})
	changed.gc == "Serial"
	changed.processors == 4
	changed.numbers == {"MaxHeapSize": 1073741824, "MaxMetaspaceSize": 67108864}
	changed.heap.bytes == 1073741824
	changed.container == "app"
}

# Its use is not known, and the limit goes.
test_cores_of_a_limit_that_goes_where_nothing_was_measured if {
	manifest := {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"headroom.dev/workload-class": "latency-sensitive"}},
		"spec": {"containers": [{
			"name": "app",
			"command": ["java"],
			"resources": {"requests": {"cpu": "0"}, "limits": {"cpu": "3"}},
		}]},
	}
	found := [[jvm.cores(j), jvm.cores_text(j)] | some j in jvm.jvms] with input as manifest
	found == [[3, "limits.cpu 3, at least 2 without it"]]
}

# Pauses so short that none are known to matter.
test_threads_of_a_collection_without_a_pause if {
	j := {"c": {"id": 0, "cpu_limit": 3000}, "flags": {}, "processors": 1}
	room := jvm.thread_room(j).wanted with cpu.average as [{"milli": 0}]
		with jvm.gc_pause as {"ms": 0}
	room == 6
}
