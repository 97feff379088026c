package headroom.rules.memory["memory-missing_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.memory["memory-missing"] as rule

container(resources) := {"name": "app", "resources": resources}

pod(containers) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "p"},
	"spec": {"containers": containers},
}

report(resources) := found if {
	found := rule.report with input as pod([container(resources)])
}

test_neither if {
	found := report({"requests": {"cpu": "1"}, "limits": {"cpu": "1"}})
	count(found) == 1
	some f in found
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	f.message == "Neither requests.memory nor limits.memory is set."
	startswith(f.why, "Nothing is reserved on the node")
	contains(f.why, "A leak takes the node's memory")
	f.harm == "evicted"
	f.figures == {"request_bytes": 0, "limit_bytes": 0}
}

test_no_resources_at_all if {
	found := rule.report with input as pod([{"name": "a"}, {"name": "b", "resources": null}])
	{[f.container, f.message, f.harm] | some f in found} == {
		["a", "Neither requests nor limits are set.", "evicted"],
		["b", "Neither requests nor limits are set.", "evicted"],
	}
}

test_no_limit if {
	found := report({"requests": {"memory": "1Gi"}})
	count(found) == 1
	some f in found
	f.path == ["spec", "containers", 0, "resources", "limits", "memory"]
	f.message == "limits.memory is not set."
	startswith(f.why, "A leak takes the node's memory")
	f.harm == "neighbours"
	f.figures.request_bytes == 1073741824
}

# A JVM that takes a share of its limit takes that share of the node without one.
test_a_share_of_the_node if {
	share := concat("", [
		"Its heap may take 80.0 % of the node's memory (-XX:MaxRAMPercentage, JAVA_TOOL_OPTIONS), ",
		"and neighbours are OOMKilled too.",
	])
	leak := "A leak takes the node's memory, and neighbours are OOMKilled too."
	every flags, told in {
		"-XX:MaxRAMPercentage=80.0": share,
		"-XX:MaxRAMPercentage=80.0 -Xmx1g": leak,
		"-XX:MaxRAMPercentage=80.0 -XX:MaxRAM=2g": leak,
		"-XX:MaxRAMPercentage=$HIDDEN": leak,
		"-XX:+UseG1GC": leak,
	} {
		jvm := {"env": [{"name": "JAVA_TOOL_OPTIONS", "value": flags}]}
		found := rule.report with input as pod([object.union(container({"requests": {"memory": "1Gi"}}), jvm)])
		[told] == [f.why | some f in found]
	}
}

test_zero_request if {
	found := report({"requests": {"memory": "0"}, "limits": {"memory": "1Gi"}})
	count(found) == 1
	some f in found
	f.path == ["spec", "containers", 0, "resources", "requests", "memory"]
	startswith(f.message, "requests.memory is 0")
	f.harm == "evicted"
	startswith(f.why, "Nothing is reserved on the node")
}

test_both if count(report({"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}})) == 0

test_request_defaults_to_the_limit if count(report({"limits": {"memory": "1Gi"}})) == 0

test_unreadable_is_not_missing if {
	count(report({"requests": {"memory": "1GB"}, "limits": {"memory": "1GB"}})) == 0
}

test_native_sidecars_and_no_init_containers if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {
			"containers": [container({"limits": {"memory": "1Gi"}})],
			"initContainers": [{"name": "init"}, {"name": "proxy", "restartPolicy": "Always"}],
		},
	}
	{f.container | some f in found} == {"proxy"}
}

# wants is what a container should have, with what is known of it.
wants(annotations, c) := f.expected if {
	metadata := {"metadata": {"name": "p", "annotations": annotations}}
	manifest := object.union(pod([object.union({"name": "app"}, c)]), metadata)
	[f] := [f | some f in rule.report] with input as manifest
}

asked_cpu := {"resources": {"requests": {"cpu": "1"}}}

asked(memory) := {"resources": {"requests": {"memory": memory}}}

test_a_number_where_one_is_known if {
	peak := {"memory-peak.headroom.dev/app": "900Mi"}
	wants(peak, asked_cpu) == "requests.memory and limits.memory: 1125Mi, its measured peak / 0.8"
	wants(peak, asked("1Gi")) == "requests.memory and limits.memory: 1125Mi, its measured peak / 0.8"
	wants(peak, asked("2Gi")) == "requests.memory and limits.memory: 2Gi, what it has of one of them"
	caps := ["-XX:MaxDirectMemorySize=64m", "-XX:ReservedCodeCacheSize=64m", "-XX:MaxMetaspaceSize=64m", "-Xss256k"]
	java := {"resources": {"requests": {"cpu": "1"}}, "command": array.concat(["java", "-Xmx2g"], caps)}
	some_number := wants({}, java)
	regex.match(`^requests.memory and limits.memory: [0-9]+[MG]i, the least for its heap of 2048 MiB`, some_number)
	guessed := {"resources": {"requests": {"cpu": "1"}}, "command": ["java", "-Xmx1g", "-jar", "a.jar"]}
	startswith(wants({}, guessed), "requests.memory = limits.memory: the measured peak and a quarter")
	larger := wants({"memory-peak.headroom.dev/app": "8Gi"}, java)
	larger == "requests.memory and limits.memory: 10Gi, its measured peak / 0.8"
}

# The peak was measured without a limit; with one, such a heap has another size.
test_a_peak_beside_a_heap_that_is_a_share if {
	peak := {"memory-peak.headroom.dev/app": "800Mi"}
	share := object.union(asked_cpu, {"command": ["java", "-XX:MaxRAMPercentage=85", "-jar", "a.jar"]})
	wants(peak, share) == concat("", [
		"requests.memory and limits.memory: 1000Mi, its measured peak / 0.8; ",
		"its heap is 85 % of that: HR303 tells whether the rest fits",
	])
	sized := object.union(asked_cpu, {"command": ["java", "-XX:MaxRAMPercentage=85", "-Xmx256m", "-jar", "a.jar"]})
	wants(peak, sized) == "requests.memory and limits.memory: 1000Mi, its measured peak / 0.8"
}

# A heap that is a share of the limit, or an unknown one, says nothing of what the program needs.
test_no_number_for_a_heap_that_follows_the_limit if {
	every c in [
		{"command": ["java", "-XX:MaxRAMPercentage=70.0", "-jar", "a.jar"]},
		{"command": ["java", "-jar", "a.jar"]},
		{"image": "confluentinc/cp-enterprise-control-center:6.1.0"},
		{"image": "quay.io/infinispan/server:15.0", "resources": {"limits": {"memory": "1Gi"}, "requests": {"memory": "0"}}},
		{"env": [{"name": "SPRING_PROFILES_ACTIVE", "value": "prod"}]},
	] {
		startswith(wants({}, c), "requests.memory = limits.memory: the measured peak and a quarter")
	}
}

test_no_number_where_nobody_knows if {
	memory := concat("", [
		"requests.memory = limits.memory: the measured peak and a quarter ",
		"(headroom annotate measures it: memory-peak.headroom.dev/app)",
	])
	wants({}, asked_cpu) == memory
	wants({}, {}) == concat("", [memory, "; requests.cpu at its average CPU use"])
	startswith(
		wants({"cpu-average.headroom.dev/app": "250m"}, {}),
		concat("", [memory, "; requests.cpu: 250m; its average use is 250m"]),
	)
	contains(wants({}, {"resources": {"requests": {"memory": "1Gi"}}}), "and a quarter, and no less than 1Gi (headroom")
}

test_the_pod_may_say_it if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"resources": {"limits": {"memory": "1Gi"}}, "containers": [{"name": "app"}]},
	}
	count(found) == 0
}

