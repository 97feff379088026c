package headroom.bursts_test

import data.headroom.bursts
import data.headroom.cpu
import data.headroom.runtime.jvm
import data.headroom.workers
import data.headroom.workload

one_jvm(more) := object.union(
	{
		"container": "app", "c": {"id": 0, "cpu_limit": 100}, "gc": "G1", "secret": false,
		"parallel_gc_threads": {"value": 2, "source": "JVM default", "set": false}, "facts": {"pause": 6},
	},
	more,
)

# spent is [gc_threads, used_ms, throttle_ms] of the collection of a JVM, null where its quota is enough.
spent(more, own) := [burst.gc_threads, burst.used_ms, burst.throttle_ms] if {
	burst := bursts.throttled_collection(one_jvm(more)) with cpu.average as [{"milli": own, "text": ""}]
} else := null

test_a_collection_over_its_quota if {
	every case in [
		[{}, 0, [2, 12, 2]],
		[{}, 20, [2, 14, 4]],
		[{}, 99, [2, 21.9, 11.9]],
		[{}, 100, null],
		[{"facts": {"pause": 200}, "c": {"cpu_limit": 2000}}, 0, null],
		[{"facts": {"pause": 200}, "c": {"cpu_limit": 1999}}, 0, [2, 200, 0.1]],
		[{"facts": {"pause": 5}}, 0, null],
		[{"facts": {"pause": 5}}, 1, [2, 10.1, 0.1]],
		[{"facts": {"pause": 5.5}}, 0, [2, 11, 1]],
		[{"c": {"cpu_limit": 0}}, 0, null],
		[{"c": {"cpu_limit": 1}, "facts": {"pause": 1}}, 0, [2, 2, 1]],
		[{"gc": "Serial"}, 0, null],
		[{"gc": "Serial", "facts": {"pause": 11}}, 0, [1, 11, 1]],
		[{"parallel_gc_threads": {"value": 1}, "facts": {"pause": 11}}, 0, [1, 11, 1]],
		[{"parallel_gc_threads": {"value": 0}, "facts": {"pause": 11}}, 0, null],
		[{"secret": true}, 0, null],
		[{"secret": true, "parallel_gc_threads": {"set": true}}, 0, [2, 12, 2]],
	] {
		_rounded(spent(case[0], case[1])) == case[2]
	}
}

_rounded(null) := null

_rounded(figures) := [cpu.tenths(figure) | some figure in figures] if figures != null

test_how_long_a_collection_takes if {
	jvm.gc_pause(one_jvm({"facts": {"pause": 1}})) == {"ms": 1, "text": "by jvm.headroom.dev/app", "declared": true}
	jvm.gc_pause(one_jvm({"facts": {"pause": 0}})) == {"ms": 20, "text": "assumed", "declared": false}
	zgc := one_jvm({"facts": {"pause": 0}, "gc": "ZGC"})
	jvm.gc_pause(zgc) == {"ms": 10, "text": "assumed of ZGC", "declared": false}
	jvm.gc_pause(zgc).ms == 1 with data.headroom.overrides as {"jvm": {"gcPause": "1ms"}}
	jvm.gc_pause(one_jvm({"facts": {"pause": 0}})).ms == 1 with data.headroom.overrides as {"jvm": {"gcPause": "1ms"}}
	jvm.gc_pause(one_jvm({"facts": {"pause": 0}})).ms == 0 with data.headroom.overrides as {"jvm": {"gcPause": "long"}}
}

role_of(role) := one_jvm({"c": {"role": role}})

test_bursts_of_containers_that_last if {
	every case in [["app", 1], ["sidecar", 1], ["init", 0]] {
		found := bursts.gc_bursts with jvm.jvms as [role_of(case[0])]
			with cpu.average as [{"milli": 0, "text": ""}]
		count(found) == case[1]
	}
}

# A JVM that is told of no GC thread gets some from HR403; how long they pause is not known.
test_a_collection_as_hr403_wants_it if {
	every threads, wanted in {"0": [4, 20], "4": [4, 20], "8": [4, 25.4]} {
		found := bursts.as_wanted with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
			"name": "app",
			"command": ["java", "-XX:+UseG1GC", concat("=", ["-XX:ParallelGCThreads", threads]), "-jar", "app.jar"],
			"resources": {"limits": {"cpu": "2"}},
		}]}}
		[[burst.gc_threads, cpu.tenths(burst.pause_ms)] | some burst in found] == [wanted]
	}
}

# ZGC keeps the three threads that it takes on four processors (measured), and pauses as long as it did.
test_an_adaptive_collector_keeps_its_threads if {
	found := bursts.as_wanted with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
		"name": "app",
		"command": ["java", "-XX:+UseZGC", "-Xmx2g", "-jar", "app.jar"],
		"resources": {"limits": {"cpu": "4"}},
	}]}}
	[[burst.gc_threads, burst.pause_ms] | some burst in found] == [[3, 10]]
}

said_with(average) := burst if {
	[burst] := bursts.gc_bursts with jvm.jvms as [role_of("app")] with cpu.average as [average]
}

