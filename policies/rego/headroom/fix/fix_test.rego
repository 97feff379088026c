package headroom.fix_test

import data.headroom.fix
import data.headroom.main
import data.headroom.reviews_test as reviews

# A Pod of class latency-sensitive with one container, unless said otherwise.
pod(annotations, spec) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {
		"name": "a",
		"annotations": object.union({"headroom.dev/workload-class": "latency-sensitive"}, annotations),
	},
	"spec": spec,
}

one(annotations, container) := pod(annotations, {"containers": [object.union({"name": "app"}, container)]})

resources(cpu_request, cpu_limit, memory_request, memory_limit) := {
	"requests": {"cpu": cpu_request, "memory": memory_request},
	"limits": {"cpu": cpu_limit, "memory": memory_limit},
}

# The changes that a rule asks for, of all its findings.
changes(object, context, rule) := [change |
	some f in main.result.findings with input as reviews.of_object(object, context) with data.headroom.image_lock as read
	f.rule == rule
	some change in f.fix
]

at(list, resource) := ["spec", "containers", 0, "resources", list, resource]

removed := {"change": "remove", "path": at("limits", "cpu")}

ruby := {"runtime.headroom.dev/app": "ruby"}

# The request was the limit's, and would go with it.
test_a_request_stays_when_its_limit_goes if {
	container := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}}
	changes(one(ruby, container), {}, "HR202") == [
		removed,
		{"change": "set", "path": at("requests", "cpu"), "value": "2"},
	]
}

# The API server refuses a container that asks for more than its Pod may have.
test_no_request_above_the_limit_of_the_pod if {
	annotations := {"headroom.dev/cpu-average": "2"}
	spec := {"containers": [{"name": "app", "resources": {"requests": {"cpu": "0"}, "limits": {"memory": "1Gi"}}}]}
	changes(pod(annotations, small_pod("4", spec)), {}, "HR201") == [{
		"change": "set",
		"path": at("requests", "cpu"), "value": "2",
	}]
	changes(pod(annotations, small_pod("700m", spec)), {}, "HR201") == []
}

small_pod(limit, spec) := object.union(spec, {"resources": {"limits": {"cpu": limit}, "requests": {"cpu": "4"}}})

java(flags, memory, cpu) := {
	"image": "eclipse-temurin:17",
	"command": ["java", "-jar", "a.jar"],
	"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}],
	"resources": resources("700m", cpu, memory, memory),
}

added(list) := {
	"change": "jvm-flags",
	"container": ["spec", "containers", 0],
	"flags": list,
	"behind": ["command", 0],
}

# The image read:1 is known, and sets nothing.
read := {"references": {"read:1": "sha256:0"}, "images": {"sha256:0": {"entrypoint": [], "environment": {}}}}

test_a_jvm_gets_its_processor_count if {
	two := added(["-XX:ActiveProcessorCount=2"])
	changes(one({}, java("-Xmx1g", "4Gi", "2")), {}, "HR202") == [removed, two]
	changes(one({}, java("-XX:ActiveProcessorCount=2", "4Gi", "2")), {}, "HR202") == [removed]

	# With one processor it takes the serial collector. What rules say of another's threads are infos.
	changes(one({}, java("-Xmx1g", "4Gi", "1")), {}, "HR202") == [removed, two]

	# ParallelGCThreads=8 is right for the cores that its limit grants, and its use is not known.
	eight := added(["-XX:ActiveProcessorCount=8"])
	changes(one({}, java("-XX:ParallelGCThreads=8", "4Gi", "8")), {}, "HR202") == [removed, eight]
	measured := {"cpu-average.headroom.dev/app": "700m"}
	changes(one(measured, java("-Xmx1g", "4Gi", "8")), {}, "HR202") == [removed, two]
}

# Too few would slow it down: nothing tells how many it needs.
test_no_processors_where_the_use_is_not_known if {
	changes(one({}, java("-Xmx1g", "4Gi", "0")), {}, "HR402") == []
	changes(one({}, java("-Xmx1g", "4Gi", "0")), {}, "HR405") == []
	changes(one({"cpu-average.headroom.dev/app": "1m"}, java("-Xmx1g", "4Gi", "0")), {}, "HR402") != []
}

