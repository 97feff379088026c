package headroom.diagnose_jvm_test

import data.headroom.diagnose

_check(name, given) := [c | some c in checks; c.check == name][0] if {
	checks := diagnose.checks with input as object.union({"jvm": true}, given)
}

_holds(name, given, wanted) if {
	check := _check(name, given)
	every key, value in wanted {
		check[key] == value
	}
}

_mib(n) := n * 1048576

_collected(alive) := {"read": {
	"perf": {"collections": 3, "heap_after_gc": _mib(alive), "heap_max": _mib(2000)},
	"flags": {"MaxHeapSize": _mib(1000)},
}}

test_heap_after_a_collection if {
	_holds("heap-after-gc", _collected(599), {"status": "ok", "value": "59.9 %"})
	_holds("heap-after-gc", _collected(600), {
		"status": "warning",
		"message": "After the last collection 600 MiB of 1000 MiB were in use.",
	})
}

test_heap_with_garbage_may_pass_and_not_fail if {
	few := {"read": {"perf": {"collections": 0, "heap_used": _mib(599), "heap_max": _mib(1000)}}}
	_holds("heap-after-gc", few, {
		"status": "ok",
		"value": "at most 59.9 %",
		"message": "The heap holds 599 MiB of 1000 MiB, garbage included.",
	})
	full := {"read": {"heap_info": {"used": _mib(600), "max": _mib(1000)}}}
	_holds("heap-after-gc", full, {
		"status": "unknown",
		"message": "Not known: the heap holds 600 MiB of 1000 MiB, garbage included.",
	})
	_holds("heap-after-gc", {"missing": {"PerfCounter.print": "no shell"}}, {
		"message": "Not known: PerfCounter.print: no shell.",
	})
}

test_metaspace if {
	_holds("metaspace", {"read": {"perf": {"metaspace": _mib(200) - 1}}}, {"status": "ok", "value": "200 MiB"})
	_holds("metaspace", {"read": {"heap_info": {"metaspace": _mib(200)}}}, {
		"status": "warning",
		"healthy": "under 200 MiB",
	})
	_holds("metaspace", {}, {"status": "unknown"})
}

test_threads if {
	_holds("threads", {"read": {"threads": 249}}, {"status": "ok"})
	_holds("threads", {"read": {"threads": 250, "pids": 20}}, {"status": "warning", "value": "250"})
	_holds("threads", {"read": {"pids": 249}}, {"status": "ok", "value": "at most 249"})
	_holds("threads", {"read": {"pids": 250}}, {"status": "unknown"})
}

test_direct_memory if {
	capped := {"flags": {"MaxDirectMemorySize": _mib(128)}}
	_holds("direct-memory", {"read": object.union(capped, {"native": {"Other": _mib(100)}})}, {
		"status": "ok",
		"message": "Direct memory takes 100 MiB of 128 MiB: MaxDirectMemorySize.",
	})
	_holds("direct-memory", {"read": object.union(capped, {"native": {"Other": _mib(128)}})}, {"status": "warning"})
	by_heap := {"read": {"flags": {"MaxHeapSize": _mib(256)}, "native": {"Other": _mib(100)}}}
	contains(_check("direct-memory", by_heap).message, "of 256 MiB: the maximum heap")
	_holds("direct-memory", {"read": {"native": {"off": true}}}, {
		"message": "Not known: native memory tracking is off.",
	})
	before := {"read": object.union(capped, {"native": {"Internal": 5}})}
	contains(_check("direct-memory", before).message, "before Java 11")
	_holds("direct-memory", {}, {"status": "unknown"})
}

_term(name, mib) := {"name": name, "mib": mib, "source": "flag"}

_budget := {
	"complete": true,
	"total_mib": 700,
	"limit_mib": 1000,
	"terms": [_term("heap", 500), _term("metaspace", 50), _term("direct", 50), _term("native", 100)],
}

_using(mib) := {"usage": _mib(mib), "inactive_file": 0, "limit": _mib(1000)}

test_budget_against_what_is_taken if {
	classes := {"Class": _mib(20), "Metaspace": _mib(40)}
	others := {"Java Heap": _mib(400), "Other": _mib(10), "GC": _mib(60), "Symbol": _mib(9)}
	native := object.union(classes, others)
	given := {"jvm": true, "budget": _budget, "read": object.union(_using(600), {"native": native})}
	regions := diagnose.regions with input as given
	[[r.name, r.budget_mib, r.used_mib] | some r in regions] == [
		["heap", 500, 400], ["metaspace", 50, 60], ["direct", 50, 10], ["native", 100, 69],
	]
	_holds("memory-budget", given, {
		"status": "warning",
		"value": "600 of 700 MiB",
		"message": "Metaspace takes 60 MiB, and 50 are expected (flag).",
	})
}

