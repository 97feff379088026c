package headroom.rules.runtimes["workers-exceed-cores_test"]

import data.headroom.rules.runtimes["workers-exceed-cores"] as rule

report(annotations, name, value, resources) := found if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": annotations},
		"spec": {"containers": [{"name": "app", "env": [{"name": name, "value": value}], "resources": resources}]},
	}
}

limit(cpu) := {"limits": {"cpu": cpu}}

web(workers, resources) := report({}, "WEB_CONCURRENCY", workers, resources)

only(found) := f if [f] := [f | some f in found]

test_more_workers_than_cores if {
	f := only(web("8", limit("1")))
	f.container == "app"
	f.path == ["spec", "containers", 0, "env", 0, "value"]
	f.message == concat(" ", [
		"8 workers (WEB_CONCURRENCY=8), 1 core each (assumed), need 8 cores; limits.cpu is 1:",
		"all busy, they use up 100 ms of CPU time in 12.5 ms and are throttled for the rest of each 100 ms.",
		"Less if they wait for I/O.",
	])
	f.expected == "the annotation cores-per-worker.headroom.dev/app with the measured need of one: 125m or less fits"
	f.figures == {"workers": 8, "cores_per_worker": 1, "cores": 1, "limit_millicores": 1000}
	f.harm == "throttled"
	f.severity == "warning"
}

# Up to four times the cores, or twice and one, are what manuals advise for workers that wait.
test_how_severe if {
	each := {"cores-per-worker.headroom.dev/app": "1"}
	every case in [
		[{}, "2", "1", "info"],
		[{}, "3", "1", "info"],
		[{}, "4", "1", "info"],
		[{}, "5", "1", "warning"],
		[{}, "2", "200m", "warning"],
		[{}, "2", "500m", "info"],
		[{}, "8", "6400m", "info"],
		[each, "2", "1", "warning"],
	] {
		f := only(report(case[0], "WEB_CONCURRENCY", case[1], limit(case[2])))
		f.severity == case[3]
	}
}

test_the_smallest_limit if {
	f := only(web("2", limit("1m")))
	contains(f.message, "limits.cpu is 1m: all busy, they use up 1 ms of CPU time in 0.5 ms")
}

# One is what a server starts by itself.
test_what_a_server_starts_by_itself if {
	count(web("1", limit("500m"))) == 0
	count(report({}, "UV_THREADPOOL_SIZE", "4", limit("1"))) == 0
	only(report({"cores-per-worker.headroom.dev/app": "1"}, "UV_THREADPOOL_SIZE", "4", limit("1")))
}

# T12: all eight need eight cores, and six of them have room in 6.4.
test_eight_unicorns if {
	f := only(report({}, "UNICORN_WORKER_PROCESSES", "8", limit("6400m")))
	contains(f.message, "CPU time in 80 ms")
	endswith(f.expected, "need of one: 800m or less fits, or at most 6 workers if each keeps a core busy")
	f.figures.cores == 6
	count(report({}, "UNICORN_WORKER_PROCESSES", "8", limit("8"))) == 0
	only(report({}, "UNICORN_WORKER_PROCESSES", "7", limit("6400m")))
	count(report({}, "UNICORN_WORKER_PROCESSES", "6", limit("6400m"))) == 0
}

half := {"cores-per-worker.headroom.dev/app": "500m"}

test_declared_cores_per_worker if {
	count(report(half, "WEB_CONCURRENCY", "8", limit("4"))) == 0
	f := only(report(half, "WEB_CONCURRENCY", "9", limit("4")))
	contains(f.message, "0.5 each (declared), need 4.5 cores; limits.cpu is 4: all busy, they use up 400 ms of CPU")
	endswith(f.message, " in 88.9 ms and are throttled for the rest of each 100 ms.")
	f.expected == "limits.cpu: 4500m or more and requests.cpu: 4, or at most 8 workers"
	large := only(report({"cores-per-worker.headroom.dev/app": "4"}, "WEB_CONCURRENCY", "1", limit("2")))
	large.expected == "limits.cpu: 4 or more and requests.cpu: 2"
}

test_as_many_as_there_are_cores if {
	each := {"cores-per-worker.headroom.dev/app": "600m"}
	count(report(each, "WEB_CONCURRENCY", "25", limit("15"))) == 0
	only(report(each, "WEB_CONCURRENCY", "26", limit("15")))
	two := {"cores-per-worker.headroom.dev/app": "2"}
	more := {"cores-per-worker.headroom.dev/app": "2001m"}
	count(report(two, "WEB_CONCURRENCY", "1", limit("2"))) == 0
	only(report(more, "WEB_CONCURRENCY", "1", limit("2")))
}

