package headroom.fix_test

import data.headroom.fix
import data.headroom.main

# Go's and Ruby's variables get lost like a JVM's.
test_a_limit_stays_where_variables_may_get_lost if {
	every command in [["env", "-i", "app"], ["sudo", "app"], ["sh", "-c", ". /env; exec app"]] {
		container := {"command": command, "resources": resources("1", "2", "1Gi", "1Gi")}
		changes(one(ruby, container), {}, "HR202") == []
		changes(one({"runtime.headroom.dev/app": "go"}, container), {}, "HR202") == []
	}
	plain := {"command": ["env", "A=b", "app"], "resources": resources("1", "2", "1Gi", "1Gi")}
	changes(one(ruby, plain), {}, "HR202") == [removed]
}

test_a_limit_stays_where_the_processor_count_may_not_arrive if {
	every command in [["/run.sh", "java", "Main"], ["env", "-i", "java", "Main"], ["bash", "-lc", "java Main"]] {
		container := object.union(java("-XX:ActiveProcessorCount=2", "4Gi", "2"), {"command": command})
		changes(one({}, container), {}, "HR202") == []
		changes(one({}, object.union(container, {"env": []})), {}, "HR202") == []
	}
	changes(one({}, java("-XX:ActiveProcessorCount=2", "4Gi", "2")), {}, "HR202") == [removed]
}

test_a_limit_goes_where_what_runs_is_known if {
	container := {"resources": resources("1", "2", "1Gi", "1Gi")}
	changes(one({}, container), {}, "HR202") == []
	changes(one(ruby, container), {}, "HR202") == [removed]
	changes(one({"runtime.headroom.dev/app": "erlang"}, container), {}, "HR202") == []

	# A known program and its pool are something known too.
	workers := object.union(container, {"command": ["gunicorn", "-w", "2", "a:b"]})
	changes(one({}, workers), {}, "HR202") == [removed]
	variable := object.union(container, {"env": [{"name": "WEB_CONCURRENCY", "value": "2"}]})
	changes(one({}, variable), {}, "HR202") == [removed]
	more := object.union(container, {"command": ["gunicorn", "-w", "4", "a:b"], "resources": {"limits": {"cpu": "4"}}})
	changes(one({"headroom.dev/cpu-average": "500m"}, more), {}, "HR202") == [removed]
}

