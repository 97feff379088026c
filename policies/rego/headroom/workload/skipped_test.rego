package headroom.workload_test

import data.headroom.workload

_skipping(more) := object.union(
	{
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"name": "a"},
		"spec": {"containers": [{"name": "app"}]},
	},
	more,
)

_mirror := _skipping({"metadata": {
	"annotations": {"kubernetes.io/config.mirror": "0d1e"},
	"ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "a", "uid": "1", "controller": true}],
}})

test_a_mirror_pod_is_skipped if {
	workload.containers == [] with input as _mirror
	workload.skipped == {{
		"what": "containers",
		"reason": "a mirror Pod: its node's manifest decides, not the API server",
	}} with input as _mirror
}

# The annotation alone makes none: on a workload, on a template, on a Pod that no node owns.
test_what_is_no_mirror_pod_is_judged if {
	owner := _mirror.metadata.ownerReferences[0]
	template := {"metadata": _mirror.metadata, "spec": _mirror.spec}
	every given in [
		json.remove(_mirror, ["/metadata/ownerReferences"]),
		json.remove(_mirror, ["/metadata/annotations"]),
		json.patch(_mirror, [{"op": "replace", "path": "/metadata/ownerReferences/0/kind", "value": "ReplicaSet"}]),
		json.patch(_mirror, [{"op": "replace", "path": "/metadata/ownerReferences/0/apiVersion", "value": "a/v1"}]),
		json.patch(_mirror, [{"op": "remove", "path": "/metadata/ownerReferences/0/controller"}]),
		json.patch(_mirror, [{"op": "add", "path": "/metadata/ownerReferences/0", "value": object.union(
			owner,
			{"kind": "Job", "apiVersion": "batch/v1"},
		)}]),
		{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": _mirror.metadata, "spec": {"template": template}},
		{"apiVersion": "batch/v1", "kind": "Job", "metadata": _mirror.metadata, "spec": {"template": template}},
		{
			"apiVersion": "batch/v1",
			"kind": "CronJob",
			"metadata": _mirror.metadata,
			"spec": {"jobTemplate": {"metadata": _mirror.metadata, "spec": {"template": template}}},
		},
	] {
		count(workload.containers) == 1 with input as given
		workload.skipped == set() with input as given
	}
}

_control_plane := _skipping({
	"metadata": {"namespace": "kube-system", "labels": {"component": "kube-apiserver", "tier": "control-plane"}},
	"spec": {"hostNetwork": true},
})

test_a_pod_of_the_control_plane_is_skipped if {
	workload.containers == [] with input as _control_plane
	some skip in workload.skipped with input as _control_plane
	startswith(skip.reason, "a Pod of the control plane")
}

# A namespace of a user, and what only looks like it, is judged.
test_what_is_no_control_plane_is_judged if {
	every path, value in {
		"/metadata/namespace": "shop",
		"/metadata/labels/tier": "web",
		"/metadata/labels": {},
		"/spec/hostNetwork": false,
	} {
		given := json.patch(_control_plane, [{"op": "replace", "path": path, "value": value}])
		count(workload.containers) == 1 with input as given
	}
}

test_a_windows_pod_is_skipped if {
	every spec in [
		{"os": {"name": "windows"}},
		{"nodeSelector": {"kubernetes.io/os": "windows"}},
		{"nodeSelector": {"beta.kubernetes.io/os": "windows"}},
	] {
		pod := _skipping({"spec": spec})
		workload.containers == [] with input as pod
		some skip in workload.skipped with input as pod
		startswith(skip.reason, "a Windows Pod")
	}
}

# Only what the kubelet reads says what runs there.
test_what_is_no_windows_pod_is_judged if {
	every given in [
		_skipping({"spec": {"nodeSelector": {"kubernetes.io/os": "linux", "os": "windows"}}}),
		_skipping({"spec": {"nodeSelector": {"kubernetes.io/os": "Windows"}}}),
		_skipping({"spec": {"os": {"name": "Windows"}}}),
		_skipping({"spec": {"os": "windows"}}),
		_skipping({"os": {"name": "windows"}}),
		_skipping({"metadata": {"labels": {"kubernetes.io/os": "windows"}, "annotations": {"os": "windows"}}}),
		{
			"apiVersion": "apps/v1",
			"kind": "Deployment",
			"spec": {"os": {"name": "windows"}, "template": {"spec": {"containers": [{"name": "app"}]}}},
		},
	] {
		count(workload.containers) == 1 with input as given
		workload.skipped == set() with input as given
	}
}

test_a_linux_pod_is_not_skipped if {
	pod := _skipping({"spec": {"os": {"name": "linux"}, "nodeSelector": {"kubernetes.io/os": "linux"}}})
	count(workload.containers) == 1 with input as pod
	workload.skipped == set() with input as pod
	not workload.skip_reason with input as pod
}

test_ephemeral_containers_are_said_to_be_skipped if {
	pod := _skipping({"spec": {"ephemeralContainers": [{"name": "debug"}, {"name": 5}, "text", null]}})
	count(workload.containers) == 1 with input as pod
	{skip.what | some skip in workload.skipped} == {
		"ephemeral container debug",
		"ephemeral container ",
	} with input as pod
}

# A pod template has none: the API server refuses them.
test_ephemeral_containers_of_a_template if {
	spec := {"containers": [{"name": "app"}], "ephemeralContainers": [{"name": "debug"}]}
	deployment := {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": {"spec": spec}}}
	workload.skipped == set() with input as deployment
	count(workload.containers) == 1 with input as deployment
}

test_a_workload_without_containers_is_said_to_be_skipped if {
	every spec in [{"replicas": 3}, {"template": {}}, {"template": {"spec": {"initContainers": []}}}] {
		workload.skipped == {{
			"what": "containers",
			"reason": "there is nothing at spec.template.spec.containers: a patch, or a part of an object",
		}} with input as {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
	}
	every spec in [null, "a", {"template": null}] {
		workload.skipped == set() with input as {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
	}
	every containers in [null, {}, [], [{"name": "a"}]] {
		workload.skipped == set() with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": containers}}
	}
	workload.skipped == set() with input as {"apiVersion": "v1", "kind": "Service", "spec": {}}
}
