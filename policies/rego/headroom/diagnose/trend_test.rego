package headroom.diagnose_trend_test

import data.headroom.diagnose

_message(name, read) := [c.message | some c in checks; c.check == name][0] if {
	checks := diagnose.checks with input as {"jvm": true, "read": read}
}

_mib(n) := n * 1048576

_perf(collections, alive) := {"collections": collections, "heap_after_gc": _mib(alive), "heap_max": _mib(1000)}

_two(before, after) := {"seconds": 60, "perf_before": before, "perf": after}

_after := "After the last collection 100 MiB of 1000 MiB were in use."

test_a_heap_over_two_looks if {
	every was, words in {
		100: "60 s before it was 100 MiB: stable.",
		80: "60 s before it was 80 MiB: stable.",
		120: "60 s before it was 120 MiB: stable.",
		79: "60 s before it was 79 MiB: 21 MiB more; look again over a longer --interval.",
		121: "60 s before it was 121 MiB: 21 MiB less.",
	} {
		_message("heap-after-gc", _two(_perf(3, was), _perf(5, 100))) == concat(" ", [_after, words])
	}
}

# Without a collection between them two looks are one.
test_a_heap_without_a_collection_between if {
	_message("heap-after-gc", _two(_perf(3, 100), _perf(3, 100))) == concat(" ", [
		_after, "No collection since the look 60 s before: whether it is stable is not known.",
	])
	unclocked := object.remove(_two(_perf(3, 100), _perf(3, 100)), ["seconds"])
	contains(_message("heap-after-gc", unclocked), "since the look before:")
}

test_one_look_says_nothing_of_stability if {
	_message("heap-after-gc", {"perf": _perf(5, 100)}) == _after
	every before in [null, {}, "a", {"collections": 9, "heap_after_gc": 5}, {"heap_after_gc": 5}] {
		_message("heap-after-gc", _two(before, _perf(5, 100))) == _after
	}
	not contains(_message("threads", {"threads": 40}), "stable")
}

test_threads_over_two_looks if {
	every was, words in {
		100: " 60 s before it had 100: stable.",
		102: " 60 s before it had 102: stable.",
		97: " 60 s before it had 97: 3 more; look again over a longer --interval.",
		103: " 60 s before it had 103: 3 less.",
	} {
		endswith(_message("threads", {"threads": 100, "threads_before": was, "seconds": 60}), words)
	}
	endswith(_message("threads", {"threads": 100, "threads_before": 100}), " At the first look it had 100: stable.")
}