test_without_a_limit_the_average if {
	f := only(report({"cpu-average.headroom.dev/app": "500m"}, "WEB_CONCURRENCY", "8", {"requests": {"cpu": "500m"}}))
	endswith(f.message, concat(" ", [
		"need 8 cores; there is no CPU limit, and nothing is throttled:",
		"beyond 2 cores (twice the average, 500m, at least 2) only idle CPU is left.",
	]))
	f.expected == concat(", or ", [
		"the annotation cores-per-worker.headroom.dev/app with the measured need of one: 250m or less fits",
		"at most 2 workers if each keeps a core busy",
	])
	f.severity == "info"
	count(web("8", {"requests": {"cpu": "500m"}})) == 0 # what it uses is not known
	quarter := {"cores-per-worker.headroom.dev/app": "250m"}
	count(report(quarter, "WEB_CONCURRENCY", "8", {"requests": {"cpu": "500m"}})) == 0
	count(web("2", {"requests": {"cpu": "500m"}})) == 0
}

# HR202 takes the limit away, and says what it throttles.
test_a_limit_that_goes if {
	latency := {"headroom.dev/workload-class": "latency-sensitive", "cpu-average.headroom.dev/app": "500m"}
	f := only(report(latency, "WEB_CONCURRENCY", "8", {"requests": {"cpu": "500m"}, "limits": {"cpu": "1"}}))
	contains(f.message, "need 8 cores; without the CPU limit (HR202) nothing is throttled: beyond 2 cores")
	f.severity == "info"
	count(report(latency, "WEB_CONCURRENCY", "2", limit("1"))) == 0
	ignored := object.union(latency, {"ignore.headroom.dev/HR202": "the bill"})
	kept := only(report(ignored, "WEB_CONCURRENCY", "8", limit("1")))
	contains(kept.message, "limits.cpu is 1: all busy")
	kept.severity == "warning"
}

# A limit that the class would not have is no advice.
test_what_the_class_lets_be if {
	tenant := {"headroom.dev/workload-class": "multi-tenant", "headroom.dev/cpu-allocation": "1"}
	every case in [
		[{"headroom.dev/workload-class": "cron"}, "1", "requests.cpu and limits.cpu: 2, or at most 1 worker"],
		[tenant, "1", "at most 1 worker"],
		[{"headroom.dev/workload-class": "batch", "cpu-average.headroom.dev/app": "500m"}, "1", "at most 1 worker"],
		[{"headroom.dev/workload-class": "batch"}, "1", "at most 1 worker"],
	] {
		annotations := object.union(case[0], {"cores-per-worker.headroom.dev/app": "1"})
		f := only(report(annotations, "WEB_CONCURRENCY", "2", {"requests": {"cpu": "500m"}, "limits": {"cpu": case[1]}}))
		f.expected == case[2]
	}
}

# What was measured is no wish.
test_a_measured_average if {
	f := only(report({"cpu-average.headroom.dev/app": "900m"}, "WEB_CONCURRENCY", "9", {"requests": {"cpu": "900m"}}))
	f.expected == concat(", or ", [
		"the annotation cores-per-worker.headroom.dev/app with the measured need of one: 222m or less fits",
		"at most 2 workers if each keeps a core busy",
	])
}

test_nobody_knows_the_cores if {
	count(web("8", {})) == 0
	count(web("8", limit("two"))) == 0
	count(web("8", {"requests": {"cpu": "500m"}, "limits": {"cpu": "two"}})) == 0
}

test_libuv_threads if {
	f := only(report({}, "UV_THREADPOOL_SIZE", "16", limit("2")))
	startswith(f.message, "16 threads (UV_THREADPOOL_SIZE=16)")
	endswith(f.expected, "need of one: 125m or less fits, or at most 2 threads if each keeps a core busy")
}

test_no_pool if count(web("many", limit("1"))) == 0

# The class has another limit in mind, and there is but one worker.
test_one_worker_that_its_class_leaves_too_little if {
	annotations := {
		"headroom.dev/workload-class": "batch",
		"cpu-average.headroom.dev/app": "100m",
		"cores-per-worker.headroom.dev/app": "1",
	}
	resources := {"requests": {"cpu": "100m"}, "limits": {"cpu": "200m"}}
	[f] := [f | some f in report(annotations, "WEB_CONCURRENCY", "1", resources)]
	f.expected == "another limit than its class asks for: a single worker needs more"
}
