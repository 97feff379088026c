package headroom.diagnose_test

import data.headroom.diagnose

_check(name, given) := [c | some c in checks; c.check == name][0] if {
	checks := diagnose.checks with input as given
}

_holds(name, given, wanted) if {
	check := _check(name, given)
	every key, value in wanted {
		check[key] == value
	}
}

_cpu(periods, cut, ns) := {"periods": periods, "throttled": cut, "throttled_ns": ns}

# The figures of T5.
_t5 := {"read": {"cpu": _cpu(1000, 100, 9000000), "cpu_later": _cpu(1600, 119, 759000000), "seconds": 60}}

test_differences_of_two_samples if {
	_holds("cpu-throttled", _t5, {
		"value": "3.2 %",
		"status": "warning",
		"message": concat(" ", [
			"19 of 600 periods in 60 s were throttled: more than is healthy (1 %),",
			"no cause for an alert yet (5 %).",
		]),
	})
	_holds("cpu-mean-throttle", _t5, {"value": "at most 39.5 ms", "status": "warning"})
}

test_one_sample_counts_since_the_start if {
	given := {"read": {"cpu": _cpu(86423, 2847, 41283000000)}}
	_holds("cpu-throttled", given, {"value": "3.3 %", "status": "warning"})
	contains(_check("cpu-throttled", given).message, "since the container started")
	_holds("cpu-mean-throttle", given, {"value": "at most 14.5 ms"})
}

test_counters_that_go_back_are_another_container if {
	given := {"read": {"cpu": _cpu(1000, 100, 1), "cpu_later": _cpu(50, 10, 200000000)}}
	_holds("cpu-throttled", given, {"value": "20 %", "status": "warning"})
	contains(_check("cpu-throttled", given).fix, "T6")
	_holds("cpu-mean-throttle", given, {"value": "at most 20 ms", "status": "warning"})
}

test_thresholds_of_throttling if {
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1000, 9, 1)}}, {
		"status": "ok",
		"message": "9 of 1000 periods since the container started were throttled.",
	})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1000, 50, 1)}}, {"status": "warning", "value": "5 %"})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1000, 51, 1)}}, {"status": "warning", "value": "5.1 %"})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1000, 249, 1)}}, {"status": "warning"})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1000, 250, 1)}}, {"status": "error", "value": "25 %"})
	without_time := {"read": {"cpu": _cpu(0, 0, 0), "cpu_later": _cpu(10, 0, 0)}}
	_holds("cpu-throttled", without_time, {"message": "0 of 10 periods between the two samples were throttled."})
	_holds("cpu-mean-throttle", without_time, {"value": "0 ms", "status": "ok"})
}

# Of a class that only gets later by it, and of one that users wait for.
test_throttling_of_a_class if {
	every class, status in {"batch": "warning", "cron": "warning", "latency-sensitive": "error", "unheard-of": "error"} {
		given := {"pod": _pod_of(class), "container": "app", "read": {"cpu": _cpu(1000, 250, 1)}}
		_holds("cpu-throttled", given, {"status": status, "value": "25 %"})
		_holds("cpu-throttled", object.union(given, {"container": "other"}), {"status": "error"})
	}
}

_pod_of(class) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a", "annotations": {"headroom.dev/workload-class": class}},
	"spec": {"containers": [{"name": "app", "image": "example.com/app:1"}]},
}

_idle := "Not known: nothing ran since the container started; since it started, 0 of 0 periods were throttled."

test_what_is_idle_between_the_samples_is_not_judged_by_its_start if {
	given := {"read": {"cpu": _cpu(25, 8, 5), "cpu_later": _cpu(25, 8, 5), "seconds": 10}}
	_holds("cpu-throttled", given, {
		"status": "unknown",
		"message": "Not known: nothing ran in 10 s; since it started, 8 of 25 periods were throttled.",
	})
}

test_nothing_to_throttle if {
	unlimited := {"read": {"cpu": _cpu(0, 0, 0), "quota_us": -1}}
	_holds("cpu-throttled", unlimited, {"status": "ok", "value": "no CPU limit"})
	_holds("cpu-mean-throttle", unlimited, {"status": "ok"})
	idle := {"read": {"cpu": _cpu(0, 0, 0), "quota_us": 100000}}
	_holds("cpu-throttled", idle, {"status": "unknown"})
	_holds("cpu-mean-throttle", idle, {
		"status": "unknown",
		"message": _idle,
	})
	unread := {"missing": {"cpu.stat": "no such file"}}
	_holds("cpu-throttled", unread, {"status": "unknown", "message": "Not known: cpu.stat: no such file."})
}

