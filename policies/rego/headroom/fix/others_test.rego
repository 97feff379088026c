package headroom.fix_test

import data.headroom.fix
import data.headroom.workload

# What is done for one container does not go by what another one has.

named(name, container) := object.union({"name": name}, container)

beside(annotations, container, other) := pod(
	annotations,
	{"containers": [named("app", container), named("other", other)]},
)

memory_of(index) := {
	"change": "set",
	"path": ["spec", "containers", index, "resources", "requests", "memory"],
	"value": "2Gi",
}

half_asked := {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "2Gi"}}

test_a_guess_beside_a_jvm_that_is_known if {
	known := object.union(java("-Xmx300m", "2Gi", "0"), {"resources": half_asked})
	guessed := {"image": "eclipse-temurin:21", "resources": half_asked}
	changes(beside({}, known, guessed), {}, "HR302") == [memory_of(0)]
	changes(beside({}, guessed, known), {}, "HR302") == [memory_of(1)]
}

# A memory request is made of a memory limit, whatever the CPU is.
test_an_absurd_amount_beside_others if {
	absurd := {"resources": {"requests": {"cpu": "9E", "memory": "1Gi"}, "limits": {"memory": "2Gi"}}}
	changes(one({}, absurd), {}, "HR302") == [memory_of(0)]
	sensible := {"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}}
	changes(beside({"cpu-average.headroom.dev/app": "1"}, sensible, absurd), {}, "HR302") == [memory_of(1)]
	lacking := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}}
	changes(beside({"cpu-average.headroom.dev/app": "1"}, lacking, absurd), {}, "HR201") == [{
		"change": "set",
		"path": at("requests", "cpu"), "value": "1",
	}]
}

other_added(list) := object.union(added(list), {"container": ["spec", "containers", 1]})

# Java 8 reads 1,023 bytes of each JVM's variable.
test_room_in_the_variable_of_another_jvm if {
	full := object.union(java(concat("", ["-XX:+UseG1GC -Dx=", sprintf("%0*d", [930, 0])]), "4Gi", "0"), in_a_shell)
	roomy := object.union(java("-XX:+UseG1GC -Dx=1", "4Gi", "0"), in_a_shell)
	gc_threads := ["-XX:ParallelGCThreads=4", "-XX:ConcGCThreads=2"]
	averages := {"cpu-average.headroom.dev/app": "700m", "cpu-average.headroom.dev/other": "700m"}
	changes(beside(averages, full, roomy), {}, "HR403") == [object.remove(other_added(gc_threads), ["behind"])]

	# Each has room for what it gets itself, and not for what both get.
	half_full := object.union(java(concat("", ["-XX:+UseG1GC -Dx=", sprintf("%0*d", [870, 0])]), "4Gi", "0"), in_a_shell)
	count(changes(beside(averages, half_full, half_full), {}, "HR403")) == 2
}

test_caps_of_another_jvm_are_not_waited_for if {
	asked := {"inject.headroom.dev/app": "metaspace,direct,code-cache", "inject.headroom.dev/other": "code-cache"}
	regions := "-XX:MaxMetaspaceSize=256m -XX:MaxDirectMemorySize=256m"
	capped := java(regions, "4Gi", "0")
	open := java("-Xmx1g", "4Gi", "0")
	cache := ["-XX:ReservedCodeCacheSize=128m"]
	changes(beside(asked, open, capped), {}, "HR407") == [other_added(cache)]
	full := java(concat(" ", [regions, "-XX:ReservedCodeCacheSize=128m"]), "4Gi", "0")
	changes(beside({}, open, full), {}, "HR406") == [other_added(["-XX:MaxRAMPercentage=50.0"])]
	changes(beside({}, capped, full), {}, "HR406") == [
		added(["-XX:MaxRAMPercentage=50.0"]),
		other_added(["-XX:MaxRAMPercentage=50.0"]),
	]
}

# 4 workers of half a core need 2.
test_a_pool_fits_what_is_left if {
	average_of_one := {"headroom.dev/cpu-average": "1", "cores-per-worker.headroom.dev/app": "500m"}
	every workers, expected in {"4": [removed], "5": [removed]} {
		container := {"command": ["gunicorn", "-w", workers, "a:b"], "resources": resources("1", "8", "1Gi", "1Gi")}
		changes(one(average_of_one, container), {}, "HR202") == expected
	}
	in_batch := object.union(average_of_one, {
		"headroom.dev/workload-class": "batch",
		"cpu-peak.headroom.dev/app": "2",
	})
	every workers, expected in {"4": [limit("2")], "5": []} {
		container := {"command": ["gunicorn", "-w", workers, "a:b"], "resources": {"requests": {"cpu": "1"}}}
		changes(one(in_batch, container), {}, "HR204") == expected
	}
}

