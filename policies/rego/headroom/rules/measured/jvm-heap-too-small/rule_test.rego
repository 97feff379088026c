package headroom.rules.measured["jvm-heap-too-small_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.measured["jvm-heap-too-small"] as rule

gib := 1073741824

review(annotations, flags, seen) := reviews.of_pod(
	annotations,
	{"containers": [{
		"name": "app",
		"command": array.concat(["java"], flags),
		"resources": {"limits": {"memory": "2Gi", "cpu": "2"}},
	}]},
	{"measured": {"app": object.union(
		{
			"source": "Prometheus", "window_seconds": 604800, "samples": 2016, "age_seconds": 30,
			"runtime": object.union(
				{"exporter": "Micrometer", "samples": 2016, "seen_seconds": 604800, "heap_max": gib},
				object.get(seen, "runtime", {}),
			),
		},
		object.remove(seen, ["runtime"]),
	)}},
)

report(annotations, flags, seen) := found if {
	found := rule.report with input as review(annotations, flags, seen)
}

told(runtime) := report({}, ["-Xmx1g"], {"runtime": runtime})

test_much_of_the_heap_is_live if {
	some f in told({"live": 805306368})
	f.severity == "warning"
	f.message == concat(" ", [
		"After collections the heap still holds 768 MiB of 1024, 75 %",
		"(measured by Prometheus: Micrometer over 7d); 70 % is the most.",
	])
	f.figures == {"live_mib": 768, "heap_mib": 1024}
	startswith(f.expected, "-Xmx1280m")
	f.size == 75
	some full in told({"live": 987842478, "gc_share": 0.3})
	full.severity == "error"
	endswith(full.message, " Collections took 30 % of ten minutes.")
	full.figures.collections_percent == 30
}

test_at_most_the_share_that_is_healthy if {
	told({"live": 751619276}) == set()
	count(told({"live": 751619277})) == 1
	told({"live": 1048576}) == set()
	told({}) == set()
}

test_time_in_collections if {
	some f in told({"live": 104857600, "gc_share": 0.2})
	f.message == concat("", [
		"Collections stopped the program for 20 % of ten minutes ",
		"(measured by Prometheus: Micrometer over 7d); 10 % is the most.",
	])

	# Four times what is free of the heap now.
	startswith(f.expected, "-Xmx3796m")
	told({"gc_share": 0.1}) == set()
	some unknown in told({"gc_share": 0.11})
	startswith(unknown.expected, "-Xmx1536m")
	some slow in report({}, ["-Xmx1g"], {"throttled": 10, "periods": 100, "runtime": {"gc_share": 0.2}})
	endswith(slow.message, " Its Pods were throttled as well, which makes them longer (HR602).")
}

# What was measured under another heap says nothing of the time in collections.
test_another_heap_since if {
	report({}, ["-Xmx2g"], {"runtime": {"gc_share": 0.2}}) == set()
	report({}, ["-Xmx2g"], {"runtime": {"live": 805306368}}) == set()
	count(report({}, ["-Xmx512m"], {"runtime": {"live": 419430400}})) == 1
}

# A manifest is judged by what was measured before.
test_an_annotation_says_what_is_live if {
	pod := review({"jvm.headroom.dev/app": "live=800Mi"}, ["-Xmx1g"], {}).object
	some f in rule.report with input as pod
	contains(f.message, "(annotation)")
	f.severity == "warning"
}

test_a_heap_that_only_the_jvm_knows if {
	hidden := json.patch(review({}, [], {"runtime": {"live": 805306368, "gc_share": 0.3}}), [{
		"op": "add",
		"path": "/object/spec/containers/0/envFrom",
		"value": [{"secretRef": {"name": "flags"}}],
	}])
	some f in rule.report with input as hidden
	f.figures.heap_mib == 1024
	quick := json.patch(hidden, [{"op": "replace", "path": "/context/measured/app/runtime/live", "value": 1048576}])
	some g in rule.report with input as quick
	startswith(g.message, "Collections stopped")
	g.figures.heap_mib == 1024
}

# A limit is named where nothing of the rest is assumed.
test_a_limit_beside_the_heap if {
	told_all := {"live": 838860800, "metaspace": 94371840, "code_cache": 41943040, "direct": 33554432, "threads": 60}
	some f in report({"jvm.headroom.dev/app": "native=80Mi"}, ["-Xmx1g"], {"runtime": told_all})
	regex.match(`^-Xmx1334m and limits\.memory of [0-9]+Mi$`, f.expected)
}

# A default heap is a share of the limit.
test_a_heap_that_nothing_sets if {
	some f in rule.report with input as review({"jvm.headroom.dev/app": "live=500Mi"}, [], {}).object
	f.figures.heap_mib == 512
}

# What is live, its heap and the time in collections are of one Pod. The heap that is advised is enough for the busiest.
test_of_one_pod if {
	mi := 1048576
	full := {"live": 200 * mi, "heap_max": 256 * mi, "gc_share": 0.02}
	busy := {"live": 100 * mi, "heap_max": 1024 * mi, "gc_share": 0.09}
	some f in report({}, [], {"runtime": {
		"live": 300 * mi, "gc_share": 0.09,
		"pods": {"live_share": full, "gc_share": busy, "live": {"live": 300 * mi, "heap_max": 2048 * mi}},
	}})
	f.message == concat(" ", [
		"After collections the heap still holds 200 MiB of 256, 78.1 %",
		"(measured by Prometheus: Micrometer over 7d); 70 % is the most. Collections took 2 % of ten minutes.",
	])
	f.figures == {"live_mib": 200, "heap_mib": 256, "collections_percent": 2}

	# 100 MiB and 924 free × 9 % / 5 %: of another Pod's 300 MiB it would be less.
	startswith(f.expected, "-Xmx1764m")
}
