package headroom.size_test

runtime := {
	"exporter": "Micrometer", "samples": 2016, "seen_seconds": 604800, "heap_max": 4294967296, "live": 314572800,
	"gc_share": 0.01, "metaspace": 94371840, "code_cache": 41943040, "direct": 33554432, "threads": 60,
}

# heap_of is what a JVM with these flags gets that tells this of itself.
heap_of(class, flags, limit, seen, told) := of(
	class, java(array.concat(flags, ["-XX:ActiveProcessorCount=2"]), memory("200m", limit)),
	object.union(seen, {"runtime": object.union(runtime, told)}),
)

test_a_heap_for_what_is_live if {
	sized := heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {"memory_peak": "1Gi"}, {})
	found := wanted(sized)
	found["-Xmx"] == "1060m"
	found["limits.memory"] == "1664Mi"
	some change in sized.changes
	change.value == "-Xmx1060m"
	says([v.why | some v in sized.values], "collections in at most 5 % of any ten minutes (measured by Prometheus:")
	says([v.why | some v in sized.values], "heap 1060 MiB, and 20 % of the limit free; its peak of 1024Mi / 0.8")
	not says(sized.notes, "Its heap stays")
}

test_the_factor_is_the_classs if {
	quick := {"gc_share": 0.001}
	wanted(heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {}, quick))["-Xmx"] == "600m"
	wanted(heap_of("batch", ["-Xmx4g"], "6Gi", {}, quick))["-Xmx"] == "500m"
	wanted(heap_of("batch", ["-Xmx4g", "-XX:+UseParallelGC"], "6Gi", {}, quick))["-Xmx"] == "750m"
	wanted(heap_of("batch", ["-Xmx4g", "-XX:+UseSerialGC"], "6Gi", {}, quick))["-Xmx"] == "600m"
	small := {"heap_max": 536870912, "live": 419430400, "gc_share": 0.02}
	larger := heap_of("latency-sensitive", ["-Xmx512m"], "1Gi", {}, small)
	wanted(larger)["-Xmx"] == "800m"
}

# A limit is not lowered below a peak that was measured with a larger heap.
test_the_peak_was_measured_with_another_heap if {
	sized := heap_of("latency-sensitive", ["-Xmx4g"], "8Gi", {"memory_peak": "5Gi"}, {"gc_share": 0.001})
	wanted(sized)["limits.memory"] == "6400Mi"
	says(sized.notes, "The peak was measured with a heap of 4096 MiB: with 600, ")
}

test_a_heap_that_stays if {
	every sized in [
		heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {}, {"gc_share": -1}),
		heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {}, {"live": 0}),
		heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {}, {"heap_max": 1073741824}),
		heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {}, {"seen_seconds": 3600}),
		heap_of("latency-sensitive", ["-Xmx4g", "-Xms4g"], "6Gi", {}, {}),
		heap_of("latency-sensitive", ["-Xmx4g", "-XX:NewSize=2g"], "6Gi", {}, {}),
		heap_of("latency-sensitive", ["-XX:MaxHeapSize=4g"], "6Gi", {}, {}),
		heap_of("latency-sensitive", ["-Xmx5g"], "6Gi", {}, {"heap_max": 5368709120, "live": 2684354560, "gc_share": 0.05}),
	] {
		not "-Xmx" in object.keys(wanted(sized))
	}
}

test_what_would_tell_of_a_heap if {
	nothing := of("latency-sensitive", java(["-Xmx1g"], memory("200m", "2Gi")), {})
	says(nothing.notes, "A GC log or its own metrics do.")
	doubted := heap_of("latency-sensitive", ["-Xmx4g"], "6Gi", {}, {"doubt": "it tells of several JVMs"})
	says(doubted.notes, "What it tells of itself is not used: it tells of several JVMs.")
	known := heap_of("latency-sensitive", ["-XX:MaxHeapSize=4g"], "6Gi", {}, {})
	says(known.notes, "What it holds after collections is known (measured by Prometheus: Micrometer over 7d)")
}

# The flag is where it stands, and what stands beside it stays.
test_a_flag_in_a_variable if {
	container := object.union(memory("200m", "6Gi"), {
		"image": "eclipse-temurin:21",
		"command": ["java", "-jar", "app.jar"],
		"env": [{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:ActiveProcessorCount=2 -Xmx4g -Da=b"}],
	})
	told := {"memory_peak": "1Gi", "runtime": object.union(runtime, {"gc_share": 0.001})}
	sized := of("latency-sensitive", container, told)
	some change in sized.changes
	change.value == "-XX:ActiveProcessorCount=2 -Xmx600m -Da=b"
	change.path == ["spec", "template", "spec", "containers", 0, "env", 0, "value"]
}