# A row that wants no limit gets none with its request.
test_a_peak_without_a_limit if {
	peak := {"cpu-peak.headroom.dev/app": "1", "headroom.dev/workload-class": "burst"}
	request := {"change": "set", "path": at("requests", "cpu"), "value": "1"}
	every limit_word, expected in {"none": [request], "allocation": [request], "peak": [limit("1"), request]} {
		found := changes(one(peak, {}), {}, "HR201")
			with data.headroom.overrides as {"matrix": {"burst": {"request": "peak", "limit": limit_word}}}
		found == expected
	}
}

test_the_smallest_amounts_are_set if {
	smallest := {"cpu-average.headroom.dev/app": "1m", "cpu-peak.headroom.dev/app": "1m"}
	request := {"change": "set", "path": at("requests", "cpu"), "value": "1m"}
	every class, expected in {
		"latency-sensitive": ["HR201", [request]],
		"cron": ["HR201", [limit("1m"), request]],
		"sidecar": ["HR205", [limit("1m"), request]],
		"batch": ["HR204", [limit("2m")]],
	} {
		annotations := object.union(smallest, {"headroom.dev/workload-class": class})
		changes(one(annotations, {}), {}, expected[0]) == expected[1]
	}
}

# What is proposed is 1Gi of memory and a CPU limit of 2, and these do not refuse it.
test_what_the_api_server_lets_pass if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": "1Gi"}}}
	terminating := {"scopes": ["Terminating"]}
	unread := {"default": {"cpu": "0"}}
	every context in [
		range("Container", object.union(unread, {"max": {"cpu": "lots", "memory": "lots"}})),
		range("Container", object.union(unread, {"max": {"cpu": "2", "memory": "1Gi"}})),
		range("Container", {"min": {"cpu": "1", "memory": "512Mi"}, "default": {"cpu": "0"}}),
		range("Container", object.union(unread, {"maxLimitRequestRatio": {"cpu": "2", "memory": "2"}})),
		range("Container", object.union(unread, {"maxLimitRequestRatio": {"cpu": "lots", "memory": "lots"}})),
		range("Pod", {"max": {"cpu": "2", "memory": "1Gi"}}),
		range("Pod", {"min": {"cpu": "1", "memory": "512Mi"}}),
		range("PersistentVolumeClaim", {"max": {"cpu": "1", "memory": "1"}}),
		quota({"limits.cpu": "4", "requests.memory": "4Gi"}, {"limits.cpu": "2", "requests.memory": "3Gi"}),
		{"resource_quotas": [{"spec": object.union(terminating, {"hard": {"limits.cpu": "1", "memory": "1"}})}]},
	] {
		[count(changes(one(batch, container), context, rule)) | some rule in ["HR204", "HR302"]] == [1, 1]
	}
	whole := {"containers": [{"name": "app"}], "resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "4Gi"}}}
	scoped := {"resource_quotas": [{"spec": object.union(terminating, {"hard": {"requests.memory": "2Gi"}})}]}
	count(changes(pod({}, whole), scoped, "HR302")) == 1
}

# It asks for more than the quota already, and does not come to ask for more.
test_a_quota_that_is_used_up_lets_a_limit_go if {
	container := {"resources": resources("1", "2", "1Gi", "1Gi")}
	changes(one(ruby, container), quota({"requests.cpu": "500m"}, {}), "HR202") == [removed]
}

test_the_smallest_bounds_refuse_too if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}}
	every item in [{"max": {"cpu": "1m"}}, {"min": {"cpu": "1001m"}}, {"maxLimitRequestRatio": {"cpu": "1m"}}] {
		changes(one(batch, container), range("Container", object.union(item, {"default": {"cpu": "0"}})), "HR204") == []
	}
}

