package headroom.rules.measured["runtime-grows_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["runtime-grows"] as rule

mi := 1048576

review(container, seen, runtime) := reviews.of_pod(
	{},
	{"containers": [object.union(
		{"name": "app", "image": "registry.example/app:1", "resources": {"limits": {"memory": "2Gi"}}},
		container,
	)]},
	{"measured": {"app": object.union(
		{
			"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
			"runtime": object.union({"exporter": "its client", "samples": 2016, "seen_seconds": 604800}, runtime),
		},
		seen,
	)}},
)

report(container, seen, runtime) := found if {
	found := rule.report with input as review(container, seen, runtime)
}

java(flags) := {"command": array.concat(["java", "-Xmx1g"], flags)}

test_metaspace_meets_its_cap if {
	rises := {"metaspace": 130 * mi, "metaspace_rise": 12.25 * mi}
	some f in report(java(["-XX:MaxMetaspaceSize=256m"]), {"memory_peak": "1Gi"}, rises)
	f.message == concat(" ", [
		"Metaspace only rises: 12.3 MiB a day over 4d, to 130 MiB (measured by Prometheus: its client over 7d).",
		"It meets -XX:MaxMetaspaceSize, 256 MiB, in 10 days.",
	])
	f.figures == {"rise_a_day": 12, "now": 130, "days_left": 10}
	f.severity == "warning"
	f.size == 9.4
}

# What comes first counts.
test_the_limit_comes_first if {
	rises := {"metaspace": 130 * mi, "metaspace_rise": 12 * mi}
	some f in report(java(["-XX:MaxMetaspaceSize=256m"]), {"memory_peak": "2036Mi"}, rises)
	endswith(f.message, " It meets limits.memory, 2Gi, in a day.")
	some now in report(java([]), {"memory_peak": "2047Mi"}, rises)
	endswith(now.message, " It meets limits.memory, 2Gi, within a day.")
	some far in report(java([]), {"memory_peak": "1Gi"}, rises)
	far.severity == "info"
	some unknown in report(java([]), {}, rises)
	endswith(unknown.message, "over 7d).")
	unknown.severity == "info"
	not unknown.figures.days_left
}

test_other_kinds if {
	cases := [
		[
			java(["-XX:MaxDirectMemorySize=256m"]),
			{"direct": 200 * mi, "direct_rise": 8 * mi},
			"the cap of direct memory, 256 MiB, in 7 days",
		],
		[
			java([]),
			{"live": 900 * mi, "live_rise": 20 * mi, "heap_max": 1024 * mi},
			"the heap's maximum, 1024 MiB, in 6 days",
		],
		[
			{"env": [{"name": "DOTNET_GCHeapHardLimitPercent", "value": "4B"}]},
			{"kind": "dotnet", "floor": 1000 * mi, "floor_rise": 100 * mi},
			"the heap's bound, 1536 MiB, in 5 days",
		],
	]
	every case in cases {
		[container, runtime, text] := case
		some f in report(container, {}, runtime)
		contains(f.message, text)
	}
}

# Of threads their stacks count, each in full.
test_threads if {
	rises := {"threads": 300, "threads_rise": 50}
	some f in report(java([]), {"memory_peak": "1Gi"}, rises)
	startswith(f.message, "The number of threads only rises: 50 threads a day over 4d, to 300 threads")
	f.figures.rise_a_day == 50
	some other in report({}, {"memory_peak": "1Gi"}, rises)
	endswith(other.message, "over 7d).")
	other.severity == "info"
	some one in report({}, {}, {"threads": 300, "threads_rise": 1})
	contains(one.message, "only rises: 1 thread a day")
}

# The slope of one Pod is not held against the height, the memory or the heap of another: all are of the Pod that rises.
test_of_one_pod if {
	rises := {
		"metaspace": 250 * mi, "metaspace_rise": 12 * mi,
		"pods": {"metaspace_rise": {"metaspace": 130 * mi, "memory_peak": 1500 * mi}},
	}
	some f in report(java(["-XX:MaxMetaspaceSize=256m"]), {"memory_peak": "2040Mi"}, rises)
	contains(f.message, "12 MiB a day over 4d, to 130 MiB")
	f.figures.days_left == 10
	some limit in report(java([]), {"memory_peak": "2040Mi"}, rises)
	endswith(limit.message, " It meets limits.memory, 2Gi, in 45 days.")

	# Its own memory is not known: that of another does not stand in for it.
	unknown := object.union(rises, {"pods": {"metaspace_rise": {"memory_peak": 0}}})
	some none in report(java([]), {"memory_peak": "2040Mi"}, unknown)
	endswith(none.message, "over 7d).")

	# No flag sets the heap: the one of the Pod that rises is its end.
	heaps := {
		"live": 900 * mi, "live_rise": 20 * mi, "heap_max": 1024 * mi,
		"pods": {"live_rise": {"live": 400 * mi, "heap_max": 512 * mi}},
	}
	some heap in report({"command": ["java"]}, {}, heaps)
	endswith(heap.message, " It meets the heap's maximum, 512 MiB, in 5 days.")
	some direct in report({"command": ["java"]}, {}, {
		"direct": 900 * mi, "direct_rise": 20 * mi, "heap_max": 1024 * mi,
		"pods": {"direct_rise": {"direct": 400 * mi, "heap_max": 512 * mi}},
	})
	endswith(direct.message, " It meets the cap of direct memory, 512 MiB, in 5 days.")
	some go in report({}, {}, {
		"kind": "go", "live": 900 * mi, "live_rise": 20 * mi, "memory_limit": 1024 * mi,
		"pods": {
			"live_share": {"live": 900 * mi, "memory_limit": 1024 * mi},
			"live_rise": {"live": 400 * mi, "memory_limit": 512 * mi},
		},
	})
	endswith(go.message, " It meets the heap's bound, 512 MiB, in 5 days.")
}

# What a Pod that does not tell its height rises to is not known, and nothing is said of it.
test_a_pod_without_a_height if {
	count(report(java([]), {}, {
		"metaspace": 250 * mi, "metaspace_rise": 12 * mi,
		"pods": {"metaspace_rise": {"heap_max": 1024 * mi}},
	})) == 0
}

# In less than four days the load's own rise may be in it.
test_short_windows if {
	rises := {"metaspace": 130 * mi, "metaspace_rise": 60 * mi, "seen_seconds": 172800}
	some f in report(java(["-XX:MaxMetaspaceSize=256m"]), {}, rises)
	f.severity == "info"
	contains(f.message, "a day over 2d,")
}

# A heap grows in memory that it has already; a bound that is not said may be another; a far end is not told.
test_ends_that_are_not_known if {
	every given in [
		[java(["-Xms1g"]), {"live": 400 * mi, "live_rise": 1 * mi}],
		[{}, {"kind": "dotnet", "floor": 1000 * mi, "floor_rise": 100 * mi}],
		[java([]), {"threads": 300, "threads_rise": 1}],
	] {
		[container, runtime] := given
		some f in report(container, {"memory_peak": "1900Mi"}, runtime)
		endswith(f.message, "over 7d).")
		f.severity == "info"
	}
	some heap in report(java(["-Xms1g"]), {"memory_peak": "1900Mi"}, {"live": 400 * mi, "live_rise": 30 * mi})
	endswith(heap.message, " It meets the heap's maximum, 1024 MiB, in 20 days.")
}

test_silence if {
	count(report(java([]), {}, {"metaspace": 130 * mi, "metaspace_rise": 12 * mi, "seen_seconds": 43200})) == 0
	every runtime in [
		{"metaspace": 130 * mi},
		{"metaspace": 130 * mi, "metaspace_rise": 0},
		{"metaspace_rise": 12 * mi},
		{"metaspace": 130 * mi, "metaspace_rise": 12 * mi, "samples": 2},
		{"metaspace": 130 * mi, "metaspace_rise": 12 * mi, "doubt": "why"},
	] {
		count(report(java([]), {}, runtime)) == 0
	}
}