test_a_collection_in_words if {
	burst := said_with({"milli": 0, "text": ""})
	[burst.id, burst.pause_ms, burst.quota_ms, burst.stall_ms, burst.throttle_ms] == [0, 6, 10, 101, 2]
	startswith(burst.text, "A GC pause of 6 ms (")
	contains(burst.text, "on 2 threads (ParallelGCThreads, JVM default) needs 12 ms of CPU: the container is throttled,")
	endswith(burst.text, "to 101 ms. Normal work comes on top, and is not known.")
	declared := said_with({"milli": 20, "text": "the annotation"})
	contains(declared.text, "needs 14 ms of CPU, 2 for normal work (the annotation): ")
}

test_a_collection_that_the_limit_takes if {
	[burst] := bursts.gc_bursts with jvm.jvms as [one_jvm({"c": {"role": "app", "cpu_limit": 200}})]
		with cpu.average as [{"milli": 0, "text": ""}]
	endswith(burst.text, "needs 12 ms of CPU: the limit has room for that. Normal work comes on top, and is not known.")
	burst.throttle_ms == 0
	[beside] := bursts.gc_bursts with jvm.jvms as [one_jvm({"c": {"role": "app", "cpu_limit": 200}})]
		with cpu.average as [{"milli": 80, "text": "an annotation"}]
	endswith(beside.text, "needs 20 ms of CPU, 8 for normal work (an annotation): the limit has room for that.")
}

# frozen are [used_ms, stall_ms] of the pools of one container.
frozen(pool, limit, role) := [[burst.used_ms, burst.stall_ms] | some burst in found] if {
	found := bursts.pool_bursts with workers.pools as [object.union(
		{"c": {"id": 0}, "workers": 4, "k": 1, "per": "process", "source": "WORKERS", "assumed": false},
		pool,
	)]
		with workload.containers as [{"id": 0, "role": role, "cpu_limit": limit, "cpu_limit_source": "container"}]
}

test_pools_that_use_their_quota_up if {
	every case in [
		[{}, 2000, "app", [[400, 50]]],
		[{}, 2000, "sidecar", [[400, 50]]],
		[{}, 2000, "init", []],
		[{}, 4000, "app", [[400, 0]]],
		[{"workers": 3, "k": 0.5}, 1499, "app", [[150, 100 - (149.9 / 1.5)]]],
		[{}, 0, "app", []],
		[{}, 1, "app", [[400, 99.75]]],
		[{"workers": 0}, 1000, "app", []],
		[{"workers": 1}, 500, "app", [[100, 50]]],
	] {
		frozen(case[0], case[1], case[2]) == case[3]
	}
}

pool_said(pool) := burst.text if {
	[burst] := bursts.pool_bursts with workers.pools as [object.union(
		{"c": {"id": 0}, "workers": 3, "k": 1, "per": "thread", "source": "WORKERS", "assumed": true},
		pool,
	)]
		with workload.containers as [{"id": 0, "role": "app", "cpu_limit": 1000, "cpu_limit_source": "container"}]
}

test_pools_in_words if {
	pool_said({"assumed": true}) == concat(" ", [
		"With 3 threads (WORKERS) busy, each on one core (assumed), that is used up in 33.3 ms,",
		"and all of them are throttled for the other 66.7 ms.",
	])
	startswith(pool_said({"assumed": false}), "With 3 threads (WORKERS) busy, each on 1 core, that")
	startswith(pool_said({"k": 2, "assumed": false}), "With 3 threads (WORKERS) busy, each on 2 cores, that")
	endswith(
		pool_said({"k": 0.3, "assumed": false}),
		"busy, each on 0.3 cores, they use 90 ms: the limit has room for that.",
	)
	quota := cpu.quota_words({"cpu_limit": 1500, "cpu_limit_source": "container"})
	quota == "limits.cpu is 1500m: 150 ms of CPU time in each 100 ms."
}

# What rests on an assumption, or fits, is not certain.
test_what_is_certain_of_a_pool if {
	every case in [[{}, 2000, [true]], [{"assumed": true}, 2000, [false]], [{}, 4000, [false]]] {
		found := bursts.pool_bursts with workers.pools as [object.union(
			{"c": {"id": 0}, "workers": 4, "k": 1, "per": "process", "source": "WORKERS", "assumed": false},
			case[0],
		)]
			with workload.containers as [{"id": 0, "role": "app", "cpu_limit": case[1], "cpu_limit_source": "container"}]
		[burst.certain | some burst in found] == case[2]
	}
}

# Each case: the pause that was declared (0: none), the average, whether the quota of 10 ms is sure to be used up.
test_what_is_certain_of_a_collection if {
	declared := [[6, 0, true], [5, 0, false], [5, 1, true]]
	assumed := [[0, 0, false], [0, 99, false], [0, 100, false], [0, 101, true]]
	every case in array.concat(declared, assumed) {
		j := object.union(role_of("app"), {"facts": {"pause": case[0]}, "c": {"role": "app"}})
		found := bursts.gc_bursts with jvm.jvms as [j] with cpu.average as [{"milli": case[1], "text": ""}]
		[burst.certain | some burst in found] == [case[2]]
	}
}

test_pauses_longer_than_a_period if {
	bursts._of_each_period({"pause_ms": 101}) == " of each period"
	bursts._of_each_period({"pause_ms": 100}) == ""
}
