package headroom.runtime.jvm_test

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
	_cores_text({}, few) == concat("; ", ["twice the average of 1, taken from the request", doubt])
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

# Nothing in a manifest may break the line of a message or make it endless.
test_what_is_shown_is_short_and_printable if {
	long := concat("", ["x" | some _ in numbers.range(1, 200)])
	shown := text_of(concat("", ["-XX:ErrorFile=", long]), "ErrorFile")
	count(shown) == 80
	startswith(shown, "-XX:ErrorFile=xxx")
	endswith(shown, "x…")
	text_of("-XX:ErrorFile=a\nb\u2028c", "ErrorFile") == "-XX:ErrorFile=a?b?c"
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
		["-Dpassword", "secret", "-Dpassword…"], ["-Dpassword", "+secret", "-Dpassword…"], ["-Da", "", "-Da"],
		["word", "", "a word that is not shown"], ["-javaagent:/a.jar", "key", "-javaagent…"],
		["-Xlog:gc", "", "-Xlog:gc"], ["-Xint", "", "-Xint"], ["-Xrunx:y", "", "-Xrunx…"],
	] {
		jvm.shown({"text": concat("=", [row[0], row[1]])}, row[0], row[1]) == row[2]
	}
}

test_pairs_of_threads_at_their_bounds if {
	every row in [[1, 2, false], [2, 2, true], [4, 2, true], [5, 2, false]] {
		jvm.threads_fit(row[0], row[1]) == row[2]
	}
	jvm.pair(3) == ["-XX:ParallelGCThreads=6", "-XX:ConcGCThreads=3"]
	jvm.wanted_parallel({"parallel_gc_threads": {"set": true, "value": 7}}) == 7
	wanted_parallel_of(1) == 2
	wanted_parallel_of(2) == 4
	wanted_parallel_of(0) == 2
}

wanted_parallel_of(cores) := wanted if {
	j := {
		"c": {"id": 0, "cpu_limit": cores * 1000},
		"parallel_gc_threads": {"set": false, "value": 5},
		"processors": cores,
	}
	wanted := jvm.wanted_parallel(j) with input as pod([{"name": "app"}], {})
}

# A number that is set is not one that the JVM picks.
test_half_of_the_parallel_threads if {
	every row in [
		[{"value": 2, "set": false}, 4, true], [{"value": 2, "set": true}, 4, false],
		[{"value": 1, "set": false}, 4, false],
		[{"value": 1, "set": false}, 1, true], [{"value": 1, "set": true}, 2, false],
	] {
		jvm.takes_half({
			"parallel_gc_threads": {"set": true, "value": row[1]},
			"conc_gc_threads": row[0],
		}) == row[2]
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
