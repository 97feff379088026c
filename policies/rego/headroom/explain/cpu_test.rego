package headroom.explain_test

import data.headroom.explain

test_a_burst_of_the_collector if {
	x := jvm(facts("pause=18ms"), java(["-XX:ParallelGCThreads=25"], both("2", "4Gi")))
	x.burst == {
		"threads": 25,
		"threads_source": "ParallelGCThreads, command line",
		"pause_ms": 18,
		"pause_source": "by jvm.headroom.dev/app",
		"used_ms": 550,
		"own_ms": 100,
		"quota_ms": 200,
		"period_ms": 100,
		"throttle_ms": 350,
		"stall_ms": 193.5,
		"text": concat(" ", [
			"25 GC threads for 18 ms, beside 100 ms of the application:",
			"550 ms of CPU time where the quota is 200 ms in a period,",
			"350 ms too much: the pause grows from 18 to 193.5 ms.",
		]),
	}
	fine := jvm(facts("pause=45ms"), java(["-XX:ParallelGCThreads=2"], both("2", "4Gi")))
	[fine.burst.throttle_ms, fine.burst.stall_ms] == [0, 45]
	endswith(fine.burst.text, "so that nothing is throttled by the collection alone.")
}

# Fewer threads than the pause is known of take longer (T6), more of them less.
test_a_pause_of_other_threads if {
	every case in [[2, 42], [4, 28], [25, 18], [64, 18]] {
		flag := sprintf("-XX:ParallelGCThreads=%d", [case[0]])
		x := jvm(facts("pause=18ms"), java([flag], both("2", "4Gi"))) with data.headroom.asked as {"gc_threads": 25}
		x.burst.pause_ms == case[1]
	}
}

test_the_quota if {
	jvm({}, java([], both("2", "4Gi"))).quota == {"ms": 200, "period_ms": 100}
	jvm({}, java([], both("5m", "4Gi"))).quota == {"ms": 1, "period_ms": 100}
	jvm({}, java([], memory("4Gi"))).quota == null
}

test_no_burst_without_a_quota_or_a_count if {
	jvm({}, java([], memory("4Gi"))).burst == null
	secret := object.union(java([], both("2", "4Gi")), {"envFrom": [{"secretRef": {"name": "s"}}]})
	jvm({}, secret).burst == null
}

test_what_is_asked_for if {
	x := jvm({}, java(["-XX:ParallelGCThreads=25"], both("2", "4Gi"))) with data.headroom.asked as {
		"pause_ms": 10,
		"period_ms": 20,
		"workers": 6,
	}
	[x.burst.pause_ms, x.burst.pause_source, x.burst.quota_ms] == [10, "asked for", 40]
	x.jvm.pause == {"value": "10", "source": "asked for"}
	x.pool == {"workers": 6, "cores_each": 1, "source": "asked for", "path": [], "noun": "worker"}
	[x.workers.throttle_ms, x.workers.period_ms] == [20 - (40 / 6), 20]
	odd := jvm({}, java([], both("2", "4Gi"))) with data.headroom.asked as "text"
	odd.pool == null
}

test_a_pool_of_workers if {
	web := {"name": "web", "command": ["gunicorn", "-w", "8"], "resources": both("1", "512Mi")}
	x := first(pod({}, [web]))
	x.pool == {
		"workers": 8,
		"cores_each": 1,
		"source": "gunicorn --workers 8, each on one core (assumed)",
		"path": ["spec", "containers", 0, "command", 1],
		"noun": "worker",
	}
	x.workers.text == concat(" ", [
		"With 8 workers busy, the 100 ms of a period are used up in 12.5 ms,",
		"and then everything is throttled for 87.5 ms.",
	])
	[x.workers.used_ms, x.workers.throttle_ms] == [800, 87.5]
	known := first(pod({"cores-per-worker.headroom.dev/web": "100m"}, [web]))
	known.pool.source == "gunicorn --workers 8"
	known.workers.text == "With 8 workers busy, the 100 ms of a period suffice."
	unlimited := first(pod({}, [object.remove(web, ["resources"])]))
	unlimited.workers == null
	unlimited.pool.workers == 8
}

asks(annotations, resources) := [p.cpu_request, p.cpu_request_why, p.cpu_limit, p.cpu_limit_why] if {
	p := first(pod(annotations, [{"name": "app", "resources": resources}])).passing
}

of(class) := {"headroom.dev/workload-class": class}

test_what_each_class_asks_for if {
	cpu := {"requests": {"cpu": "500m"}}
	asks(of("latency-sensitive"), cpu) == [
		-1, "class latency-sensitive asks for its average use; no annotation gives it",
		0, "class latency-sensitive asks for none",
	]
	declared := object.union(of("batch"), {"cpu-average.headroom.dev/app": "400m"})
	known := "its average use is 400m, as measured (cpu-average.headroom.dev/app)"
	asks(declared, cpu) == [
		400, sprintf("class batch asks for its average use; %s", [known]),
		800, sprintf("class batch asks for 2 × its average use; %s", [known]),
	]
	asks(of("sidecar"), cpu) == [
		-1, "class sidecar asks for its measured average use; no annotation gives it",
		-1, "class sidecar asks for its measured peak; no annotation gives it",
	]
	peak := {"cpu-peak.headroom.dev/app": "2"}
	asks(object.union(of("cron"), peak), cpu) == [
		2000, "class cron asks for its measured peak; its measured peak is 2 (cpu-peak.headroom.dev/app)",
		2000, "class cron asks for its measured peak; its measured peak is 2 (cpu-peak.headroom.dev/app)",
	]
	asks(of("multi-tenant"), cpu)[3] == "class multi-tenant asks for the tenant's allocation"
	asks({}, cpu) == [
		-1, "no CPU rule applies to class unclassified",
		-1, "no CPU rule applies to class unclassified",
	]
}

