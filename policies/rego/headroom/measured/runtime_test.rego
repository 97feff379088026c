package headroom.measured_test

import data.headroom.measured

jvm_told := {
	"exporter": "Micrometer",
	"doubt": "",
	"samples": 2016,
	"seen_seconds": 604800,
	"heap_max": 1073741824,
	"live": 314572800,
	"threads": 77,
	"gc_share": 0.02,
	"metaspace": 0,
}

told(changes) := app({"runtime": object.union(jvm_told, changes)}).runtime

test_what_a_runtime_tells if {
	told({}) == {
		"text": "measured by Prometheus: Micrometer over 7d",
		"days": 7,
		"doubt": "",
		"heap_max": 1073741824,
		"live": 314572800,
		"threads": 77,
		"gc_share": 0.02,
	}
	told({"exporter": ""}).text == "measured by Prometheus: an unnamed exporter over 7d"
	app({"runtime": jvm_told, "window_seconds": 0}).runtime.text == "measured by Prometheus: Micrometer"
}

# A gauge in MiB, or an average, has a fraction of a byte.
test_amounts_are_whole if {
	seen := told({
		"live": 314572800.25, "processors": 1.5, "gc_share": 0.025, "threads_rise": 0.5, "pause": 1.25,
		"pods": {"live": {"live": 314572799.5, "gc_share": 0.5}},
	})
	[seen.live, seen.processors, seen.gc_share, seen.threads_rise, seen.pause] == [314572801, 2, 0.025, 0.5, 1.25]
	seen.pods.live == {"live": 314572800, "gc_share": 0.5}
}

test_what_runs if {
	node := told({"kind": "node", "version": "v22.11.0", "floor": 1048576, "memory_limit": 2097152})
	[node.kind, node.version, node.floor, node.memory_limit] == ["node", "v22.11.0", 1048576, 2097152]
	every none in ["", "a b", 5, null, ["a"], "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] {
		not told({"kind": none}).kind
		not told({"version": none}).version
	}
}

test_a_runtime_in_doubt if {
	told({"doubt": "it tells of several JVMs"}) == {"text": "", "days": -1, "doubt": "it tells of several JVMs"}
	told({"samples": 59}).doubt == "Micrometer has 59 samples, at least 60 are wanted"
	not told({"samples": 59}).live
	told({"samples": 60}).doubt == ""
	app({"runtime": jvm_told, "samples": 1}).runtime == {}
}

test_no_runtime if {
	every none in [{}, null, [], "a", 5] {
		app({"runtime": none}).runtime == {}
	}
	measured.runtime_of("app") == {} with input as review({})
	known := review({"app": object.union(prometheus, {"runtime": jvm_told})})
	measured.runtime_of("app").live == 314572800 with input as known
}

test_a_runtime_of_any_value if {
	every wrong in [null, true, -5, 1e400, "", "a", [], {}, 123456789012345678901234567890] {
		every key, _ in jvm_told {
			found := told({key: wrong})
			is_string(found.doubt)
			every amount in [found[k] | some k in ["heap_max", "live", "threads"]; found[k]] {
				amount > 0
			}
		}
	}
}

of_pod(changes, first) := found if {
	found := measured.of_pod("app", first) with input as review({"app": object.union(
		prometheus,
		{"runtime": object.union(jvm_told, changes)},
	)})
}

test_what_one_pod_told if {
	pods := {"pods": {
		"live": {"live": 5, "heap_max": 10, "gc_share": -1, "memory_peak": 20, "else": 3},
		"gc_share": {"live": 0}, "direct_share": "a",
	}}
	of_pod(pods, "live") == {"live": 5, "heap_max": 10, "memory_peak": 20}
	every none in ["gc_share", "direct_share", "floor_share"] {
		of_pod(pods, none) == {}
	}

	# A source that tells of no Pods tells of one program.
	every pods_of in [{}, {"pods": {}}, {"pods": "a"}] {
		alone := of_pod(pods_of, "live")
		[alone.live, alone.heap_max, alone.memory_peak] == [314572800, 1073741824, 1027604480]
	}
	measured.of_pod("none", "live") == {"memory_peak": 0} with input as review({})
}

# Less than a day has not seen the hours of the highest load.
test_a_runtime_of_today if {
	told({"seen_seconds": 18000}).text == "measured by Prometheus: Micrometer over 5h, less than a day"
	told({"seen_seconds": 86400}).text == "measured by Prometheus: Micrometer over 7d"
	told({"seen_seconds": 0}).text == "measured by Prometheus: Micrometer over 7d"
	hours := app({"runtime": object.union(jvm_told, {"seen_seconds": 17900}), "window_seconds": 18000})
	hours.runtime.text == "measured by Prometheus: Micrometer over 5h, less than a day"
}