# Nor how many threads, where the limit that sizes them is to go.
test_no_threads_where_the_limit_should_go_and_stays if {
	secret := {"envFrom": [{"secretRef": {"name": "s"}}]}
	limited := java("-XX:+UseG1GC", "4Gi", "2")
	stays := {"class.headroom.dev/other": "sidecar"}
	whole := {"containers": [object.union(limited, {"name": "app"})], "resources": {"limits": {"cpu": "4"}}}
	changes(pod(stays, whole), {}, "HR403") == []
	changes(one({}, object.union(limited, secret)), {}, "HR403") == []
}

test_no_flag_that_java_lacks_or_would_get_twice if {
	changes(one({"jvm.headroom.dev/app": "version=8u181"}, java("-Xmx1g", "4Gi", "2")), {}, "HR202") == []
	mentioned := object.union(java("-Xmx1g", "4Gi", "2"), {"command": ["java", "$(JAVA_TOOL_OPTIONS)", "-jar", "a.jar"]})
	changes(one({}, mentioned), {}, "HR202") == [removed, added(["-XX:ActiveProcessorCount=2"])]
	container := java("-Xmx1g", "4Gi", "2")
	elsewhere := object.union(container, {"env": array.concat(container.env, [{
		"name": "JAVA_OPTS",
		"value": "$(JAVA_TOOL_OPTIONS) -Da=b",
	}])})
	changes(one({}, elsewhere), {}, "HR202") == [removed, added(["-XX:ActiveProcessorCount=2"])]
	changes(one({}, object.union(elsewhere, in_a_shell)), {}, "HR202") == []
}

# The same behind a shell, where flags go into the variable.
in_a_shell := {"image": "eclipse-temurin:8", "command": ["sh", "-c", "exec java -jar a.jar"]}

test_a_guess_is_never_changed if {
	container := {"image": "eclipse-temurin:21", "resources": resources("700m", "2", "1Gi", "2Gi")}
	changes(one({}, container), {}, "HR202") == []
	changes(one({}, container), {}, "HR302") == []
}

go(cpu, env) := {"image": "read:1", "resources": resources("200m", cpu, "1Gi", "1Gi"), "env": env}

test_a_go_program_gets_its_threads if {
	aware := {"runtime.headroom.dev/app": "go version=1.25", "headroom.dev/cpu-average": "200m"}
	procs := {"change": "env", "container": ["spec", "containers", 0], "name": "GOMAXPROCS", "value": "2"}
	changes(one(aware, go("2", [])), {}, "HR202") == [removed, procs]
	changes(one(aware, go("2", [{"name": "GOMAXPROCS", "value": "2"}])), {}, "HR202") == [removed]
	secret := object.union(go("2", []), {"envFrom": [{"secretRef": {"name": "s"}}]})
	changes(one(aware, secret), {}, "HR202") == []

	# An image that was not read may set it.
	changes(one(aware, object.union(go("2", []), {"image": "unread:1"})), {}, "HR202") == []
}

batch := {
	"headroom.dev/workload-class": "batch",
	"headroom.dev/cpu-average": "1",
	"cpu-peak.headroom.dev/app": "2",
}

limit(value) := {"change": "set", "path": at("limits", "cpu"), "value": value}

# What goes by the limit is judged once it is there.
test_a_limit_comes_before_what_goes_by_it if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"memory": "4Gi"}}}
	jvm := object.union(container, {"image": "eclipse-temurin:17", "command": ["java", "-jar", "a.jar"]})
	every rule in ["HR204", "HR402", "HR405", "HR403", "HR404"] {
		changes(one(batch, jvm), {}, rule) == [limit("2")]
	}
	changes(one(batch, jvm), {}, "HR406") == []
}

test_a_limit_comes_before_the_processors_of_go if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "4Gi"}, "limits": {"memory": "4Gi"}}}
	jvm := object.union(container, {"image": "eclipse-temurin:17", "command": ["java", "-jar", "a.jar"]})
	old := object.union(batch, {"runtime.headroom.dev/app": "go version=1.24"})
	changes(one(old, container), {}, "HR501") == []

	exempted := object.union(batch, {"ignore.headroom.dev/HR204": "known"})
	changes(one(exempted, jvm), {}, "HR402") == [added(["-XX:ActiveProcessorCount=2"])]
}

