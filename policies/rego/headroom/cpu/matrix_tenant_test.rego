package headroom.cpu_matrix_test

import data.headroom.cpu
import data.headroom.workload

tenant(containers, rest) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "p", "annotations": {"headroom.dev/workload-class": "multi-tenant"}},
	"spec": object.union({"containers": containers}, rest),
}

limited(name, milli) := {"name": name, "resources": {"limits": {"cpu": sprintf("%vm", [milli])}}}

# bound is [milli, text, container] of the limit of a Pod.
bound(containers, rest) := [found.milli, found.text, found.container] if {
	found := cpu.pod_limit with input as tenant(containers, rest)
}

test_what_bounds_a_pod if {
	native := {"name": "n", "restartPolicy": "Always", "resources": {"limits": {"cpu": "4m"}}}
	every case in [
		[[limited("a", 1)], {}, [1, "a 1m", "a"]],
		[[limited("a", 1), limited("b", 2)], {}, [3, "a 1m + b 2m", ""]],
		[[limited("a", 1), {"name": "b"}], {}, [0, "", ""]],
		[[], {}, [0, "", ""]],
		[[limited("a", 1)], {"resources": {"limits": {"cpu": "1m"}}}, [1, "limits.cpu of the Pod", ""]],
		[[limited("a", 1)], {"resources": {"limits": {"cpu": "0"}}}, [1, "a 1m", "a"]],
		[[limited("a", 2)], {"initContainers": [limited("i", 1)]}, [2, "a 2m", "a"]],
		[[limited("a", 2)], {"initContainers": [limited("i", 2)]}, [2, "a 2m", "a"]],
		[[limited("a", 2)], {"initContainers": [limited("i", 3)]}, [3, "i 3m while it runs", "i"]],
		[[limited("a", 2)], {"initContainers": [{"name": "i"}]}, [0, "", ""]],
		[[limited("a", 2)], {"initContainers": [limited("i", 3), native]}, [6, "a 2m + n 4m", "a"]],
		[[limited("a", 2)], {"initContainers": [native, limited("i", 3)]}, [7, "i 3m + n 4m while it runs", "i"]],
		[[], {"initContainers": [native]}, [4, "n 4m", ""]],
		[[], {"initContainers": [limited("i", 3)]}, [0, "", ""]],
	] {
		bound(case[0], case[1]) == case[2]
	}
}

test_sums_do_not_wrap_around if {
	found := cpu.pod_limit with input as tenant(
		[
			{"name": "a", "resources": {"limits": {"cpu": "9007199254740991m"}}},
			{"name": "b", "resources": {"limits": {"cpu": "8E"}}},
		],
		{},
	)
	found.milli == 18014398509481982
}

test_where_the_limit_of_a_pod_stands if {
	paths := {name: found |
		some name, spec in {
			"own": {"resources": {"limits": {"cpu": "1"}}, "containers": [{"name": "a"}]},
			"one": {"containers": [limited("a", 1)]},
			"two": {"containers": [limited("a", 1), limited("b", 1)]},
			"none": {"containers": [{"name": "a"}]},
		}
		found := cpu.pod_limit.path with input as tenant([], spec)
	}
	paths == {
		"own": ["spec", "resources", "limits", "cpu"],
		"one": ["spec", "containers", 0, "resources", "limits", "cpu"],
		"two": ["spec"],
		"none": ["spec"],
	}
}

test_what_a_tenant_pays_for if {
	own := "headroom.dev/cpu-allocation"
	granted := "headroom.dev/cpu-allocation of the Namespace"
	every case in [
		["1m", null, [1, own]],
		["x", null, [0, own]],
		[null, null, [0, ""]],
		[null, "2", [2000, granted]],
		[null, "-2", [0, granted]],
		[null, "lots", [0, granted]],
		[null, "", [0, granted]],
		[null, 2, [2000, granted]],
		[null, {}, [0, granted]],
		["x", "2", [2000, granted]],
		["-1", "2", [2000, granted]],
		["0", "2", [2000, granted]],
		["", "2", [2000, granted]],
		["1", "2", [1000, own]],
		["2000m", "2", [2000, own]],
		["2e0", "2", [2000, own]],
		["2001m", "2", [2000, concat("", [granted, "; the workload's own, 2001m, is more and does not count"])]],
		["1e3", "1", [1000, concat("", [granted, "; the workload's own, 1000, is more and does not count"])]],
		["32", "lots", [0, granted]],
		["32", "0", [0, granted]],
	] {
		found := cpu.allocation with workload.annotations as _annotated(case[0])
			with workload.namespace_annotations as _annotated(case[1])
		[found.milli, found.text] == case[2]
	}
}

_annotated(null) := {}

_annotated(value) := {"headroom.dev/cpu-allocation": value} if value != null

# left is what the allocation of 10 leaves for the first container.
left(containers, rest) := milli if {
	annotated := json.patch(tenant(containers, rest), [{
		"op": "add",
		"path": "/metadata/annotations/headroom.dev~1cpu-allocation",
		"value": "10m",
	}])
	milli := cpu.left_of_allocation(workload.containers[0]) with input as annotated
}

test_what_an_allocation_leaves if {
	every case in [
		[[{"name": "a"}], {}, 10],
		[[{"name": "a"}, limited("b", 1)], {}, 9],
		[[{"name": "a"}, limited("b", 9)], {}, 1],
		[[{"name": "a"}, limited("b", 11)], {}, 0],
		[[{"name": "a"}, {"name": "b"}], {}, 0],
		[[{"name": "a"}, limited("b", 3)], {"initContainers": [limited("i", 9)]}, 7],
		[[], {"initContainers": [{"name": "i"}]}, 0],
	] {
		left(case[0], case[1]) == case[2]
	}
}

# Only what lasts and the init containers beside it are a tenant's.
test_whose_limits_a_tenant_pays_for if {
	init := {"initContainers": [{"name": "i"}]}
	own := {"metadata": {"annotations": {"headroom.dev/workload-class": "batch", "class.headroom.dev/b": "multi-tenant"}}}
	every case in [
		[tenant([{"name": "a"}], init), {"a", "i"}],
		[object.union(tenant([{"name": "a"}], init), own), set()],
		[object.union(tenant([{"name": "a"}, {"name": "b"}], init), own), {"b", "i"}],
	] {
		names := {c.name | some c in workload.containers; cpu.is_tenant(c)} with input as case[0]
		names == case[1]
	}
}