test_budget_without_native_memory_tracking if {
	perf := {"heap_capacity": _mib(500), "metaspace_capacity": 0}
	given := {"budget": _budget, "read": object.union(_using(600), {"perf": perf})}
	regions := diagnose.regions with input as given
	[r.used_mib | some r in regions] == [500, 0, -1, -1]
	_holds("memory-budget", given, {
		"status": "ok",
		"message": "The working set is within what is expected; of these regions nothing is known: direct, native.",
	})
}

test_budget_with_every_region_known if {
	budget := object.union(_budget, {"terms": [_term("direct", 50)]})
	given := {"budget": budget, "read": object.union(_using(1), {"native": {"Other": 5}})}
	_holds("memory-budget", given, {"message": "The working set is within what is expected, and so is every region."})
}

# Of compiled code only the sum speaks.
test_compiled_code_has_no_budget_of_its_own if {
	budget := object.union(_budget, {"terms": [_term("code cache", 50)]})
	given := {"budget": budget, "read": object.union(_using(1), {"native": {"Code": _mib(51)}})}
	_holds("memory-budget", given, {"status": "ok"})
}

test_working_set_over_the_budget if {
	_holds("memory-budget", {"budget": _budget, "read": _using(701)}, {
		"status": "warning",
		"message": "The working set is 701 MiB, and 700 MiB are expected.",
	})
}

test_budget_that_is_not_known if {
	_holds("memory-budget", {}, {"message": "Not known: the manifest's budget was not saved."})
	_holds("memory-budget", {"pod": {}}, {"message": "Not known: the manifest shows no JVM."})
	_holds("memory-budget", {"budget": _budget}, {"message": "Not known: the working set is not known."})
	_holds("memory-budget", {"budget": {}, "read": _using(1)}, {
		"message": "Not known: the manifest tells no memory limit or no maximum heap.",
	})
}

test_budget_of_the_pod if {
	pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{
		"name": "app",
		"image": "eclipse-temurin:21",
		"command": ["java", "-Xmx512m", "-XX:MaxMetaspaceSize=64m", "-jar", "app.jar"],
		"resources": {"limits": {"memory": "1Gi"}},
	}]}}
	given := {"pod": pod, "container": "app", "read": _using(300)}
	budget := diagnose.result.budget with input as given
	[budget.limit_mib, budget.terms[0].mib, budget.terms[1].mib] == [1024, 512, 64]
	diagnose.budget == null with input as object.union(given, {"container": "other"})
}

# Of several files that tell, the better one does, and no other.
test_which_file_tells if {
	other := {"metaspace": _mib(900), "max": _mib(1), "heap_max": _mib(1), "used": _mib(900), "heap_used": _mib(900)}
	perf := {"metaspace": _mib(5), "heap_max": _mib(1000), "heap_used": _mib(10)}
	info := {"metaspace": _mib(6), "max": _mib(500), "used": _mib(20)}
	all := {"read": {"a": other, "perf": perf, "heap_info": info}}
	_holds("metaspace", all, {"value": "5 MiB"})
	_holds("heap-after-gc", all, {"value": "at most 1 %"})
	_holds("metaspace", {"read": {"a": other, "heap_info": info}}, {"value": "6 MiB"})
	_holds("heap-after-gc", {"read": {"a": other, "heap_info": info}}, {"value": "at most 4 %"})
	_holds("metaspace", {"read": {"a": other}}, {"status": "unknown"})
	_holds("heap-after-gc", {"read": {"a": other}}, {"status": "unknown"})
	unset := {"flags": {"MaxHeapSize": 0}, "perf": object.union(perf, {"collections": 1, "heap_after_gc": _mib(100)})}
	_holds("heap-after-gc", {"read": unset}, {"value": "10 %"})
}

test_bounds_of_what_is_read if {
	_holds("threads", {"read": {"threads": 0, "pids": 0}}, {"status": "ok", "value": "at most 0"})
	_holds("threads", {"read": {"threads": 1}}, {"value": "1"})
	_holds("metaspace", {"read": {"perf": {"metaspace": 0}}}, {"value": "0 MiB"})
	_holds("direct-memory", {"read": {"native": {"Other": 0}, "flags": {"MaxHeapSize": 1}}}, {"status": "ok"})
	_holds("direct-memory", {"read": {"native": {}, "flags": {}}}, {
		"message": "Not known: before Java 11, native memory tracking does not tell it apart.",
	})
	_holds("direct-memory", {"read": {"native": {}}}, {
		"message": "Not known: VM.native_memory or VM.flags was not read.",
	})
	_holds("direct-memory", {"read": {"flags": {}}}, {
		"message": "Not known: VM.native_memory or VM.flags was not read.",
	})
	zero := {"read": {"flags": {"MaxDirectMemorySize": 0, "MaxHeapSize": _mib(9)}, "native": {"Other": 1}}}
	contains(_check("direct-memory", zero).message, "of 9 MiB: the maximum heap")
}

