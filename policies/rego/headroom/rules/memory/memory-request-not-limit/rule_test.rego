package headroom.rules.memory["memory-request-not-limit_test"]

import data.headroom.nodes
import data.headroom.reviews_test as reviews
import data.headroom.rules.memory["memory-request-not-limit"] as rule

pod(request, limit) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"spec": {"containers": [{
		"name": "app",
		"resources": {"requests": {"memory": request}, "limits": {"memory": limit}},
	}]},
}

report(request, limit) := found if {
	found := rule.report with input as pod(request, limit)
}

test_request_below_limit if {
	found := report("128Mi", "256Mi")
	count(found) == 1
	some f in found
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "requests", "memory"]
	contains(f.message, "requests.memory is 128Mi, limits.memory is 256Mi: 128Mi not reserved on the node.")
	startswith(f.why, "When the node runs out of memory")
	f.expected == "requests.memory: 256Mi (+128Mi a Pod)"
	f.figures == {
		"request_bytes": 134217728, "limit_bytes": 268435456,
		"pod_request_bytes": 134217728, "pod_request_after_bytes": 268435456, "more_bytes": 134217728,
	}
	count(f.fix) > 0
}

raised := "requests.memory: 1Gi (+512Mi a Pod)"

measure := "headroom annotate measures it: memory-peak.headroom.dev/app"

# Over twice the request is seldom used, and so large a request may leave the Pod without a node.
test_far_below_the_limit if {
	some near in report("512Mi", "1Gi")
	near.expected == raised
	count(near.fix) == 1
	some f in report("511Mi", "1Gi")
	f.expected == concat("", [
		"limits.memory near its measured peak (", measure,
		"), or requests.memory: 1Gi (+513Mi a Pod)",
	])
	f.fix == []
}

far(annotations, container) := f if {
	some f in rule.report with input as {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"annotations": annotations},
		"spec": {"containers": [object.union(container, {"name": "app"})]},
	}
}

test_far_below_the_limit_with_a_peak if {
	wide := {"resources": {"requests": {"memory": "100Mi"}, "limits": {"memory": "7Gi"}}}
	far({"memory-peak.headroom.dev/app": "800Mi"}, wide).expected == concat("", [
		"requests.memory and limits.memory: 1000Mi, with room for its measured peak",
	])
	far({"memory-peak.headroom.dev/app": "7Gi"}, wide).expected == "requests.memory: 7Gi (+7068Mi a Pod)"

	# Its heap would shrink with the limit.
	share := object.union(wide, {"command": ["java", "-XX:MaxRAMPercentage=50.0", "-jar", "a.jar"]})
	far({"memory-peak.headroom.dev/app": "800Mi"}, share).expected == "requests.memory: 7Gi (+7068Mi a Pod)"
}

test_pod_level_far_below_the_limit if {
	found := rule.report with input as pod_level({"requests": {"memory": "1Gi"}, "limits": {"memory": "4Gi"}}, two)
	some f in found
	f.expected == "limits.memory of the Pod near its measured peak, or requests.memory: 4Gi (+3Gi a Pod)"
	f.fix == []
}

# What counts is what all Pods together lack.
test_the_worst_is_that_of_most_pods if {
	template := {"spec": {"containers": pod("512Mi", "1Gi").spec.containers}}
	found := rule.report with input as {
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"},
		"spec": {"replicas": 3, "template": template},
	}
	{f.size | some f in found} == {1536}
}

test_one_byte_below if {
	some f in report("1073741823", "1Gi")
	contains(f.message, "requests.memory is 1073741823, limits.memory is 1Gi: 1 byte not reserved")
}

test_units_of_ten_and_of_two if {
	some f in report("1G", "1Gi")
	contains(f.message, "limits.memory is 1Gi: about 70Mi not reserved")
}

# A request that has lost its unit is HR306's alone.
test_a_request_without_a_unit if {
	every request, findings in {"1": 0, "512m": 0, "128": 0, "1Mi": 1} {
		count(report(request, "1Gi")) == findings
	}
}

test_only_the_container_whose_request_is_below if {
	apps := [{"name": name, "resources": {"requests": {"memory": request}, "limits": {"memory": "1Gi"}}} |
		some name, request in {"a": "1Gi", "b": "512Mi", "c": "2Gi"}
	]
	found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": apps}}
	{f.container | some f in found} == {"b"}
}

test_equal if count(report("1Gi", "1Gi")) == 0

test_equal_in_other_units if count(report("1048576Ki", "1Gi")) == 0

