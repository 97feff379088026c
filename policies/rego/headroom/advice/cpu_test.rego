package headroom.advice_test

import data.headroom.advice
import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.runtime.jvm
import data.headroom.workload

collection(more) := object.union(
	{"gc_threads": 9, "quota_ms": 100, "pause_ms": 20, "own_ms": 0, "used_ms": 10.01},
	more,
)

# fitting is the advice on a collection of a JVM, in a container with a row, a limit, an average and an allocation.
fitting(gc, burst, row, limit, average) := fitting_beside(gc, burst, row, limit, average, 1)

fitting_beside(gc, burst, row, limit, average, allocation) := text if {
	c := object.union(some_container, {"cpu_limit": limit, "cpu_limit_source": "container"})
	j := {
		"gc": gc, "c": c, "command": {"java": true}, "processors": 1, "flags": {}, "chosen": set(),
		"facts": {"pause": 20}, "container": "app", "parallel_gc_threads": {"set": false},
	}
	text := advice.for_burst(j, collection(burst))
		with cpu.row as [row]
		with cpu.average as [{"milli": average}]
		with cpu.loses_limit as false
		with cpu.allocation as {"milli": allocation}
}

_many(quota_ms) := {"gc_threads": 64, "pause_ms": 100, "used_ms": 6400, "quota_ms": quota_ms}

test_what_fits_a_burst if {
	shorter := "shorter pauses, by a smaller heap or another collector: its class and HR403 leave no other way"
	all := "limits.cpu: 64 or more with -XX:ParallelGCThreads=64"
	nine := "limits.cpu: 101m or more with -XX:ParallelGCThreads=9"
	serial := "limits.cpu: 101m or more with -XX:+UseSerialGC"
	both := "requests.cpu and limits.cpu: 101m with -XX:+UseSerialGC"
	every case in [
		["G1", {"pause_ms": 50}, null, 1000, 0, concat(", or ", ["-XX:ParallelGCThreads=1 or less", nine])],
		["G1", {"pause_ms": 51}, null, 1000, 0, concat(", or ", ["-XX:ParallelGCThreads=1 or less", nine])],
		["G1", {"pause_ms": 201}, null, 1000, 0, concat(", or ", ["-XX:ParallelGCThreads=1 or less", nine])],
		["G1", {"pause_ms": 50, "own_ms": 51}, null, 1000, 0, nine],
		["G1", {"pause_ms": 50}, null, 3000, 0, nine],
		# With 25 threads and more a pause gets no shorter.
		["G1", _many(2500), null, 25000, 0, concat(", or ", ["-XX:ParallelGCThreads=25 or less", all])],
		["G1", _many(2499), null, 24990, 0, concat(", or ", ["-XX:ParallelGCThreads=24 or less", all])],
		["Serial", {}, null, 1000, 0, serial],
		["Serial", {}, {"limit": {"timesAverage": 2}}, 1000, 45, "limits.cpu: 101m with -XX:+UseSerialGC"],
		["Serial", {}, {"limit": {"timesAverage": 2}}, 1000, 0, serial],
		["Serial", {}, {"limit": {"timesAverage": 2}}, 1000, 400, shorter],
		["Serial", {}, {"limit": "measured"}, 1000, 0, serial],
		["Serial", {}, {"request": "peak", "limit": "peak"}, 1000, 0, both],
		["Serial", {}, {"limit": "allocation"}, 1000, 0, shorter],
	] {
		fitting(case[0], case[1], case[2], case[3], case[4]) == case[5]
	}
	fitting_beside("Serial", {}, {"limit": "allocation"}, 1000, 0, 0) == serial
}

test_the_classes_that_a_namespace_allows if {
	advice.allowed_class([]) == "a class in headroom.dev/allowed-classes of the Namespace"
	advice.allowed_class(["cron"]) == "one of cron"
	advice.allowed_class(["cron", "batch"]) == "one of batch, cron"
}

test_the_kinds_that_are_judged if {
	advice.judged_kind == "one of the kinds of batch/v1: CronJob, Job" with input as {
		"apiVersion": "batch/v1",
		"kind": "Jbo",
	}
	startswith(advice.judged_kind, "the Pods themselves") with input as {"apiVersion": "a/v1", "kind": "B"}
}

some_container := {
	"id": 0,
	"name": "app",
	"cpu_request": 0,
	"cpu_request_source": "container",
	"cpu_limit": 0,
	"cpu_limit_source": "",
}

