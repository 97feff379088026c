package headroom.workload_test

import data.headroom.reviews_test as reviews
import data.headroom.workload

_filling := {"limit_ranges": [{"spec": {"limits": [{
	"type": "Container",
	"default": {"cpu": "500m", "memory": "1Gi"},
	"defaultRequest": {"cpu": "250m"},
}]}}]}

_admitted_pod(words, kind) := reviews.of_object(
	{
		"apiVersion": "v1",
		"kind": kind,
		"metadata": {"name": "a", "annotations": {"kubernetes.io/limit-ranger": words}},
		"spec": {
			"containers": [{"name": "app", "resources": {
				"requests": {"cpu": "250m", "memory": "2Gi"},
				"limits": {"cpu": "500m", "memory": "2Gi"},
			}}],
			"initContainers": [{"name": "init", "resources": {"limits": {"cpu": "500m"}}}],
		},
	},
	_filling,
)

# What LimitRanger has put into a Pod counts as it does in the workload, which does not show it.
test_what_limit_ranger_has_filled_in if {
	words := concat("", [
		"LimitRanger plugin set: cpu request for container app; ",
		"cpu, memory limit for container app; cpu limit for init container init",
	])
	[app, init] := workload.containers with input as _admitted_pod(words, "Pod")
	[app.cpu_limit, app.cpu_limit_source] == [500, "limit-range"]
	[app.cpu_request, app.cpu_request_source] == [250, "limit-range"]

	# Not the LimitRange's value: it was changed later.
	[app.memory_limit, app.memory_limit_source] == [2147483648, "container"]
	init.cpu_limit_source == "limit-range"
}

test_what_a_container_says_itself if {
	[app, _] := workload.containers with input as _admitted_pod("LimitRanger plugin set: nonsense", "Pod")
	app.cpu_limit_source == "container"
}

_owned(kind, own, owners) := reviews.of_object(
	{"apiVersion": "v1", "kind": kind, "metadata": {"annotations": own}, "spec": {"containers": []}},
	{"owners": owners},
)

# The one that it goes back to counts, and what stands on the Pod itself wins.
test_a_pod_takes_the_annotations_of_its_workload if {
	owners := [
		{"kind": "ReplicaSet", "annotations": {"a": "replica set", "c": "replica set"}},
		{"kind": "Deployment", "annotations": {"a": "deployment", "b": "deployment"}},
	]
	workload.annotations == {"a": "deployment", "b": "pod"} with input as _owned("Pod", {"b": "pod"}, owners)
}
