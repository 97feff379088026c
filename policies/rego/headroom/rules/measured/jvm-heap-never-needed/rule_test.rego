package headroom.rules.measured["jvm-heap-never-needed_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["jvm-heap-never-needed"] as rule

review(flags, runtime) := reviews.of_pod(
	{},
	{"containers": [{
		"name": "app",
		"command": array.concat(["java"], flags),
		"resources": {"limits": {"memory": "6Gi", "cpu": "2"}},
	}]},
	{"measured": {"app": {
		"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
		"runtime": object.union(
			{
				"exporter": "Micrometer", "samples": 2016, "seen_seconds": 604800, "heap_max": 4294967296, "gc_share": 0.001,
				"live": 104857600,
			},
			runtime,
		),
	}}},
)

report(flags, runtime) := found if {
	found := rule.report with input as review(flags, runtime)
}

told(runtime) := report(["-Xmx4g"], runtime)

test_a_heap_that_stays_empty if {
	some f in told({})
	f.message == concat(" ", [
		"After collections the heap never held more than 100 MiB of 4096 in 7d, 2.4 %",
		"(measured by Prometheus: Micrometer over 7d).",
	])
	startswith(f.expected, "-Xmx500m")
	endswith(f.expected, ": 3596 MiB less in each Pod")
	f.figures == {"live_mib": 100, "heap_mib": 4096, "freed_mib": 3596}
	f.size == 3596
}

# What is advised makes it go away.
test_the_advice_ends_it if {
	report(["-Xmx500m"], {"heap_max": 524288000}) == set()
}

test_what_is_needed if {
	told({"live": 858993460}) == set()
	told({"seen_seconds": 518400}) == set()
	told({"gc_share": 0.06}) == set()
	report(["-Xmx4g"], {"gc_share": -1}) == set()

	# Another heap was measured.
	report(["-Xmx8g"], {}) == set()
	report(["-Xmx512m"], {"heap_max": 536870912, "live": 94371840}) == set()
}

# Collections in a twentieth of the time are a bound, too.
test_collections_are_a_bound if {
	some f in told({"gc_share": 0.04})
	startswith(f.expected, "-Xmx3298m")
}