# request_wanted is the request that a row wants, of a container with such a peak and average.
request_wanted(word, peak, average) := found if {
	found := advice.cpu_request(some_container) with cpu.row as [{"request": word}]
		with cpu.peak as [peak]
		with cpu.average as [{"milli": average}]
		with cpu.peak_words as "a peak"
		with cpu.average_words as "an average"
		with measured.doubt as ""
}

test_the_request_that_a_class_wants if {
	every case in [
		["peak", 1, 5, ["requests.cpu: 1m; a peak", 1]],
		["peak", 0, 5, ["requests.cpu at its peak CPU use, as this class asks", 0]],
		["average", 5, 1, ["requests.cpu: 1m; an average", 1]],
		["average", 5, 0, ["requests.cpu at its average CPU use", 0]],
	] {
		request_wanted(case[0], case[1], case[2]) == case[3]
	}
}

test_a_limit_that_is_a_multiple if {
	measure := "headroom annotate measures it: cpu-average.headroom.dev/app"
	advice.limit_times_average(some_container, 2, 0, 0) == concat("; ", ["limits.cpu at 2 × the average CPU use", measure])
	advice.limit_fits_request(some_container, 1.5) == concat("", [
		"requests.cpu at the average CPU use, limits.cpu at 1.5 × that; ", measure,
	])
	twice := "limits.cpu: 2m, 2 × the average of 1m; 25 % either way passes: 2m to 2m"
	advice.limit_times_average(some_container, 2, 1, 2) == twice
	advice.limit_times_average(some_container, 1, 1, 1) == "limits.cpu: 1m; 25 % either way passes: 1m to 1m"
}

jvms_of(id, flags) := [{
	"c": {"id": id, "cpu_limit": 0, "cpu_request": 0, "cpu_request_source": ""}, "flags": flags,
	"command": {"java": true}, "processors": 0, "sure": true, "sources": [], "version": 17,
}]

test_no_limit_for_a_jvm if {
	without := "no CPU limit; the CPU request protects it and its neighbours"
	every case in [
		[jvms_of(0, {}), 1001, 3],
		[jvms_of(0, {}), 1500, 3],
		[jvms_of(0, {}), 1501, 4],
		[jvms_of(0, {}), 1000, 2],
		[jvms_of(0, {}), 0, 2],
		[jvms_of(0, {"ActiveProcessorCount": {}}), 1500, 0],
		[jvms_of(1, {}), 1500, 0],
		[[], 1500, 0],
	] {
		text := advice.no_cpu_limit(some_container, []) with jvm.jvms as case[0]
			with cpu.average as [{"milli": case[1]}]
			with cpu.fight as null
		said_of_processors(text, case[2], without)
	}
}

said_of_processors(text, 0, without) if text == without

said_of_processors(text, n, _) if {
	startswith(text, sprintf("no CPU limit, and -XX:ActiveProcessorCount=%v: without it the JVM counts", [n]))
}

# One processor is what the fix sets where two would take more memory than there is.
test_no_limit_and_one_processor if {
	pinned := [{"change": "jvm-flags", "flags": ["-XX:ActiveProcessorCount=1"]}]
	text := advice.no_cpu_limit(some_container, pinned) with jvm.jvms as jvms_of(0, {})
		with cpu.average as [{"milli": 1500}]
		with cpu.fight as null
	text == "no CPU limit, and -XX:ActiveProcessorCount=1 (as many as it counts now)"
}

# The reason is what was compared: with two processors it takes the collector of a server, which needs more memory.
test_no_limit_and_no_room_for_a_second_processor if {
	object := {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": {
			"headroom.dev/workload-class": "latency-sensitive",
			"jvm.headroom.dev/app": "version=21 threads=20 classes=5000",
		}},
		"spec": {"containers": [{
			"name": "app", "command": ["java", "-Xmx1600m", "-jar", "a.jar"],
			"resources": {"requests": {"cpu": "1", "memory": "2350Mi"}, "limits": {"cpu": "1", "memory": "2350Mi"}},
		}]},
	}
	one := [{"change": "jvm-flags", "flags": ["-XX:ActiveProcessorCount=1"]}]
	text := advice.no_cpu_limit(workload.containers[0], one) with input as object
	regex.match(`=1 \(with two it would take G1: [0-9]+ MiB expected of the 2350, and 20 % `, text)
}