_mib(n) := n * 1048576

_memory(usage, inactive, limit) := {"version": 2, "usage": _mib(usage), "inactive_file": _mib(inactive), "limit": limit}

test_working_set if {
	_holds("memory", {"read": _memory(900, 101, _mib(1000))}, {"status": "ok", "value": "79.9 %"})
	_holds("memory", {"read": _memory(900, 100, _mib(1000))}, {"status": "warning", "value": "80 %"})
	_holds("memory", {"read": _memory(100, 200, _mib(1000))}, {"status": "ok", "value": "0 %"})
	_holds("memory", {"read": _memory(100, 0, -1), "api": {"limit": 1}}, {
		"status": "unknown",
		"fix": "Set a limit (HR301).",
	})
	of_the_api := {"read": {"usage": _mib(90), "inactive_file": 0}, "api": {"limit": _mib(100)}}
	_holds("memory", of_the_api, {"status": "warning", "value": "90 %"})
	_holds("memory", {"read": {"version": 1}, "missing": {"memory.usage_in_bytes": "gone"}}, {
		"message": "Not known: memory.usage_in_bytes: gone.",
	})
	_holds("memory", {}, {"message": "Not known: memory.current or memory.max or memory.stat was not read."})
}

test_working_set_with_peak_and_collector if {
	read := object.union(_memory(500, 0, _mib(1000)), {"peak": _mib(999), "perf": {"gc": "ZGC"}})
	message := _check("memory", {"read": read}).message
	contains(message, "never more than 999 MiB, page cache included")
	contains(message, "ZGC's heap is charged as shared memory")
}

test_kills if {
	ended := {"restarts": 1, "reason": "OOMKilled", "exit_code": 137, "finished": "2026-11-20T10:00:00Z"}
	both := {"read": {"oom_kills": 2}, "api": ended}
	_holds("oom-kills", both, {"status": "error", "value": "3"})
	_check("oom-kills", both).message == concat(" ", [
		"The kernel killed 2 of its processes since the container started.",
		"The container before it was OOMKilled at 2026-11-20T10:00:00Z.",
	])
	_holds("oom-kills", {"read": {"oom_kills": 1}}, {
		"message": "The kernel killed one of its processes since the container started.",
	})
	_holds("oom-kills", {"api": {"reason": "OOMKilled"}}, {
		"value": "1",
		"message": "The container before it was OOMKilled.",
	})
	_holds("oom-kills", {"read": {"oom_kills": 0}, "api": {"restarts": 0}}, {
		"status": "ok",
		"message": "Nothing was killed since the container started.",
	})
	contains(_check("oom-kills", {"read": {"oom_kills": 0}}).message, "of the time before nothing is known")
	_holds("oom-kills", {}, {"status": "unknown"})
	_holds("restarts", both, {
		"status": "warning",
		"message": "It was restarted. It last ended at 2026-11-20T10:00:00Z: OOMKilled, exit code 137.",
	})
}

test_restarts if {
	_holds("restarts", {"api": {"restarts": 0}}, {"status": "ok"})
	_holds("restarts", {"api": {"restarts": 3}}, {"status": "warning", "value": "3", "message": "It was restarted."})
	_holds("restarts", {}, {"status": "unknown"})
}

test_why_names_only_what_is_missing if {
	given := {"missing": {"memory.max": "a", "memory.stat": "b"}}
	_holds("memory", given, {"message": "Not known: memory.max: a; memory.stat: b."})
}

test_one_reason_is_said_once if {
	given := {"missing": {"memory.max": "a", "memory.stat": "a"}}
	_holds("memory", given, {"message": "Not known: memory.max, memory.stat: a."})
}

test_garbage_is_an_error_that_names_its_file if {
	given := {"broken": [{"file": "cpu.stat", "reason": "line 3 is no counter"}, "not an entry"]}
	checks := diagnose.checks with input as given
	[[c.status, c.value, c.message] | some c in checks; c.check == "file"] == [[
		"error",
		"cpu.stat",
		"cpu.stat cannot be read: line 3 is no counter.",
	]]
}

test_what_is_known_to_be_no_jvm_has_no_heap if {
	checks := diagnose.checks with input as {"jvm": false}
	[c.check | some c in checks] == [
		"cpu-throttled", "cpu-mean-throttle", "memory", "oom-kills", "restarts",
	]
	count(diagnose.checks) == 10 with input as {"jvm": false, "budget": {}}
	count(diagnose.checks) == 10 with input as {"jvm": true}
	count(diagnose.checks) == 6 with input as {}
	_holds("jvm", {"missing": {"PerfCounter.print": "no shell"}}, {
		"message": "Not known: whether one runs here; PerfCounter.print: no shell.",
	})
}