test_what_is_not_known if {
	unknown({}, {"name": "app"}) == [
		"There is no memory limit, so that nothing bounds what it takes: limits.memory does.",
		concat(" ", [
			"Its average CPU use is not known (no annotation gives it): cpu-average.headroom.dev/app says it,",
			"and headroom annotate measures it.",
		]),
		"Nothing shows what runs here: annotation runtime.headroom.dev/app says it.",
	]
	peak := "Its peak CPU use is not known: annotation cpu-peak.headroom.dev/app says it."
	peak in unknown(of("cron"), {"name": "app"})
	peak in unknown(of("sidecar"), {"name": "app"})
	not peak in unknown(of("batch"), {"name": "app"})
	full := {"runtime.headroom.dev/app": "native", "cpu-average.headroom.dev/app": "1"}
	unknown(full, {"name": "app", "resources": memory("1Gi")}) == []
}

unknown(annotations, container) := first(pod(annotations, [container])).unknown

test_what_is_not_known_of_a_jvm if {
	guess := unknown({}, {"name": "app", "image": "kafka:4", "resources": both("1", "4Gi")})
	count(guess) == 6
	[text | some text in guess; startswith(text, "Flags may hide in the image's entrypoint: ")] != []
	[text | some text in guess; startswith(text, "Assumed to be a JVM: ")] != []
	[text | some text in guess; startswith(text, "Its release is not declared: ")] != []
	[text | some text in guess; startswith(text, "The program's own start script may set the heap: ")] != []
	some text in guess
	startswith(text, "Not bounded or declared, and so assumed: metaspace, stacks, native. ")
	secret := object.union(java([], {}), {"envFrom": [{"secretRef": {"name": "s"}}]})
	some hidden in unknown({}, secret)
	endswith(hidden, "As plain text in JAVA_TOOL_OPTIONS they are visible.")
	told := array.concat(["-XX:MaxMetaspaceSize=64m"], ["-Xmx256m"])
	facts_told := object.union(batch, facts("version=21 threads=20 native=80Mi"))
	unknown(facts_told, java(told, both("1", "4Gi"))) == []
}

test_the_smallest_amounts_are_wanted if {
	asks({"headroom.dev/workload-class": "cron", "cpu-peak.headroom.dev/app": "1m"}, {}) == [
		1, "class cron asks for its measured peak; its measured peak is 1m (cpu-peak.headroom.dev/app)",
		1, "class cron asks for its measured peak; its measured peak is 1m (cpu-peak.headroom.dev/app)",
	]
	asks(object.union(of("latency-sensitive"), {"cpu-average.headroom.dev/app": "1m"}), {})[1] == concat(" ", [
		"class latency-sensitive asks for its average use;",
		"its average use is 1m, as measured (cpu-average.headroom.dev/app)",
	])
}

test_what_is_known_is_not_asked_for if {
	peak := {"cpu-peak.headroom.dev/app": "1m"}
	every class in ["cron", "sidecar"] {
		found := unknown(object.union(of(class), peak), {"name": "app"})
		[text | some text in found; contains(text, "peak CPU use")] == []
	}
	init := {"name": "wait", "command": ["a"]}
	given := object.union(pod({}, []), {"spec": {"containers": [{"name": "app"}], "initContainers": [init]}})
	found := explain.result with input as given
	[x.unknown | some x in found; x.role == "init"] == [[
		"Nothing shows what runs here: annotation runtime.headroom.dev/wait says it.",
	]]
}

test_a_burst_of_a_number_that_is_known if {
	one := jvm(facts("version=17"), java(["-XX:+UseSerialGC"], both("1m", "4Gi")))
	[one.burst.threads, one.burst.quota_ms, one.quota.ms] == [1, 1, 1]
}

test_no_burst_of_a_number_that_is_not_known if {
	every flag in ["-XX:ParallelGCThreads=x", "-XX:ParallelGCThreads=0", "-XX:-UseContainerSupport"] {
		jvm(facts("version=17"), java([flag], both("2", "4Gi"))).burst == null
	}
}

test_the_least_that_is_asked_for if {
	x := jvm({}, java(["-XX:ParallelGCThreads=25"], both("2", "4Gi"))) with data.headroom.asked as {
		"pause_ms": 1,
		"period_ms": 1,
		"workers": 1,
	}
	[x.burst.pause_ms, x.burst.pause_source, x.quota] == [1, "asked for", {"ms": 2, "period_ms": 1}]
	[x.pool.workers, x.pool.source] == [1, "asked for"]
}

test_the_pool_of_the_container_itself if {
	web := {"name": "web", "command": ["gunicorn", "-w", "8"], "resources": both("1m", "512Mi")}
	job := {"name": "job", "command": ["gunicorn", "-w", "2"], "resources": both("1", "512Mi")}
	other := {"name": "other", "resources": both("1", "512Mi")}
	found := explain.result with input as pod({"cores-per-worker.headroom.dev/job": "502500u"}, [web, job, other])
	[x.pool.workers | some x in found; x.pool != null] == [8, 2]
	[x.workers.quota_ms | some x in found; x.workers != null] == [1, 100]
	found[2].workers == null
	single := {"name": "web", "command": ["gunicorn", "-w", "1"], "resources": both("1", "512Mi")}
	short := first(pod({"cores-per-worker.headroom.dev/web": "1005m"}, [single]))
	short.workers.text == concat(" ", [
		"With 1 worker busy, the 100 ms of a period are used up in 99.5 ms,",
		"and then everything is throttled for 0.5 ms.",
	])
}
