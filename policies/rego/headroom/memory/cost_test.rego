package headroom.memory_test

import data.headroom.memory

_costing(spec, containers) := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": "a"},
	"spec": object.union(spec, {"template": {"spec": containers}}),
}

_of_two := {
	"initContainers": [{"name": "i", "resources": {"requests": {"memory": "1Mi"}, "limits": {"memory": "8Gi"}}}],
	"containers": [
		{"name": "a", "resources": {"requests": {"memory": "1Mi"}, "limits": {"memory": "3Mi"}}},
		{"name": "b", "resources": {"requests": {"memory": "4Mi"}}},
	],
}

test_the_cost_of_all_pods if {
	every case in [
		[{}, {}, 2097152, "+2Mi a Pod"],
		[{"replicas": 1}, {"replicas": 1}, 2097152, "+2Mi a Pod"],
		[{"replicas": 3}, {"replicas": 3}, 6291456, "+2Mi a Pod, 3 Pods: 6Mi more reserved"],
		[{"replicas": 0}, {"replicas": 0}, 0, "+2Mi a Pod"],
		[{"replicas": "3"}, {}, 2097152, "+2Mi a Pod"],
	] {
		[spec, replicas, more, words] := case
		cost := memory.raise_cost with input as _costing(spec, _of_two)
		cost == object.union(
			{"pod_request_bytes": 5242880, "pod_request_after_bytes": 7340032, "more_bytes": more},
			replicas,
		)
		said := memory.cost_words(2097152) with input as _costing(spec, _of_two)
		said == words
	}
}

test_the_cost_of_a_pod_with_its_own_request if {
	resources := {"resources": {"requests": {"memory": "5Mi"}, "limits": {"memory": "9Mi"}}}
	cost := memory.raise_cost with input as _costing({}, object.union(_of_two, resources))
	cost == {"pod_request_bytes": 5242880, "pod_request_after_bytes": 9437184, "more_bytes": 4194304}
}