test_above_the_limit_is_another_rule if count(report("2Gi", "1Gi")) == 0

test_missing_is_another_rule if count(report("0", "1Gi")) == 0

test_unreadable_is_another_rule if {
	count(report("1GB", "1Gi")) == 0
	count(report("1Gi", "1GB")) == 0
}

test_request_defaults_to_the_limit if {
	found := rule.report with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app", "resources": {"limits": {"memory": "1Gi"}}}]},
	}
	count(found) == 0
}

test_limit_of_a_limit_range if {
	found := rule.report with input as reviews.of_pod(
		{},
		{"containers": [{"name": "app", "resources": {"requests": {"memory": "256Mi"}}}]},
		{"limit_ranges": [{"spec": {"limits": [{"type": "Container", "default": {"memory": "1Gi"}}]}}]},
	)
	some f in found
	contains(f.message, "requests.memory is 256Mi, the LimitRange's default limit is 1Gi")
}

pod_level(resources, containers) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"spec": {"resources": resources, "containers": containers},
}

two := [{"name": "a", "resources": {"requests": {"memory": "256Mi"}}}, {"name": "b"}]

test_pod_level_request_below_limit if {
	found := rule.report with input as pod_level({"requests": {"memory": "1Gi"}, "limits": {"memory": "2Gi"}}, two)
	count(found) == 1
	some f in found
	f.container == ""
	f.path == ["spec", "resources", "requests", "memory"]
	contains(f.message, "requests.memory is 1Gi, the Pod's limits.memory is 2Gi")
}

test_pod_level_equal if {
	found := rule.report with input as pod_level({"requests": {"memory": "2Gi"}, "limits": {"memory": "2Gi"}}, two)
	count(found) == 0
}

test_pod_level_beside_limits_of_all_containers if {
	own := [{"name": "a", "resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}}]
	found := rule.report with input as pod_level({"requests": {"memory": "1Gi"}, "limits": {"memory": "2Gi"}}, own)
	count(found) == 0
}

test_pod_level_requests if {
	every request, findings in {"1Gi": 1, "0": 0, "lots": 0, "-1": 0, "2Gi": 0, "3Gi": 0} {
		found := rule.report with input as pod_level({"requests": {"memory": request}, "limits": {"memory": "2Gi"}}, two)
		count(found) == findings
	}
}

# 0.1Gi is 107374182.4 bytes; the API server refuses a request of 107374183.
test_a_limit_of_part_of_a_byte_is_asked_for_as_it_is_written if {
	every limit, value in {"0.1Gi": "0.1Gi", "1Gi": "1Gi", "1024Mi": "1Gi"} {
		some f in report({true: "52Mi", false: "512Mi"}[startswith(limit, "0")], limit)
		f.fix[0].value == value
	}
	some f in report("64Mi", 107374182.4)
	f.fix[0].value == "107374182.4"
	some of_pod in rule.report with input as pod_level(
		{"requests": {"memory": "160Mi"}, "limits": {"memory": "0.3Gi"}},
		[{"name": "a"}],
	)
	of_pod.fix[0].value == "0.3Gi"
}

# A limit that has lost its unit is HR306's: a request of as much would reserve nothing.
test_limit_without_a_unit if {
	count(report("128", "256")) == 0
	count(report("64", "512m")) == 0
	count(report("3Mi", "4Mi")) == 1
}

test_resources_of_the_pod_without_a_unit if {
	every sizes, findings in {["128", "256"]: 0, ["128", "256Mi"]: 0, ["128Mi", "256Mi"]: 1} {
		of_pod := {"requests": {"memory": sizes[0]}, "limits": {"memory": sizes[1]}}
		spec := {"resources": of_pod, "containers": [{"name": "app"}]}
		found := rule.report with input as {"apiVersion": "v1", "kind": "Pod", "spec": spec}
		count(found) == findings
	}
}

# A request that no node has leaves the Pod Pending: the limit comes down.
test_a_limit_that_no_node_has if {
	largest := {"cpu": 0, "memory": 17179869184}
	every spec in [pod("14Gi", "20Gi"), pod_level({"requests": {"memory": "14Gi"}, "limits": {"memory": "20Gi"}}, two)] {
		some f in rule.report with input as spec with nodes.declared as largest
		startswith(f.expected, "limits.memory ")
		not contains(f.expected, "requests.memory")
	}
	some f in rule.report with input as pod("14Gi", "15Gi") with nodes.declared as largest
	f.expected == "requests.memory: 15Gi (+1Gi a Pod)"
}
