package headroom.cpu_matrix_test

import data.headroom.cpu

# pairs are [container, resource, limit, request, source] of those of a Pod that are the wrong way round.
pairs(containers, rest) := [[p.container, p.resource, p.limit, p.request, p.source] | some p in found] if {
	found := cpu.inverted with input as pod(object.union({"containers": containers}, rest))
}

both(resource, request, limit) := [{"name": "app", "resources": {
	"requests": {resource: request},
	"limits": {resource: limit},
}}]

test_limits_below_their_requests if {
	every case in [
		["cpu", "2m", "1m", ["1m", "2m"]],
		["cpu", "1m", "0", ["0", "1m"]],
		["cpu", "1m", "1m", null],
		["cpu", "1m", "-1", null],
		["cpu", "1m", "x", null],
		["memory", "2Ki", "1Ki", ["1Ki", "2Ki"]],
		["memory", "1", "0", ["0", "1"]],
		["memory", "1", "1", null],
		["memory", "1", "-1", null],
		["example.com/gpu", "2", "1", ["1", "2"]],
		["example.com/gpu", "1", "0", ["0", "1"]],
		["example.com/gpu", "1", "500m", ["500m", "1"]],
		["example.com/gpu", "1", "1", null],
		["example.com/gpu", "1", "-1", null],
		["example.com/gpu", "1", "x", null],
		["example.com/gpu", "x", "1", null],
		["example.com/gpu", "1", [], null],
	] {
		[resource, request, limit, wanted] := case
		pairs(both(resource, request, limit), {}) == [["app", resource, w[0], w[1], "container"] |
			some w in [wanted]
			w != null
		]
	}
}

test_whose_limit_is_below if {
	request := [{"name": "app", "resources": {"requests": {"cpu": "2", "memory": "2Gi"}}}]
	limits := {"resources": {"limits": {"cpu": "1", "memory": "1Gi"}}}
	pairs(request, {}) == []
	pairs(request, limits) == [["app", "cpu", "1", "2", "pod"], ["app", "memory", "1Gi", "2Gi", "pod"]]

	# A request of the whole Pod is not one container's, and is held against the Pod's limit alone.
	own := {"resources": {"requests": {"cpu": "2", "memory": "2Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}}}
	pairs([{"name": "app"}], own) == [["", "cpu", "1", "2", "pod"], ["", "memory", "1Gi", "2Gi", "pod"]]
	pairs([{"name": "app", "resources": {"limits": {"cpu": "0"}}}], {"resources": {"requests": {"cpu": "2"}}}) == []
	paths := [p.path | some p in cpu.inverted] with input as pod(object.union({"containers": request}, limits))
	paths == [["spec", "resources", "limits", "cpu"], ["spec", "resources", "limits", "memory"]]
	init := {"initContainers": both("example.com/gpu", "2", "1")}
	found := cpu.inverted with input as pod(object.union({"containers": [{"name": "b"}]}, init))
	[p.path | some p in found] == [["spec", "initContainers", 0, "resources", "limits", "example.com/gpu"]]
}

test_figures_in_the_unit_of_their_resource if {
	every resource, wanted in {
		"cpu": {"limit_millicores": 1000, "request_millicores": 2000},
		"memory": {"limit_bytes": 1, "request_bytes": 2},
		"ephemeral-storage": {"limit_bytes": 1, "request_bytes": 2},
		"hugepages-2Mi": {"limit_bytes": 1, "request_bytes": 2},
		"example.com/memory": {"limit_count": 1, "request_count": 2},
	} {
		cpu.pair_figures({"resource": resource, "limit": "1", "request": "2"}) == wanted
	}
}