test_a_limit_range_may_say_it if {
	found := rule.report with input as reviews.of_object(
		pod([{"name": "app"}]),
		{"limit_ranges": [{"spec": {"limits": [{"type": "Container", "default": {"memory": "1Gi"}}]}}]},
	)
	count(found) == 0
}

in_namespace(hard, spec) := {[f.container, f.message, f.why, f.harm] | some f in found} if {
	found := rule.report with input as reviews.of_pod(
		{},
		spec,
		{"resource_quotas": [{"metadata": {"name": "team"}, "spec": {"hard": hard}}]},
	)
}

limited := {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}

refused(what) := sprintf(
	"ResourceQuota team in this namespace has %s: it refuses every Pod with such a container.",
	[what],
)

test_a_quota_refuses_the_pod if {
	in_namespace({"limits.memory": "20Gi"}, {"containers": [container({"requests": {"memory": "1Gi"}})]}) == {
		["app", "limits.memory is not set.", refused("limits.memory: 20Gi"), "start"],
	}
	every resource in ["requests.memory", "memory", "limits.memory"] {
		in_namespace({resource: "20Gi"}, {"containers": [container({})]}) == {
			["app", "Neither requests nor limits are set.", refused(sprintf("%s: 20Gi", [resource])), "start"],
		}
	}
	wait := object.union(container({"requests": {"memory": "1Gi"}}), {"name": "wait"})
	in_namespace({"limits.memory": "20Gi"}, {"containers": [container(limited)], "initContainers": [wait]}) == {
		["wait", "limits.memory is not set.", refused("limits.memory: 20Gi"), "start"],
	}
}

test_a_quota_that_refuses_nothing if {
	every case in [
		[{"limits.memory": "20Gi"}, {"containers": [container(limited)]}],
		[{"limits.cpu": "20"}, {"containers": [container(limited)], "initContainers": [container({})]}],
		[{"requests.memory": "20Gi"}, {"containers": [container(limited)]}],
		[{"limits.memory": "20Gi"}, {
			"resources": limited,
			"containers": [container({})],
			"initContainers": [object.union(container({}), {"name": "wait"})],
		}],
	] {
		in_namespace(case[0], case[1]) == set()
	}
	zero := {"containers": [container({"requests": {"memory": "0"}, "limits": {"memory": "0"}})]}
	every told in in_namespace({"limits.memory": "20Gi"}, zero) {
		told[3] != "start"
	}
	asked := {"containers": [container({"requests": {"memory": "1Gi"}})]}
	every told in in_namespace({"requests.memory": "20Gi"}, asked) {
		told[3] == "neighbours"
	}
}

# A LimitRange fills in what is empty before quotas are asked.
test_a_limit_range_beside_a_quota if {
	every case in [
		["requests.memory", {"defaultRequest": {"memory": "256Mi"}}, {["app", "neighbours"]}],
		["limits.memory", {"defaultRequest": {"memory": "256Mi"}}, {["app", "start"], ["wait", "start"]}],
		["limits.memory", {"default": {"memory": "256Mi"}}, set()],
		["memory", {"default": {"cpu": "1"}}, {["app", "start"], ["wait", "start"]}],
	] {
		[resource, item, want] := case
		wait := object.union(container({}), {"name": "wait"})
		found := rule.report with input as reviews.of_pod(
			{},
			{
				"containers": [container({})],
				"initContainers": [wait],
			},
			{
				"resource_quotas": [{"metadata": {"name": "team"}, "spec": {"hard": {resource: "20Gi"}}}],
				"limit_ranges": [{"spec": {"limits": [object.union({"type": "Container"}, item)]}}],
			},
		)
		{[f.container, f.harm] | some f in found} == want
	}
}