test_caps_come_before_the_heap if {
	container := java("-XX:ActiveProcessorCount=2 -Xss512k", "4Gi", "0")
	asked := {"inject.headroom.dev/app": "metaspace,direct,code-cache"}
	changes(one(asked, container), {}, "HR307") == [added(["-XX:MaxMetaspaceSize=256m", "-XX:MaxDirectMemorySize=256m"])]
	changes(one(asked, container), {}, "HR407") == []
	changes(one(asked, container), {}, "HR406") == []

	capped := java("-XX:MaxMetaspaceSize=256m -XX:MaxDirectMemorySize=256m", "4Gi", "0")
	changes(one(asked, capped), {}, "HR407") == [added(["-XX:ReservedCodeCacheSize=128m"])]
	changes(one(asked, capped), {}, "HR406") == []
	changes(one({}, capped), {}, "HR406") == [added(["-XX:MaxRAMPercentage=50.0"])]
}

# Java 8 reads 1,023 bytes: room for one flag, and not for all.
test_the_processors_go_first_where_there_is_little_room if {
	long := java(concat("", ["-Dx=", sprintf("%0*d", [940, 0])]), "4Gi", "0")
	container := object.union(long, in_a_shell)
	measured := {"cpu-average.headroom.dev/app": "700m"}
	changes(one(measured, container), {}, "HR402") == [object.remove(added(["-XX:ActiveProcessorCount=2"]), ["behind"])]
	changes(one(measured, container), {}, "HR403") == []
}

test_a_tenant_s_bill_is_not_changed_by_others if {
	mixed := object.union(batch, {"class.headroom.dev/shop": "multi-tenant", "headroom.dev/cpu-allocation": "2"})
	app := {"name": "app", "resources": {"requests": {"cpu": "1"}}}
	shop := {"name": "shop", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}}}
	changes(pod(mixed, {"containers": [app, shop]}), {}, "HR204") == []
	unbilled := object.remove(mixed, ["headroom.dev/cpu-allocation"])
	changes(pod(unbilled, {"containers": [app, shop]}), {}, "HR204") == [limit("2")]
}

test_a_limit_below_its_request_is_none if {
	container := {"resources": {"requests": {"cpu": "3", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}}
	changes(one(batch, container), {}, "HR204") == []
}

range(type, item) := {"limit_ranges": [{"spec": {"limits": [object.union({"type": type}, item)]}}]}

quota(hard, used) := {"resource_quotas": [{"spec": {"hard": hard}, "status": {"used": used}}]}

# What is to be set is 1Gi of memory and a CPU limit of 2.
test_what_the_api_server_would_refuse_is_no_fix if {
	container := {"resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": "1Gi"}}}
	object := one(batch, container)
	fixed := {"cpu": "HR204", "memory": "HR302"}
	contexts := [
		["cpu", range("Container", {"max": {"cpu": "1500m"}, "default": {"cpu": "0"}})],
		["cpu", range("Container", {"min": {"cpu": "1500m"}})],
		["cpu", range("Container", {"maxLimitRequestRatio": {"cpu": "1500m"}})],
		["memory", range("Container", {"max": {"memory": "768Mi"}})],
		["cpu", range("Pod", {"max": {"cpu": "1500m"}})],
		["memory", range("Pod", {"max": {"memory": "768Mi"}})],
		["cpu", quota({"limits.cpu": "4"}, {"limits.cpu": "3"})],
		["memory", quota({"requests.memory": "4Gi"}, {"requests.memory": "3.5Gi"})],
		["memory", quota({"memory": "768Mi"}, {})],
	]
	every entry in contexts {
		changes(object, entry[1], fixed[entry[0]]) == []
	}
	every rule in ["HR204", "HR302"] {
		count(changes(object, quota({"limits.cpu": "4", "memory": "4Gi"}, {"limits.cpu": "1"}), rule)) > 0
		count(changes(object, range("Pod", {"max": {"cpu": "4", "memory": "4Gi"}}), rule)) > 0
	}
}