test_bounds_of_the_budget if {
	_holds("memory-budget", {"budget": _budget, "read": _using(700)}, {"status": "ok", "value": "700 of 700 MiB"})
	_holds("memory-budget", {"budget": object.union(_budget, {"total_mib": 0}), "read": _using(1)}, {"status": "unknown"})
	_holds("memory-budget", {"budget": object.union(_budget, {"complete": false}), "read": _using(1)}, {
		"message": "Not known: the manifest tells no memory limit or no maximum heap.",
	})
	odd := [{"name": 5, "mib": 1}, {"name": "heap", "mib": "x"}, {"name": "stacks", "mib": 0, "source": 1, "flag": "Xss"}]
	regions := diagnose.regions with input as {
		"budget": {"terms": odd},
		"read": {"native": {"Thread": 524288, "Code": 524287}},
	}
	regions == [{"name": "stacks", "budget_mib": 0, "used_mib": 1, "source": "Xss"}]
}

# What is left after a collection is not known before there was one.
test_before_the_first_collection if {
	heap_max := {"heap_max": _mib(1000), "heap_used": _mib(700)}
	every wrong in [0, -1, "3", null] {
		perf := object.union(heap_max, {"collections": wrong, "heap_after_gc": 0})
		_holds("heap-after-gc", {"read": {"perf": perf}}, {"status": "unknown"})
	}
	once := object.union(heap_max, {"collections": 1, "heap_after_gc": 0})
	_holds("heap-after-gc", {"read": {"perf": once}}, {"status": "ok", "value": "0 %"})
}

test_text_is_no_number if {
	_holds("metaspace", {"read": {"perf": {"metaspace": "5"}, "heap_info": {"metaspace": _mib(6)}}}, {"value": "6 MiB"})
	_holds("threads", {"read": {"threads": "5", "pids": "5"}}, {"status": "unknown"})
}

test_a_budget_to_the_byte if {
	over := object.union(_using(0), {"usage": _mib(700) + 1})
	_holds("memory-budget", {"budget": _budget, "read": over}, {"status": "warning", "value": "700 of 700 MiB"})
	half := object.union(_using(0), {"usage": _mib(1) / 2})
	_holds("memory-budget", {"budget": _budget, "read": half}, {"value": "1 of 700 MiB"})
	smallest := object.union(_budget, {"total_mib": 1, "terms": []})
	_holds("memory-budget", {"budget": smallest, "read": _using(1)}, {"status": "ok", "value": "1 of 1 MiB"})
}

# What native memory tracking does not name is not known.
test_regions_without_a_figure if {
	terms := [
		_term("heap", 5), {"name": "stacks", "mib": 1, "source": "", "flag": "Xss"},
		{"name": "native", "mib": 3, "source": "assumed", "flag": ""},
	]
	regions := diagnose.regions with input as {
		"budget": {"terms": terms},
		"read": {"native": {"Thread": _mib(2), "GC": _mib(3), "Java Heap": "x"}, "perf": {"heap_capacity": "x"}},
	}
	regions == [
		{"name": "heap", "budget_mib": 5, "used_mib": -1, "source": "flag"},
		{"name": "stacks", "budget_mib": 1, "used_mib": 2, "source": "Xss"},
		{"name": "native", "budget_mib": 3, "used_mib": 3, "source": "assumed"},
	]
	untracked := diagnose.regions with input as {"budget": {"terms": terms}, "read": {"native": {"GC": 5}}}
	[r.used_mib | some r in untracked] == [-1, -1, -1]
	direct := object.union(_budget, {"terms": [_term("direct", 5)]})
	at_most := object.union(_using(1), {"native": {"Other": _mib(5)}})
	_holds("memory-budget", {"budget": direct, "read": at_most}, {"status": "ok"})
}

test_a_budget_that_was_saved_goes_before_the_pod if {
	_holds("memory-budget", {"pod": {}, "budget": {"complete": false}, "read": _using(1)}, {
		"message": "Not known: the manifest tells no memory limit or no maximum heap.",
	})
}