test_a_limit_that_something_is_filled_in_with_stays if {
	named := {"name": "CPUS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}}
	container := {"resources": resources("1", "2", "1Gi", "1Gi"), "env": [named]}
	changes(one(ruby, container), {}, "HR202") == []
	volume := {"name": "info", "downwardAPI": {"items": [{"resourceFieldRef": {"resource": "limits.cpu"}}]}}
	spec := {"containers": [{"name": "app", "resources": resources("1", "2", "1Gi", "1Gi")}], "volumes": [volume]}
	changes(pod(ruby, spec), {}, "HR202") == []
}

# Without a limit nothing throttles a pool, whatever is known of the cores.
test_a_pool_without_a_limit if {
	unmeasured := {"requests": {"cpu": "0"}, "limits": {"cpu": "4"}}
	pool_of_three := {"command": ["gunicorn", "-w", "3", "a:b"], "resources": unmeasured}
	changes(one({}, pool_of_three), {}, "HR202") == [removed]
	changes(one({"cpu-average.headroom.dev/app": "1"}, pool_of_three), {}, "HR202") == [removed]
	annotations := {"headroom.dev/cpu-average": "1", "cores-per-worker.headroom.dev/app": "1001m"}
	container := {"command": ["gunicorn", "-w", "2", "a:b"], "resources": resources("1", "8", "1Gi", "1Gi")}
	changes(one(annotations, container), {}, "HR202") == [removed]
}

test_a_pool_that_would_use_the_smallest_quota_up if {
	worker := {"command": ["gunicorn", "-w", "2", "a:b"]}
	short := {"headroom.dev/workload-class": "cron", "cpu-peak.headroom.dev/app": "1m"}
	changes(one(short, worker), {}, "HR206") == []
	changes(one(short, {"command": ["a"]}), {}, "HR206") != []
}

# What another container runs does not keep a limit, nor lets it go.
test_a_limit_beside_another_program if {
	annotations := object.union(ruby, {"cpu-average.headroom.dev/app": "1", "class.headroom.dev/other": "batch"})
	limited := {"resources": resources("1", "8", "1Gi", "1Gi")}
	pool_of_five := {"command": ["gunicorn", "-w", "5", "a:b"], "resources": resources("1", "8", "1Gi", "1Gi")}
	changes(beside(annotations, limited, pool_of_five), {}, "HR202") == [removed]
	unknown := object.remove(annotations, ["runtime.headroom.dev/app"])
	changes(beside(unknown, limited, pool_of_five), {}, "HR202") == []

	of_go := {"runtime.headroom.dev/other": "go version=1.25", "class.headroom.dev/other": "batch"}
	changes(beside(object.union(annotations, of_go), limited, limited), {}, "HR202") == [removed]
	of_java := java("-XX:ParallelGCThreads=2", "4Gi", "2")
	changes(beside(annotations, limited, of_java), {}, "HR202") == [removed]
}

test_a_limit_that_the_namespace_wants_stays if {
	container := {"resources": resources("1", "2", "1Gi", "1Gi")}
	every context in [
		range("Container", {"default": {"cpu": "4"}}),
		range("Container", {"maxLimitRequestRatio": {"cpu": "4"}}),
	] {
		changes(one(ruby, container), context, "HR202") == []
	}
	changes(one(ruby, container), range("Container", {"default": {"memory": "4Gi"}}), "HR202") == [removed]
}

test_a_request_of_none_stays_none if {
	none := {"resources": {"requests": {"cpu": "0"}, "limits": {"cpu": "1m"}}}
	changes(one(ruby, none), {}, "HR202") == [removed]
}

# With a request of its own a container does not take the Pod's.
test_a_peak_in_a_pod_that_asks_itself if {
	short := {"headroom.dev/workload-class": "cron", "cpu-peak.headroom.dev/app": "1m"}
	spec := {"containers": [{"name": "app"}], "resources": {"requests": {"cpu": "1"}}}
	changes(pod(short, spec), {}, "HR206") == [
		limit("1m"),
		{"change": "set", "path": at("requests", "cpu"), "value": "1m"},
	]
}

test_an_allocation_without_tenants_is_no_bill if {
	annotations := object.union(batch, {"headroom.dev/cpu-allocation": "2"})
	changes(one(annotations, {"resources": {"requests": {"cpu": "1"}}}), {}, "HR204") == [limit("2")]
}

granted(cpu) := {"namespaces": [{"metadata": {"annotations": {"headroom.dev/cpu-allocation": cpu}}}]}

# Of a Pod that is no tenant's, the Namespace's allocation is the most.
test_no_more_than_the_namespace_allocates if {
	asks := {"resources": {"requests": {"cpu": "1"}}}
	half := {"resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": "500m"}}}
	changes(one(batch, asks), granted("2"), "HR204") == [limit("2")]
	changes(one(batch, asks), granted("1999m"), "HR204") == []
	changes(one(batch, asks), granted("2"), "HR207") == []
	beside_half := object.union(batch, {"class.headroom.dev/other": "sidecar"})
	changes(beside(beside_half, asks, half), granted("2500m"), "HR204") == [limit("2")]
	changes(beside(beside_half, asks, half), granted("2499m"), "HR204") == []
}