test_a_namespace_that_wants_a_limit if {
	text := advice.no_cpu_limit(some_container, []) with jvm.jvms as [] with cpu.fight as {"does": "limits"}
	endswith(text, "(HR209: the namespace sets one)")
}

test_a_limit_from_the_allocation if {
	allocated(2000, 1) == "limits.cpu: 1m, so that the Pod's limits come to 2, the allocation"
	allocated(1, 0) == "limits.cpu, so that the Pod's limits come to 1m, the allocation"
	allocated(0, 1) == "limits.cpu; headroom.dev/cpu-allocation would say how much the Pod may have"
}

allocated(allocation, wanted) := text if {
	text := advice.allocated_limit(some_container, wanted) with cpu.allocation as {"milli": allocation}
}

test_a_limit_below_its_request if {
	every source, text in {
		"container": "limits.cpu of at least 2, or a lower request",
		"limit-range": "a LimitRange that gives it limits.cpu of 2 or more, or a lower request",
		"pod": "limits.cpu of at least 2 for the Pod, or a lower request",
	} {
		advice.limit_over_request({"source": source, "resource": "cpu", "request": "2"}) == text
	}
	every resource, request in {"cpu": "100M", "memory": "8Pi"} {
		advice.limit_over_request({"source": "pod", "resource": resource, "request": request}) == "a lower request"
	}
	advice.limit_of_zero({"limit": "1"}) == ""
	contains(advice.limit_of_zero({"limit": "0"}), "for no limit, leave it out")
}

test_a_limit_at_the_peak if {
	at_peak(1) == "requests.cpu = limits.cpu = 1m, its measured peak"
	at_peak(0) == "requests.cpu = limits.cpu = its peak, not known yet (headroom annotate: cpu-peak.headroom.dev/app)"
}

at_peak(milli) := text if {
	text := advice.at_peak(some_container, ["request", "limit"]) with cpu.peak as [milli] with measured.doubt as ""
}

# as_measured is what a sidecar is advised, by its request and limit, its average and its peak.
as_measured(request, limit, average, peak, counts) := text if {
	c := object.union(some_container, {"cpu_request": request, "cpu_limit": limit})
	text := advice.as_measured(c) with cpu.average as [{"milli": average, "text": ""}]
		with cpu.peak as [peak]
		with measured.counts as counts
		with measured.containers as {"app": {"text": "by a meter"}}
		with cpu.not_measured as "unknown"
}

test_a_sidecar_as_it_was_measured if {
	every case in [
		[0, 5, 1, 5, false, "requests.cpu: its measured average, 1m"],
		[0, 5, 1, 5, true, "requests.cpu: its measured average, 1m (by a meter)"],
		[0, 5, 0, 5, false, "requests.cpu: unknown"],
		[1, 0, 1, 5, false, "limits.cpu: its measured peak, 5m"],
		[1, 4, 1, 5, true, "limits.cpu: its measured peak, 5m (by a meter)"],
		[1, 0, 1, 0, false, "limits.cpu: unknown"],
		[1, 5, 1, 5, false, ""],
		[0, 0, 1, 1, false, "requests.cpu: its measured average, 1m; limits.cpu: its measured peak, 1m"],
	] {
		as_measured(case[0], case[1], case[2], case[3], case[4]) == case[5]
	}
}

# procs is the GOMAXPROCS that is advised, by the limit and whether it is lost.
procs(limit, value, lost, average) := text if {
	g := {"c": object.union(some_container, {"cpu_limit": limit}), "gomaxprocs": {
		"value": value, "valid": true, "raw": "1",
		"source": "", "set": true,
	}}
	text := advice.go_procs(g) with cpu.average as [average]
		with cpu.measurement as ""
		with cpu.loses_limit as lost
		with fix.loses_limit as lost
}

