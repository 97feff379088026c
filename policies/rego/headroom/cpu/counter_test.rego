package headroom.cpu_counter_test

import data.headroom.cpu

of(limit, count) := {"c": {"id": 0, "name": "app", "cpu_limit": limit}, "count": count}

# Each case: the limit in millicores, how many there are (0: one for each core of the node), whether they are too many.
cases := [
	[2000, 4, false],
	[2000, 5, true],
	[1500, 4, false],
	[1500, 5, true],
	[2000, 0, true],
	[0, 0, false],
	[0, 64, false],
	[-1, 64, false],
]

test_overcounted if {
	every case in cases {
		[limit, count, want] := case
		[true | cpu.overcounted(of(limit, count))] == [true | want]
	}
}

# HR202 takes the limit away, and nothing is throttled then.
test_a_limit_that_goes if {
	object := {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"headroom.dev/workload-class": "latency-sensitive"}},
		"spec": {"containers": [{
			"name": "app",
			"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}},
		}]},
	}
	not cpu.overcounted({"c": data.headroom.workload.containers[0], "count": 64}) with input as object
}

test_what_they_make_of_the_quota if {
	cpu.spent(of(2000, 32)) == "32 at once use up the 200 ms of CPU time per 100 ms in 6.3 ms, then they are throttled."
	cpu.spent(of(2000, 0)) == concat(" ", [
		"busy at once on a node of many cores, they use up the 200 ms of CPU time per 100 ms",
		"and are throttled.",
	])
}

test_rounded_up if {
	every case in [[1500, 2, true], [2000, 2, false], [500, 1, false], [1500, 4, false], [0, 2, false]] {
		[limit, count, want] := case
		[true | cpu.rounded_up(of(limit, count))] == [true | want]
	}
}