test_volumes_that_are_filled_in_with_something_else if {
	info := {"name": "info", "downwardAPI": {"items": [{"resourceFieldRef": {"resource": "limits.memory"}}]}}
	app := {"name": "app", "resources": resources("1", "2", "1Gi", "1Gi")}
	changes(pod(ruby, {"containers": [app], "volumes": [info, {"name": "b"}]}), {}, "HR202") == [removed]
	named := {"name": "MEMORY", "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}}
	container := {"resources": resources("1", "2", "1Gi", "1Gi"), "env": [named]}
	changes(one(ruby, container), {}, "HR202") == [removed]
}

# What is only guessed is not changed, and takes nothing of a quota.
test_a_guess_proposes_nothing if {
	guessed := {"image": "eclipse-temurin:21", "resources": {"requests": {"cpu": "1"}}}
	known := {"resources": {"requests": {"cpu": "1"}}}
	annotations := object.union(batch, {"cpu-average.headroom.dev/app": "1", "cpu-average.headroom.dev/other": "1"})
	changes(beside(annotations, known, guessed), quota({"limits.cpu": "2"}, {}), "HR204") == [limit("2")]
}

test_go_where_the_cores_are_not_known if {
	program := {"runtime.headroom.dev/app": "go version=1.25"}
	unlimited := {"resources": {"requests": {"cpu": "0"}}}
	changes(one(program, unlimited), {}, "HR501") == []
	measured := object.union(program, {"headroom.dev/cpu-average": "1"})
	changes(one(measured, unlimited), {}, "HR501") == []
}

# Under its limit it counts as many as it may have.
test_go_under_a_new_limit if {
	program := object.union(batch, {"runtime.headroom.dev/app": "go version=1.25"})
	changes(one(program, {"resources": {"requests": {"cpu": "1"}}}), {}, "HR204") == [limit("2")]
}

test_a_number_of_threads_that_is_set_is_not_set_again if {
	program := {"runtime.headroom.dev/app": "go version=1.25", "headroom.dev/cpu-average": "1"}
	wrong := {"resources": {"requests": {"cpu": "1"}}, "env": [{"name": "GOMAXPROCS", "value": "many"}]}
	changes(one(program, wrong), {}, "HR501") == []
}

test_a_container_that_loses_its_limit if {
	limited := {"resources": resources("1", "2", "1Gi", "1Gi")}
	every entry in [[ruby, limited, [true]], [{}, limited, []], [batch, {"resources": unasked}, []]] {
		object := one(entry[0], entry[1])
		[true | fix.loses_limit(first_of(object))] == entry[2] with input as object
	}
}

# Its limit would be below its request, so that none is about to come.
test_a_limit_that_does_not_come_is_not_waited_for if {
	wanting := {"requests": {"cpu": "3", "memory": "4Gi"}, "limits": {"memory": "4Gi"}}
	jvm := {"image": "eclipse-temurin:17", "command": ["java", "-jar", "a.jar"], "resources": wanting}
	changes(one(batch, jvm), {}, "HR402") == [added(["-XX:ActiveProcessorCount=3"])]
}

test_each_of_two_jvms_gets_its_own_count if {
	told := java("-XX:ActiveProcessorCount=2", "4Gi", "2")
	changes(beside({}, told, java("-Xmx1g", "4Gi", "2")), {}, "HR202") == [
		removed,
		{"change": "remove", "path": ["spec", "containers", 1, "resources", "limits", "cpu"]},
		other_added(["-XX:ActiveProcessorCount=2"]),
	]
}

# Its threads are as wrong without the limit as with it.
test_go_that_is_no_worse_off if {
	program := {"runtime.headroom.dev/app": "go version=1.24", "headroom.dev/cpu-average": "1"}
	wrong := {"resources": resources("1", "2", "1Gi", "1Gi"), "env": [{"name": "GOMAXPROCS", "value": "many"}]}
	changes(one(program, wrong), {}, "HR202") == [removed]
}

memory_limit_of(env, extra) := changes(
	one({"runtime.headroom.dev/app": "go version=1.25"}, object.union(
		{"image": "read:1", "resources": resources("1", "0", "1Gi", "1Gi"), "env": env},
		extra,
	)),
	{}, "HR503",
)

test_a_memory_limit_of_go_is_set_where_there_is_none if {
	[change.name | some change in memory_limit_of([], {})] == ["GOMEMLIMIT"]
	memory_limit_of([{"name": "GOMEMLIMIT", "value": "lots"}], {}) == []
	memory_limit_of([{"name": "GOMEMLIMIT", "value": "2GiB"}], {}) == []
	memory_limit_of([{"name": "GOMEMLIMIT", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}], {}) == []
	memory_limit_of([], {"envFrom": [{"secretRef": {"name": "s"}}]}) == []
	memory_limit_of([], {"image": "unread:1"}) == []
}

# A variable that only Go's runtime reads shows it as well as an annotation does.
test_a_limit_goes_where_a_variable_shows_go if {
	container := {
		"env": [{"name": "GOMAXPROCS", "value": "2"}],
		"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}},
	}
	changes(one({}, container), {}, "HR202") == [removed]
}

# A larger limit takes no processor away.
test_a_larger_limit_of_a_jvm if {
	worker := {"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "2"}
	made := changes(one(worker, java("-Xmx1g", "4Gi", "1")), {}, "HR204")
	raised := [change.value | some change in made; change.change == "set"]
	"4" in raised
}

# Fields of other names than a container's are left alone.
test_what_is_restated_is_left_alone if {
	fix.admitted([removed], "app") == [] with data.headroom.workload.restated as true
}

# A Secret may set GOMAXPROCS or WEB_CONCURRENCY: so many threads could use a new limit up.
test_no_limit_beside_what_may_set_a_number_of_threads if {
	changes(_beside_a_secret({}, ""), {}, "HR204") == []
	changes(_beside_a_secret({"cpu": "8"}, ""), {}, "HR204") == []
	changes(_beside_a_secret({"cpu": "1"}, ""), {}, "HR204") == [limit("2")]
	changes(_beside_a_secret({}, "DB_"), {}, "HR204") == [limit("2")]
}

_beside_a_secret(limits, prefix) := one(batch, {
	"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": object.union({"memory": "1Gi"}, limits)},
	"envFrom": [{"secretRef": {"name": "db"}, "prefix": prefix}],
})

# A limit of one CPU makes a JVM choose Serial: not where its heap is large, nor where a script that was not read may
# make it so.
test_no_limit_of_one_cpu_beside_a_large_heap if {
	batch := {
		"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "500m",
		"cpu-peak.headroom.dev/app": "1",
	}
	of := {"image": "read:1", "resources": {"requests": {"cpu": "500m"}, "limits": {"memory": "8Gi"}}}
	direct := object.union(of, {"command": ["java", "-Xmx1g", "-jar", "a.jar"]})
	changes(one(batch, direct), {}, "HR204") == [limit("1")]
	every container in [
		object.union(of, {"command": ["java", "-Xmx4g", "-jar", "a.jar"]}),
		object.union(of, {"command": ["/start.sh"], "args": ["java", "-Xmx1g", "-jar", "a.jar"]}),
	] {
		changes(one(batch, container), {}, "HR204") == []
		changes(one(batch, container), {}, "HR403") == []
		some found in main.result.findings with input as one(batch, container) with data.headroom.image_lock as read
		found.rule == "HR204"
		contains(found.expected, "; with it -XX:+UseG1GC or -XX:ActiveProcessorCount=2, or")
	}
	every container in [
		object.union(of, {"command": ["java", "-Xmx4g", "-XX:+UseG1GC", "-jar", "a.jar"]}),
		object.union(of, {"command": ["java", "-Xmx4g", "-XX:ActiveProcessorCount=2", "-jar", "a.jar"]}),
		object.union(of, {
			"command": ["/start.sh"],
			"args": ["java", "-Xmx500m", "-jar", "a.jar"],
			"resources": {"requests": {"cpu": "500m"}, "limits": {"memory": "1Gi"}},
		}),
	] {
		changes(one(batch, container), {}, "HR204") == [limit("1")]
	}
}
