package headroom.rules.cpu["limit-below-request_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["limit-below-request"] as rule

review(spec, context) := reviews.of_pod({}, spec, context)

report(requests, limits) := found if {
	resources := {"requests": requests, "limits": limits}
	found := rule.report with input as review({"containers": [{"name": "app", "resources": resources}]}, {})
}

at(resource) := ["spec", "containers", 0, "resources", "limits", resource]

test_cpu if {
	some f in report({"cpu": "2"}, {"cpu": "1500m"})
	f.container == "app"
	f.path == at("cpu")
	f.message == "limits.cpu is 1500m, below requests.cpu, 2: the API server refuses the Pod."
	f.expected == "limits.cpu of at least 2, or a lower request"
	f.figures == {"limit_millicores": 1500, "request_millicores": 2000}
}

test_memory if {
	some f in report({"memory": "2Gi"}, {"memory": "1Gi"})
	f.path == at("memory")
	f.message == "limits.memory is 1Gi, below requests.memory, 2Gi: the API server refuses the Pod."
	f.figures == {"limit_bytes": 1073741824, "request_bytes": 2147483648}
}

test_any_other_resource if {
	storage := report({"ephemeral-storage": "2Gi"}, {"ephemeral-storage": "1G"})
	{f.figures | some f in storage} == {{"limit_bytes": 1000000000, "request_bytes": 2147483648}}
	{f.path | some f in storage} == {at("ephemeral-storage")}
	pages := report({"hugepages-2Mi": "8Mi"}, {"hugepages-2Mi": "4Mi"})
	{f.figures | some f in pages} == {{"limit_bytes": 4194304, "request_bytes": 8388608}}
	devices := report({"nvidia.com/gpu": 2}, {"nvidia.com/gpu": 1})
	{f.figures | some f in devices} == {{"limit_count": 1, "request_count": 2}}
	{f.message | some f in devices} == {concat(" ", [
		"limits.nvidia.com/gpu is 1, below requests.nvidia.com/gpu, 2:",
		"the API server refuses the Pod.",
	])}
}

test_all_of_them if {
	count(report(
		{"cpu": "2", "memory": "2Gi", "ephemeral-storage": "2Gi"},
		{"cpu": "1", "memory": "1Gi", "ephemeral-storage": "1Gi"},
	)) == 3
}

test_equal_and_above if {
	count(report(
		{"cpu": "1", "memory": "1Gi", "ephemeral-storage": "1Gi"},
		{"cpu": "1000m", "memory": "1024Mi", "ephemeral-storage": "2Gi"},
	)) == 0
}

test_no_limit_or_no_request if {
	count(report({"cpu": "2", "memory": "1Gi", "ephemeral-storage": "1Gi"}, {})) == 0
	count(report({}, {"cpu": "2", "memory": "1Gi", "ephemeral-storage": "1Gi"})) == 0
}

test_zero_that_is_written_is_a_limit if {
	some f in report({"cpu": "100m"}, {"cpu": "0"})
	endswith(f.message, "A limit of 0 is not the same as none: for no limit, leave it out.")
	count(report({}, {"cpu": "0"})) == 0
}

test_values_that_cannot_be_read if {
	count(report(
		{"cpu": "2", "memory": "2Gi", "ephemeral-storage": "2Gi", "x.y/z": [1]},
		{"cpu": "?", "memory": "?", "ephemeral-storage": "?", "x.y/z": {}},
	)) == 0
	count(report({"cpu": "?", "ephemeral-storage": "?"}, {"cpu": "1", "ephemeral-storage": "1"})) == 0
	count(report({"cpu": "1", "ephemeral-storage": "1Gi"}, {"cpu": "-1", "ephemeral-storage": "-1"})) == 0
}

test_resources_of_another_shape if {
	found := rule.report with input as review(
		{"containers": [{"name": "app", "resources": "none"}, {"name": "b", "resources": {"requests": [1]}}]},
		{},
	)
	count(found) == 0
}

test_init_containers_too if {
	spec := {"containers": [], "initContainers": [{"name": "i", "resources": {
		"requests": {"cpu": "2"},
		"limits": {"cpu": "1"},
	}}]}
	some f in rule.report with input as review(spec, {})
	f.path == ["spec", "initContainers", 0, "resources", "limits", "cpu"]
}

test_a_default_of_the_namespace if {
	range := {"spec": {"limits": [{"type": "Container", "default": {"cpu": "500m"}}]}}
	spec := {"containers": [{"name": "app", "resources": {"requests": {"cpu": "2"}}}]}
	some f in rule.report with input as review(spec, {"limit_ranges": [range]})
	f.path == at("cpu")
	f.message == concat(" ", [
		"limits.cpu is 500m, below requests.cpu, 2: the namespace's LimitRange sets the limit,",
		"and the API server refuses every Pod of this template.",
	])
	f.expected == "a LimitRange that gives it limits.cpu of 2 or more, or a lower request"
}

test_the_pods_own if {
	resources := {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}
	found := rule.report with input as review({"containers": [{"name": "app"}], "resources": resources}, {})
	count(found) == 1
	some f in found
	f.container == ""
	f.path == ["spec", "resources", "limits", "cpu"]
	f.message == concat(" ", [
		"limits.cpu is 1, below requests.cpu, 2:",
		"the limit is the whole Pod's, and the API server refuses the Pod.",
	])
	f.expected == "limits.cpu of at least 2 for the Pod, or a lower request"
}

test_the_pods_limit_below_a_containers_request if {
	spec := {
		"containers": [{"name": "app", "resources": {"requests": {"cpu": "2"}}}],
		"resources": {"limits": {"cpu": "1"}},
	}
	some f in rule.report with input as review(spec, {})
	f.container == "app"
	f.path == ["spec", "resources", "limits", "cpu"]
}
