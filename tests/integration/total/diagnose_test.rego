package headroom.diagnose_search_test

import data.headroom.diagnose

# Whatever stands anywhere in the input, each check has an answer, and none of them passes
# because of it.
_wrong := [null, true, -1.5, "", "a", [], [null], {}, {"a": null}]

_statuses := {"ok", "warning", "error", "unknown"}

_answers(given) if {
	result := diagnose.result with input as given
	object.keys(result) == {"checks", "regions", "budget"}
	every check in result.checks {
		check.status in _statuses
		every key in ["check", "value", "healthy", "message", "fix", "fact"] {
			is_string(check[key])
		}
		not contains(check.message, "%!")
	}
	every name in ["cpu-throttled", "cpu-mean-throttle", "memory", "oom-kills", "restarts"] {
		name in {c.check | some c in result.checks}
	}
}

_whole := {
	"container": "app",
	"jvm": true,
	"read": {
		"version": 2, "seconds": 10, "quota_us": 100000, "pids": 12, "threads": 40,
		"cpu": {"periods": 10, "throttled": 1, "throttled_ns": 5},
		"cpu_later": {"periods": 20, "throttled": 1, "throttled_ns": 5},
		"usage": 900, "inactive_file": 100, "limit": 1000, "peak": 950, "oom_kills": 0,
		"perf": {"collections": 1, "heap_after_gc": 5, "heap_used": 9, "heap_max": 10, "metaspace": 3, "gc": "G1"},
		"flags": {"MaxHeapSize": 10, "MaxDirectMemorySize": 5},
		"native": {"Other": 1, "Java Heap": 10, "GC": 2},
		"heap_info": {"used": 1, "max": 10, "metaspace": 3},
	},
	"api": {"restarts": 1, "reason": "OOMKilled", "exit_code": 137, "finished": "now", "limit": 1000},
	"missing": {"cpu.stat": "gone"},
	"broken": [{"file": "cpu.stat", "reason": "torn"}],
	"budget": {"complete": true, "total_mib": 5, "limit_mib": 9, "terms": [{"name": "heap", "mib": 3, "source": "flag"}]},
}

_places := [path | walk(_whole, [path, _]); path != []]

test_total_with_every_field_broken if {
	count(_places) > 50
	every path in _places {
		every wrong in _wrong {
			_answers(json.patch(_whole, [{"op": "replace", "path": path, "value": wrong}]))
		}
	}
}