test_a_pod_s_own_resources_bound_its_containers if {
	container := {"name": "app", "resources": {"requests": {"cpu": "1", "memory": "512Mi"}, "limits": {"memory": "1Gi"}}}
	init := {"name": "init", "resources": {"requests": {"cpu": "1"}}}
	spec := {"containers": [container], "initContainers": [init]}
	changes(pod(batch, object.union(spec, {"resources": {"limits": {"cpu": "1200m"}}})), {}, "HR204") == []
	changes(pod(batch, object.union(spec, {"resources": {"requests": {"memory": "768Mi"}}})), {}, "HR302") == []
	count(changes(pod(batch, object.union(spec, {"resources": {"requests": {"memory": "2Gi"}}})), {}, "HR302")) == 1
	changes(pod(batch, {"containers": [{"name": "app"}], "resources": {"requests": {"cpu": "1"}}}), {}, "HR204") == []
}

# A limit of 0 that is written out is one, and a request above it is refused.
test_a_request_beside_a_limit_of_zero if {
	container := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"cpu": "0", "memory": "1Gi"}}}
	changes(one({"headroom.dev/cpu-average": "1"}, container), {}, "HR201") == []
	none := {"resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}}
	count(changes(one({"headroom.dev/cpu-average": "1"}, none), {}, "HR201")) == 1
}

test_complaints_of_an_init_container_are_not_about_threads if {
	init := object.union({"name": "init"}, java("-Xmx8g", "4Gi", "2"))
	spec := {"containers": [{"name": "app"}], "initContainers": [init]}
	some j in data.headroom.runtime.jvm.jvms with input as pod({}, spec)
	{name | some [name, _] in fix.complaints(j)} == {"HR304", "memory"} with input as pod({}, spec)
}

test_a_request_above_its_limit if {
	container := {"resources": {"requests": {"cpu": "0", "memory": "1Gi"}, "limits": {"cpu": "500m", "memory": "1Gi"}}}
	changes(one({"headroom.dev/cpu-average": "1"}, container), {}, "HR201") == []
}

# A sidecar without a request, whose limit is right, and one that has neither.
test_a_sidecar_gets_what_it_lacks if {
	sidecar := {
		"headroom.dev/workload-class": "sidecar",
		"cpu-average.headroom.dev/app": "200m",
		"cpu-peak.headroom.dev/app": "500m",
	}
	request := {"change": "set", "path": at("requests", "cpu"), "value": "200m"}
	lacking := {"requests": {"cpu": "0"}, "limits": {"cpu": "500m"}}
	changes(one(sidecar, {"resources": lacking}), {}, "HR205") == [request]
	changes(one(sidecar, {}), {}, "HR205") == [limit("500m"), request]
	own := {"resources": {"requests": {"cpu": "200m"}, "limits": {"cpu": "300m"}}}
	changes(one(sidecar, own), {}, "HR205") == [limit("500m")]
}

# How long a pause is, and what else uses the quota, is assumed: more threads could use it up faster.
test_no_threads_under_a_quota if {
	every flags in ["-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseG1GC -XX:ActiveProcessorCount=2"] {
		container := java(flags, "4Gi", "4")
		every annotations in [
			{"headroom.dev/workload-class": "multi-tenant"},
			{"headroom.dev/workload-class": "multi-tenant", "jvm.headroom.dev/app": "pause=20ms"},
		] {
			changes(one(annotations, container), {}, "HR403") == []
			changes(one(annotations, container), {}, "HR404") == []
		}
	}
}

# A second processor would bring the collector G1, with books of its own, into memory that is
# too little already.
test_no_collector_that_takes_more_memory_than_there_is if {
	threads := "-XX:ParallelGCThreads=2 -XX:ConcGCThreads=1"
	roomy := java(concat(" ", [threads, "-Xmx1g"]), "4Gi", "1")
	changes(one({}, roomy), {}, "HR202") == [removed, added(["-XX:ActiveProcessorCount=2"])]
	tight := java(concat(" ", [threads, "-Xmx1792m"]), "2500Mi", "1")
	changes(one({}, tight), {}, "HR202") == [removed, added(["-XX:ActiveProcessorCount=1"])]

	# One processor is too few for a heap of a server.
	changes(one({}, java(concat(" ", [threads, "-Xmx1793m"]), "2500Mi", "1")), {}, "HR202") == []
}

