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

_mirror := _skipping({"metadata": {"annotations": {"kubernetes.io/config.mirror": "0d1e"}}})

test_a_mirror_pod_is_skipped if {
	workload.containers == [] with input as _mirror
	workload.skipped == {{
		"what": "containers",
		"reason": "a mirror Pod: its node's manifest decides, not the API server",
	}} with input as _mirror
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

test_a_workload_without_containers_is_said_to_be_skipped if {
	every spec in [{"replicas": 3}, {"template": {}}, {"template": {"spec": {"initContainers": []}}}, null, "a"] {
		workload.skipped == {{
			"what": "containers",
			"reason": "there is nothing at spec.template.spec.containers: a patch, or a part of an object",
		}} with input as {"apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
	}
	every containers in [null, {}, [], [{"name": "a"}]] {
		workload.skipped == set() with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": containers}}
	}
	workload.skipped == set() with input as {"apiVersion": "v1", "kind": "Service", "spec": {}}
}