# While an init container runs, only the sidecars before it run too.
# A quota counts an init container with the sidecars before it.
test_a_quota_counts_init_containers_one_by_one if {
	gib := {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}
	large := {"requests": {"memory": "1536Mi"}, "limits": {"memory": "1536Mi"}}
	init := {"name": "init", "resources": large}
	side := {"name": "side", "restartPolicy": "Always", "resources": gib}
	app := {"name": "app", "resources": {"requests": {"memory": "128Mi"}, "limits": {"memory": "256Mi"}}}
	raised := {"name": "raised", "restartPolicy": "Always", "resources": {
		"requests": {"memory": "512Mi"},
		"limits": {"memory": "1Gi"},
	}}
	every entry in [
		[[init], "1536Mi", 1],
		[[raised, init], "2560Mi", 2],
		[[raised, init], "2559Mi", 0],
		[[init, raised], "1536Mi", 2],
		[[side, {"name": "before", "resources": gib}, init], "2560Mi", 1],
	] {
		spec := {"containers": [app], "initContainers": entry[0]}
		count(changes(pod({}, spec), quota({"requests.memory": entry[1]}, {}), "HR302")) == entry[2]
	}
}

# It asks for as much as it needs; to raise it would raise what the whole Pod asks for.
test_an_init_container_keeps_its_memory if {
	init := {"name": "init", "resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "4Gi"}}}
	spec := {"containers": [{"name": "app"}], "initContainers": [init]}
	changes(pod({}, spec), {}, "HR302") == []
	native := {"containers": [{"name": "app"}], "initContainers": [object.union(init, {"restartPolicy": "Always"})]}
	count(changes(pod({}, native), {}, "HR302")) == 1
}

# It counts the cores of its node, and would not start with three such threads on two.
test_no_count_of_zero_processors if {
	flags := "-Xmx1g -XX:+UseG1GC -XX:-UseContainerSupport -XX:ConcGCThreads=3"
	changes(one({}, java(flags, "4Gi", "2")), {}, "HR202") == []
}

test_a_tenant_gets_what_is_left if {
	every allocation, expected in {
		"1": [],
		"1001m": [{"change": "set", "path": at("limits", "cpu"), "value": "1m"}],
		"2": [{"change": "set", "path": at("limits", "cpu"), "value": "1"}],
	} {
		annotations := {"headroom.dev/workload-class": "multi-tenant", "headroom.dev/cpu-allocation": allocation}
		limited := {"resources": {"limits": {"cpu": "1"}}}
		changes(beside(annotations, {"resources": {"requests": {"cpu": "1m"}}}, limited), {}, "HR207") == expected
	}
}

# of_limit is what makes the CPU limit of the first container that many millicores.
of_limit(object, milli) := found if {
	found := fix.with_limit(workload.containers[0], milli, 0) with input as object
}

test_what_a_jvm_is_told_has_to_be_known if {
	hidden := object.union(java("-Xmx1g", "4Gi", "0"), {"envFrom": [{"secretRef": {"name": "s"}}]})
	of_limit(one(batch, hidden), 2000) == []
	of_limit(one(batch, {"image": "eclipse-temurin:21", "resources": resources("1", "0", "4Gi", "4Gi")}), 2000) == []
	of_limit(one(batch, java("-Xmx1g", "4Gi", "0")), 2000) == [limit("2")]
	none := fix.allocated(workload.containers[0], 0) with input as one(ruby, {"resources": {"limits": {"cpu": "1"}}})
	none == []
}

test_what_keeps_a_limit if {
	two := resources("1", "2", "1Gi", "1Gi")
	requested := {"requests": {"memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}
	changes(one(ruby, {"resources": two}), quota({"limits.cpu": "8"}, {}), "HR202") == []
	changes(one(ruby, {"resources": two}), quota({"requests.cpu": "8"}, {}), "HR202") == [removed]
	every of_pod, container in {
		{"limits": {"cpu": "4"}, "requests": {"cpu": "1"}}: two,
		{"limits": {"cpu": "1m"}, "requests": {"cpu": "1m"}}: two,
		{"requests": {"cpu": "1"}}: requested,
	} {
		whole := {"containers": [{"name": "app", "resources": container}], "resources": of_pod}
		changes(pod(ruby, whole), {}, "HR202") == []
	}
	smallest := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"cpu": "1m", "memory": "1Gi"}}}
	changes(one(ruby, smallest), {}, "HR202") == [
		removed,
		{"change": "set", "path": at("requests", "cpu"), "value": "1m"},
	]
}