test_no_limit_goes_for_a_class_that_is_not_allowed if {
	namespace := {"namespaces": [{"metadata": {"annotations": {"headroom.dev/allowed-classes": "multi-tenant"}}}]}
	changes(one(ruby, {"resources": resources("1", "2", "1Gi", "1Gi")}), namespace, "HR202") == []
}

# What was measured shows what the limit would cut off.
test_no_limit_below_a_measured_peak if {
	peak := object.union(batch, {"cpu-peak.headroom.dev/app": "4"})
	changes(one(peak, {"resources": resources("1", "4", "1Gi", "1Gi")}), {}, "HR204") == []
	changes(one(peak, {"resources": {"requests": {"cpu": "1"}}}), {}, "HR204") == []
	changes(one(peak, {"resources": resources("1", "1", "1Gi", "1Gi")}), {}, "HR204") == [limit("2")]
	changes(one(batch, {"resources": resources("1", "4", "1Gi", "1Gi")}), {}, "HR204") == [limit("2")]

	# Without a measured peak it could be anything above the average.
	unknown := object.remove(batch, ["cpu-peak.headroom.dev/app"])
	changes(one(unknown, {"resources": resources("1", "4", "1Gi", "1Gi")}), {}, "HR204") == []
	changes(one(unknown, {"resources": {"requests": {"cpu": "1"}}}), {}, "HR204") == []
	changes(one(unknown, {"resources": resources("1", "1", "1Gi", "1Gi")}), {}, "HR204") == [limit("2")]
}

# A quota counts the Pod's own request, and what its sandbox takes.
test_a_quota_counts_the_pod_as_a_whole if {
	whole := {"containers": [{"name": "app"}], "resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "4Gi"}}}
	changes(pod({}, whole), quota({"requests.memory": "3Gi"}, {}), "HR302") == []
	count(changes(pod({}, whole), quota({"requests.memory": "4Gi"}, {}), "HR302")) == 1
	in_sandbox := {
		"containers": [{"name": "app", "resources": resources("1", "0", "1Gi", "2Gi")}],
		"overhead": {"memory": "512Mi"},
	}
	changes(pod({}, in_sandbox), quota({"memory": "2Gi"}, {}), "HR302") == []
	count(changes(pod({}, in_sandbox), quota({"memory": "2560Mi"}, {}), "HR302")) == 1
}

# With a request it would come under a quota that wants a memory limit too.
test_a_pod_without_resources_stays_out_of_a_quota if {
	measured := {"headroom.dev/cpu-average": "1"}
	every scopes in [
		{"scopes": ["NotBestEffort"]},
		{"scopeSelector": {"matchExpressions": [{"scopeName": "NotBestEffort", "operator": "Exists"}]}},
	] {
		context := {"resource_quotas": [{"spec": object.union({"hard": {"limits.memory": "20Gi"}}, scopes)}]}
		changes(one(measured, {}), context, "HR201") == []
		limited := {"resources": {"limits": {"memory": "1Gi"}}}
		count(changes(one(measured, limited), context, "HR201")) == 1
	}
}

# Over twice the request the limit comes down first, which is for somebody to do who has measured.
test_a_request_is_raised_to_twice_at_most if {
	count(changes(one({}, {"resources": resources("1", "1", "1Gi", "2Gi")}), {}, "HR302")) == 1
	changes(one({}, {"resources": resources("1", "1", "1Gi", "2049Mi")}), {}, "HR302") == []
	whole := {"containers": [{"name": "app"}], "resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "4Gi"}}}
	changes(pod({}, whole), {}, "HR302") == []
}

# A JVM that is only assumed gets no flags.
test_no_processors_for_a_guess if {
	j := {"c": {"id": 0}, "container": "app"}
	fix.processors(j, "-XX:ActiveProcessorCount=2") == [] with data.headroom.runtime.jvm.may_inject as false
		with fix.limit_changes as false
}

# A pair that would make something else wrong is no fix.
test_no_pair_that_does_harm if {
	j := {"c": {"id": 0, "cpu_limit": 0}, "container": "app"}
	pair := fix.pair(j) with data.headroom.cpu.average as [{"milli": 1000}]
		with data.headroom.runtime.jvm.pair_may_be_injected as true
		with data.headroom.runtime.jvm.thread_room as {}
		with data.headroom.runtime.jvm.pair as []
		with fix.limit_changes as false
		with fix.worsens as true
	pair == []
}
