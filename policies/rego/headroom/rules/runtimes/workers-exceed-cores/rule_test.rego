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
		"8 workers (WEB_CONCURRENCY=8), each assumed to keep 1 core busy, need 8 cores; limits.cpu is 1.",
		"All busy, they use the 100 ms of each 100 ms up in 12.5 ms and are frozen for the rest.",
	])
	f.expected == "at most 1 worker, or limits.cpu: 8"
	f.figures == {"workers": 8, "cores_per_worker": 1, "cores": 1, "limit_millicores": 1000}
}

test_the_smallest_limit if {
	f := only(web("2", limit("1m")))
	contains(f.message, "limits.cpu is 1m. All busy, they use the 1 ms of each 100 ms up in 0.5 ms")
}

test_eight_unicorns if {
	f := only(report({}, "UNICORN_WORKER_PROCESSES", "8", limit("6400m")))
	contains(f.message, "up in 80 ms")
	count(report({}, "UNICORN_WORKER_PROCESSES", "8", limit("8"))) == 0
	count(report({}, "UNICORN_WORKER_PROCESSES", "7", limit("6400m"))) == 0
}

half := {"cores-per-worker.headroom.dev/app": "500m"}

test_declared_cores_per_worker if {
	count(report(half, "WEB_CONCURRENCY", "8", limit("4"))) == 0
	f := only(report(half, "WEB_CONCURRENCY", "9", limit("4")))
	contains(f.message, "each declared to need 0.5, need 4.5 cores; limits.cpu is 4. All busy, they use the 400 ms")
	contains(f.message, " of each 100 ms up in 88.9 ms and are frozen")
	f.expected == "at most 8 workers, or limits.cpu: 4500m"
	large := only(report({"cores-per-worker.headroom.dev/app": "4"}, "WEB_CONCURRENCY", "1", limit("2")))
	large.expected == "limits.cpu: 4"
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
	f := only(web("8", {"requests": {"cpu": "500m"}}))
	endswith(f.message, "need 8 cores; there is no CPU limit, and twice the average (500m), at least 2, makes 2.")
	f.expected == concat(", or ", [
		"at most 2 workers",
		"requests.cpu: 4",
		"the annotation cores-per-worker.headroom.dev/app, with 250m or less if that is what one needs",
	])
	count(web("8", {"requests": {"cpu": "4"}})) == 0
	quarter := {"cores-per-worker.headroom.dev/app": "250m"}
	count(report(quarter, "WEB_CONCURRENCY", "8", {"requests": {"cpu": "500m"}})) == 0
	count(web("2", {"requests": {"cpu": "500m"}})) == 0
	count(web("8", {"requests": {"cpu": "4"}})) == 0
}

# What was measured is no wish.
test_a_measured_average if {
	f := only(report({"cpu-average.headroom.dev/app": "900m"}, "WEB_CONCURRENCY", "9", {"requests": {"cpu": "900m"}}))
	f.expected == concat(", or ", [
		"at most 2 workers",
		"the annotation cores-per-worker.headroom.dev/app, with 222m or less if that is what one needs",
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
	f.expected == "at most 2 threads, or limits.cpu: 16"
}

test_no_pool if count(web("many", limit("1"))) == 0