test_a_pool_keeps_no_limit if {
	crowded := {"command": ["gunicorn", "-w", "5", "a:b"], "resources": resources("1", "8", "1Gi", "1Gi")}
	changes(beside(ruby, {"resources": resources("1", "8", "1Gi", "1Gi")}, crowded), {}, "HR202") == [
		removed,
		{"change": "remove", "path": ["spec", "containers", 1, "resources", "limits", "cpu"]},
	]
	unasked := object.union(crowded, {"resources": {"requests": {"cpu": "0"}}})
	changes(one({}, unasked), {}, "HR202") == [removed]
}

# It runs as many threads as its limit let it.
test_a_go_program_whose_use_is_not_known if {
	aware := {"runtime.headroom.dev/app": "go version=1.25"}
	threads := {"change": "env", "container": ["spec", "containers", 0], "name": "GOMAXPROCS", "value": "3"}
	unknown := {"image": "read:1", "resources": resources("0", "2500m", "1Gi", "1Gi")}
	changes(one(aware, unknown), {}, "HR202") == [removed, threads]
	both := object.union(aware, {"runtime.headroom.dev/other": "ruby", "headroom.dev/cpu-average": "200m"})
	procs := {"change": "env", "container": ["spec", "containers", 0], "name": "GOMAXPROCS", "value": "2"}
	changes(beside(both, go("2", []), {"resources": resources("1", "2", "1Gi", "1Gi")}), {}, "HR202") == [
		removed, procs,
		{"change": "remove", "path": ["spec", "containers", 1, "resources", "limits", "cpu"]},
	]
}

test_a_code_cache_that_would_not_start_with_its_cap if {
	asked := {"inject.headroom.dev/app": "code-cache"}
	regions := "-XX:MaxMetaspaceSize=256m -XX:MaxDirectMemorySize=256m"
	every flags, expected in {
		"": [added(["-XX:ReservedCodeCacheSize=128m"])],
		"-XX:InitialCodeCacheSize=200m": [],
		"-XX:NonNMethodCodeHeapSize=8m": [],
		"-XX:NonProfiledCodeHeapSize=8m": [],
		"-XX:ProfiledCodeHeapSize=8m": [],
	} {
		changes(one(asked, java(concat(" ", [regions, flags]), "4Gi", "0")), {}, "HR407") == expected
	}
	changes(one({}, java(regions, "4Gi", "0")), {}, "HR407") == []
}

# What is not made is not waited for.
test_a_limit_that_is_turned_off_is_not_waited_for if {
	wanting := {"requests": {"cpu": "1"}, "limits": {"memory": "4Gi"}}
	container := {"image": "eclipse-temurin:17", "command": ["java", "-jar", "a.jar"], "resources": wanting}
	processors := [added(["-XX:ActiveProcessorCount=2"])]
	changes(one(batch, container), {}, "HR402") == [limit("2")]
	every overrides in [
		{"rules": {"HR204": {"severity": "off"}}},
		{"ignore": [{"rules": ["HR204"], "reason": "known"}]},
	] {
		changes(one(batch, container), {}, "HR402") == processors with data.headroom.overrides as overrides
	}
}

test_shares_of_memory_down_to_the_default if {
	every size, flags in {
		"2092Mi": [["-XX:MaxRAMPercentage=25.0"]],
		"2093Mi": [],
	} {
		volumes := [{"name": "a", "emptyDir": {"medium": "Memory", "sizeLimit": size}}]
		heap_flags({"containers": [capped_java({"memory": "4Gi"})], "volumes": volumes}) == [flags]
	}
}

by_cpu := {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "spread"}, "spec": {
	"scaleTargetRef": {"kind": "Pod", "name": "a"},
	"metrics": [{"type": "Resource", "resource": {
		"name": "cpu",
		"target": {"type": "Utilization", "averageUtilization": 80},
	}}],
}}

# An autoscaler that counts by the request scales otherwise by another one.
test_an_autoscaler_keeps_its_request if {
	container := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}}
	average := {"cpu-average.headroom.dev/app": "300m"}
	request := {"change": "set", "path": at("requests", "cpu"), "value": "300m"}
	changes(one(average, container), {}, "HR201") == [request]
	changes(one(average, container), {"autoscalers": [by_cpu]}, "HR201") == []
	other := object.union(by_cpu, {"spec": {"scaleTargetRef": {"name": "b"}}})
	changes(one(average, container), {"autoscalers": [other]}, "HR201") == [request]

	# The same amount is no other.
	limited := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}}
	count(changes(one(ruby, limited), {"autoscalers": [by_cpu]}, "HR202")) == 2
}