test_limits_and_what_counts if {
	_holds("memory", {"read": {"usage": 0, "inactive_file": 0, "limit": -1}}, {
		"message": "Not known: the working set is 0 MiB, and there is no memory limit.",
	})
	_holds("memory", {"read": _memory(1, 0, 0)}, {"status": "unknown"})
	_holds("memory", {"read": _memory(1, 0, 1), "api": {"limit": _mib(100)}}, {"status": "warning"})
	never := _check("memory", {"read": object.union(_memory(1, 0, _mib(9)), {"peak": 0, "perf": {"gc": "G1"}})}).message
	never == "The working set is 1 MiB of 9 MiB, the memory limit."
	_holds("restarts", {"api": {"restarts": 1}}, {"status": "warning", "value": "1"})
	_holds("oom-kills", {"read": {"oom_kills": 0}, "api": {"reason": "Error", "restarts": 1}}, {"status": "ok"})
	_holds("oom-kills", {"api": {"reason": "OOMKilled", "finished": ""}}, {
		"message": "The container before it was OOMKilled.",
	})
	_holds("restarts", {"api": {"restarts": 1, "reason": "Error", "exit_code": "1"}}, {"message": "It was restarted."})
}

# The kernel adds up what each CPU waited; no request waits longer than the period.
test_no_wait_is_longer_than_the_period if {
	four := _cpu(100, 10, 3000000000)
	_holds("cpu-mean-throttle", {"read": {"cpu": four}}, {
		"value": "at most 100 ms",
		"message": concat(" ", [
			"3000 ms in all, summed over the CPUs:",
			"in a throttled period it is stopped for 100 ms at most on average, the whole period of 100 ms.",
		]),
	})
	_holds("cpu-mean-throttle", {"read": {"cpu": four, "period_us": 20000}}, {"value": "at most 20 ms"})
}

test_bounds_of_throttling if {
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1000, 10, 1)}}, {
		"message": concat(" ", [
			"10 of 1000 periods since the container started were throttled:",
			"more than is healthy (1 %), no cause for an alert yet (5 %).",
		]),
	})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(1, 0, 0)}}, {"status": "ok", "value": "0 %"})
	_holds("cpu-mean-throttle", {"read": {"cpu": _cpu(1, 1, 1500000)}}, {
		"value": "at most 1.5 ms",
		"message": "2 ms in all, summed over the CPUs: in a throttled period it is stopped for 1.5 ms at most on average.",
	})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(5, 5, 5), "cpu_later": _cpu(7, 4, 9)}}, {"value": "57.1 %"})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(5, 5, 5), "cpu_later": _cpu(7, 6, 4)}}, {"value": "85.7 %"})
	_holds("cpu-throttled", {"read": {"cpu": _cpu(5, 5, 5), "cpu_later": _cpu(7, 5, 5), "seconds": 0}}, {
		"message": "0 of 2 periods between the two samples were throttled.",
	})
}

test_the_end_before_is_said_in_words_only if {
	counted := {"restarts": 1, "exit_code": 137}
	every wrong in [5, null, [], {}] {
		_holds("restarts", {"api": object.union(counted, {"reason": wrong})}, {"message": "It was restarted."})
		_holds("oom-kills", {"api": {"reason": "OOMKilled", "finished": wrong}}, {
			"message": "The container before it was OOMKilled.",
		})
	}
	_holds("restarts", {"api": object.union(counted, {"reason": "Error", "finished": 5})}, {
		"message": "It was restarted. It last ended: Error, exit code 137.",
	})
}

test_smallest_amounts_of_memory if {
	_holds("memory", {"read": _memory(0, 0, 1)}, {"status": "ok", "value": "0 %"})
	_holds("memory", {"read": object.union(_memory(0, 0, 10), {"usage": 7})}, {"status": "ok", "value": "70 %"})
	_holds("memory", {"read": {"limit": -1}}, {
		"message": "Not known: memory.current or memory.max or memory.stat was not read.",
	})
	half := {"usage": 1572864, "inactive_file": 0, "limit": -1}
	_holds("memory", {"read": half}, {"message": "Not known: the working set is 2 MiB, and there is no memory limit."})
	_holds("memory", {"read": {"usage": "5", "inactive_file": 0, "limit": 9}}, {"status": "unknown"})
}