test_the_processors_of_go if {
	known := {"milli": 1001}
	procs(1, 9, false, known) == "GOMAXPROCS: \"2\" (limits.cpu rounded up, at least 2)"
	procs(1000, 9, false, known) == "GOMAXPROCS: \"2\" (limits.cpu rounded up, at least 2)"
	procs(1001, 9, false, known) == "GOMAXPROCS: \"2\" (limits.cpu rounded up)"
	procs(2001, 9, false, known) == "GOMAXPROCS: \"3\" (limits.cpu rounded up)"
	procs(0, 9, false, known) == "GOMAXPROCS: \"3\" (twice the average of 1001m, at least 2)"
	procs(0, 9, false, {"milli": 0}) == "GOMAXPROCS: twice the measured average, at least 2"
	procs(2500, 9, true, {"milli": 0}) == "no limits.cpu (HR202): without one, GOMAXPROCS may stay 9"
	lost := object.union(some_container, {"lost_limit": 2500})
	advice._procs(lost) == "GOMAXPROCS: \"3\" (as many as the limit had, at least 2)" with cpu.average as [{"milli": 0}]
}

test_memory_of_go if {
	every case in [
		["malformed", "512Mi", 5, "GOMEMLIMIT: 512MiB"],
		["malformed", "1Ki", 5, "GOMEMLIMIT: 1KiB"],
		["malformed", "512M", 10485760, "GOMEMLIMIT: 9MiB (90 % of limits.memory)"],
		["above", "512Mi", 10485760, "GOMEMLIMIT: 9MiB (90 % of limits.memory)"],
		["above", "512Mi", 1, "GOMEMLIMIT: 0B (90 % of limits.memory)"],
		["above", "512Mi", 0, "GOMEMLIMIT: 90 % of limits.memory, with the unit MiB"],
	] {
		g := {"gomemlimit": {"raw": case[1]}, "c": {"memory_limit": case[2]}}
		advice.go_memory_limit(g, {"kind": case[0]}) == case[3]
	}
}

test_a_limit_for_a_peak_of_memory if {
	every case in [
		[800, 800, "limits.memory: 1Mi or more (peak / 0.8)"],
		[838860, 800, "limits.memory: 1Mi or more (peak / 0.8)"],
		[838861, 800, "limits.memory: 2Mi or more (peak / 0.8)"],
		[1048576, 1000, "limits.memory: 1Mi or more (peak / 1)"],
	] {
		advice.memory_for_peak({}, case[0], case[1]) == case[2]
	}
}

# pool_fits is what fits a pool of four: what one worker takes, whether that is assumed, the limit, and the average.
pool_fits(k, assumed, limit, average) := text if {
	c := object.union(some_container, {"cpu_limit": limit, "cpu_limit_source": {true: "container", false: ""}[limit > 0]})
	pool := {"c": c, "container": "app", "k": k, "assumed": assumed, "per": "process", "workers": 4}
	text := advice.workers(pool, c) with cpu.average as [average] with cpu.row as [null]
}

test_what_fits_a_pool_of_workers if {
	annotation := "the annotation cores-per-worker.headroom.dev/app with the measured need of one"
	busy := "if each keeps a core busy"
	every case in [
		[1, false, 2000, {"milli": 0}, "limits.cpu: 4 or more, or at most 2 workers"],
		[1, false, 2999, {"milli": 0}, "limits.cpu: 4 or more, or at most 2 workers"],
		[1, false, 1000, {"milli": 0}, "limits.cpu: 4 or more, or at most 1 worker"],
		[2, false, 3000, {"milli": 0}, "limits.cpu: 8 or more, or at most 1 worker"],
		[2, false, 1000, {"milli": 0}, "limits.cpu: 8 or more"],
		[1, true, 3000, {"milli": 0}, sprintf("%s: 750m or less fits, or at most 3 workers %s", [annotation, busy])],
		[1, true, 1000, {"milli": 0}, sprintf("%s: 250m or less fits", [annotation])],
		[1, true, 3, {"milli": 0}, sprintf("%s, and limits.cpu for all of them", [annotation])],
		[1, true, 0, {"milli": 500}, sprintf("%s: 500m or less fits, or at most 2 workers %s", [annotation, busy])],
		[2, false, 0, {"milli": 500}, "at most 1 worker"],
	] {
		pool_fits(case[0], case[1], case[2], case[3]) == case[4]
	}
}

test_a_higher_limit_of_the_pod if {
	c := object.union(some_container, {"cpu_limit": 1000, "cpu_limit_source": "pod"})
	row := {"request": "average", "limit": "none"}
	advice.higher_limit(c, 2000) == ["limits.cpu of the Pod: 2 or more"] with cpu.row as [row]
		with cpu.average as [{"milli": 0}]
		with cpu.loses_limit as false
		with cpu.allocation as {"milli": 1}
}
