package headroom.diagnose_kinds_test

import data.headroom.diagnose

_result(given) := found if {
	found := diagnose.result with input as given
}

_cpu(periods, cut, ns) := {"periods": periods, "throttled": cut, "throttled_ns": ns}

# Each check has a value of it: of some there are two, the better of which is read.
_full := {
	"jvm": true,
	"api": {"restarts": 2, "reason": "Error", "exit_code": 1, "finished": "2026-11-20T10:00:00Z", "limit": 900},
	"read": {
		"cpu": _cpu(100, 10, 5000000), "cpu_later": _cpu(200, 12, 9000000), "seconds": 10, "quota_us": 100000,
		"period_us": 100000, "burst_us": 50000, "cpus": 2, "cpus_node": 4, "threads_before": 29,
		"usage": 500, "inactive_file": 100, "limit": 1000, "peak": 800, "oom_kills": 1,
		"threads": 30, "pids": 40,
		"perf": {
			"collections": 3, "heap_after_gc": 100, "heap_used": 200, "heap_max": 500, "heap_capacity": 300,
			"metaspace": 50, "metaspace_capacity": 60,
		},
		"heap_info": {"used": 210, "max": 510, "metaspace": 51},
		"flags": {"MaxHeapSize": 520, "MaxDirectMemorySize": 128},
		"native": {"Java Heap": 300, "Class": 10, "Metaspace": 40, "Other": 20, "Thread": 30, "Code": 15, "GC": 12},
	},
	"budget": {"complete": true, "total_mib": 700, "limit_mib": 1000, "terms": [
		{"name": "heap", "mib": 500, "source": "flag"},
		{"name": "native", "mib": 100, "source": "assumed", "flag": "none"},
	]},
}

# Without it as much is known as where it has another kind.
_as_if_absent(path, wrongs) if {
	absent := _result(json.remove(_full, [path]))
	every wrong in wrongs {
		_result(json.patch(_full, [{"op": "replace", "path": path, "value": wrong}])) == absent
	}
}

_no_number := [null, true, "3", -1.5, [3], {"a": 3}]

test_another_kind_of_number_is_none if {
	every key in [
		"usage", "inactive_file", "limit", "peak", "oom_kills", "seconds", "threads", "pids",
		"period_us", "burst_us", "cpus", "cpus_node", "threads_before",
	] {
		_as_if_absent(concat("/", ["read", key]), _no_number)
	}
}

test_another_kind_of_counter_is_none if {
	every file in ["cpu", "cpu_later"] {
		every key in ["periods", "throttled", "throttled_ns"] {
			_as_if_absent(concat("/", ["read", file, key]), _no_number)
		}
	}
}

test_another_kind_of_size_is_none if {
	every file, keys in {
		"perf": ["collections", "heap_after_gc", "heap_used", "heap_max", "metaspace"],
		"heap_info": ["used", "max", "metaspace"],
		"flags": ["MaxHeapSize", "MaxDirectMemorySize"],
	} {
		every key in keys {
			_as_if_absent(concat("/", ["read", file, key]), _no_number)
		}
	}
}

test_another_kind_of_word_of_the_api_is_none if {
	_as_if_absent("api/restarts", _no_number)
	_as_if_absent("api/limit", _no_number)
	every key in ["reason", "finished"] {
		_as_if_absent(concat("/", ["api", key]), [null, true, 3, ["a"], {"a": "b"}])
	}
	_as_if_absent("api/exit_code", [null, true, "1", [1], {"a": 1}])
}

test_another_kind_of_file_is_none if {
	every file in ["cpu", "cpu_later", "perf", "heap_info", "flags", "native"] {
		_as_if_absent(concat("/", ["read", file]), [null, true, "3", -1.5])
	}
}

# Its own file alone.
_of_perf(perf) := object.union(object.remove(_full, ["read"]), {"read": {"perf": perf, "flags": {"MaxHeapSize": 520}}})

test_another_kind_without_a_second_file_is_none if {
	perf := _full.read.perf
	every key in ["collections", "heap_after_gc", "metaspace", "heap_capacity", "metaspace_capacity"] {
		absent := _result(_of_perf(object.remove(perf, [key])))
		every wrong in _no_number {
			_result(_of_perf(object.union(object.remove(perf, [key]), {key: wrong}))) == absent
		}
	}
}

test_what_is_missing_elsewhere_is_not_named if {
	found := _result({"missing": {"memory.max": "gone", "smaps": "gone"}})
	[c.message | some c in found.checks; c.check == "memory"] == ["Not known: memory.max: gone."]
}
