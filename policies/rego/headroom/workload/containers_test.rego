package headroom.workload_test

import data.headroom.reviews_test as reviews
import data.headroom.workload

# _effective are the effective values of the first container, as [value, source].
_effective(pod_spec, context) := {name: [c[name], c[concat("", [name, "_source"])]] |
	some name in ["cpu_request", "cpu_limit", "memory_request", "memory_limit"]
} if {
	c := workload.containers[0] with input as reviews.of_pod({}, pod_spec, context)
}

_with(resources) := {"containers": [{"name": "app", "resources": resources}]}

_none := [0, ""]

_gi := 1073741824

test_a_container_record if {
	pod := {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": {"spec": {
		"containers": [{"name": "app"}],
		"initContainers": [{"name": "wait"}, {"name": "proxy", "restartPolicy": "Always"}],
	}}}}
	got := [object.filter(c, [
		"id",
		"name",
		"list",
		"index",
		"path",
		"role",
		"raw",
	]) |
		some c in workload.containers
	] with input as pod
	path := ["spec", "template", "spec"]
	got == [
		{
			"id": 0,
			"name": "app",
			"list": "containers",
			"index": 0,
			"path": array.concat(path, ["containers", 0]),
			"role": "app",
			"raw": {"name": "app"},
		},
		{
			"id": 1,
			"name": "wait",
			"list": "initContainers",
			"index": 0,
			"path": array.concat(path, ["initContainers", 0]),
			"role": "init",
			"raw": {"name": "wait"},
		},
		{
			"id": 2,
			"name": "proxy",
			"list": "initContainers",
			"index": 1,
			"path": array.concat(path, ["initContainers", 1]),
			"role": "sidecar",
			"raw": {"name": "proxy", "restartPolicy": "Always"},
		},
	]
}

test_entries_that_are_no_containers_are_left_out if {
	got := [[c.id, c.name, c.index] | some c in workload.containers] with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": ["text", null, {}, 5, {"name": 7}, {"name": "app"}], "initContainers": null},
	}
	got == [[0, "", 2], [1, "", 4], [2, "app", 5]]
}

test_lists_that_are_no_lists if {
	every wrong in [null, "a", 5, true] {
		workload.containers == [] with input as {
			"apiVersion": "v1",
			"kind": "Pod",
			"spec": {"containers": wrong, "initContainers": wrong},
		}
	}
}

test_two_containers_of_one_name_stay_two if {
	count(workload.containers) == 2 with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"spec": {"containers": [{"name": "app"}, {"name": "app"}]},
	}
}

test_a_container_that_says_all_four if {
	_effective(_with({"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"cpu": 2, "memory": "2Gi"}}), {}) == {
		"cpu_request": [500, "container"],
		"cpu_limit": [2000, "container"],
		"memory_request": [_gi, "container"],
		"memory_limit": [2 * _gi, "container"],
	}
}

test_a_container_that_says_nothing if {
	every nothing in [
		{},
		null,
		"a",
		5,
		[],
		{"requests": null, "limits": null},
		{"limits": {"cpu": null, "memory": null}},
	] {
		every name, got in _effective(_with(nothing), {}) {
			name != ""
			got == _none
		}
	}
}

test_a_request_is_its_own_limit_before_a_limit_range_speaks if {
	range := {
		"limit_ranges": [
			{"spec": {"limits": [{"type": "Container", "default": {"cpu": "8"}, "defaultRequest": {"cpu": "4"}}]}},
		],
	}
	got := _effective(_with({"limits": {"cpu": "2"}}), range)
	got.cpu_request == [2000, "limit"]
	got.cpu_limit == [2000, "container"]
}

# The API server copies the limit, 0 or not, and the LimitRange then finds both set.
test_a_limit_of_zero_is_none_and_is_left_alone if {
	range := {"limit_ranges": [{"spec": {"limits": [{"type": "Container", "default": {"cpu": "8"}}]}}]}
	got := _effective(_with({"limits": {"cpu": "0"}}), range)
	got.cpu_limit == [0, "container"]
	got.cpu_request == [0, "limit"]
}

test_a_limit_range_fills_what_is_empty if {
	range := {"limit_ranges": [{"spec": {"limits": [{
		"type": "Container",
		"default": {"cpu": "2", "memory": "2Gi"},
		"defaultRequest": {"cpu": "1"},
	}]}}]}
	_effective(_with({}), range) == {
		"cpu_request": [1000, "limit-range"],
		"cpu_limit": [2000, "limit-range"],
		"memory_request": [2 * _gi, "limit-range"],
		"memory_limit": [2 * _gi, "limit-range"],
	}
	_effective(_with({"requests": {"cpu": "3"}}), range).cpu_request == [3000, "container"]
}

test_the_pod_s_own_resources_bound_its_containers if {
	pod := object.union(_with({}), {"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "2Gi"}}})
	_effective(pod, {}) == {
		"cpu_request": [1000, "pod"],
		"cpu_limit": [2000, "pod"],
		"memory_request": [2 * _gi, "pod"],
		"memory_limit": [2 * _gi, "pod"],
	}
}

# defaultPodRequests: the sum of what the containers ask for is the Pod's request, which
# leaves nothing for the one that asks for nothing.
test_a_pod_s_limit_is_its_request_only_if_no_container_asks if {
	others := [{"requests": {"cpu": "1"}}, {"limits": {"cpu": "1"}}]
	every other in others {
		got := _effective(
			{
				"containers": [{"name": "app"}, {"name": "other", "resources": other}],
				"resources": {"limits": {"cpu": "2"}},
			},
			{},
		)
		got.cpu_request == _none
		got.cpu_limit == [2000, "pod"]
	}
	workload.pod_level == {
		"cpu": {"limit": 0, "request": 0},
		"memory": {"limit": 0, "request": 0},
	} with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [], "resources": "a"}}
}

test_what_cannot_be_read_is_minus_one if {
	got := _effective(_with({"requests": {"cpu": "lots", "memory": []}, "limits": {"cpu": false, "memory": "-1"}}), {})
	got == {
		"cpu_request": [-1, "container"],
		"cpu_limit": [-1, "container"],
		"memory_request": [-1, "container"],
		"memory_limit": [-1, "container"],
	}
}

test_a_null_beside_three_values_is_not_set if {
	got := _effective(_with({"requests": {"cpu": null, "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}), {})
	got.cpu_request == [2000, "limit"]
}

# A container that leaves out its CPU limit alone has none, unless its Pod or namespace sets one.
test_the_cpu_limit_alone_is_left_out if {
	resources := {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}
	range := {"limit_ranges": [{"spec": {"limits": [{"type": "Container", "default": {"cpu": "2"}}]}}]}
	every case in [
		[{}, {}, _none],
		[{}, range, [2000, "limit-range"]],
		[{"resources": {"limits": {"cpu": "3"}}}, {}, [3000, "pod"]],
		[{"resources": {"limits": {"cpu": "3"}}}, range, [2000, "limit-range"]],
	] {
		_effective(object.union(_with(resources), case[0]), case[1]) == {
			"cpu_request": [1000, "container"],
			"cpu_limit": case[2],
			"memory_request": [_gi, "container"],
			"memory_limit": [_gi, "container"],
		}
	}
}
