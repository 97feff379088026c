package headroom.nodes_test

import data.headroom.nodes

_known_nodes(config, in_cluster) := found if {
	found := nodes.largest with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod"},
		"context": {"largest_node": in_cluster},
	}
		with data.headroom.overrides as {"nodes": config}
}

test_the_largest_node if {
	_known_nodes({}, []) == {}
	_known_nodes({"cores": 16}, []) == {"cpu": 16000}
	_known_nodes({"memory": "4Ki"}, [{"cpu": "3500m", "memory": "0"}]) == {"cpu": 3500, "memory": 4096}
	_known_nodes({"cores": 16, "memory": "1Ki"}, [{"cpu": "8", "memory": "2Ki"}]) == {"cpu": 16000, "memory": 2048}
}

_cpu_asked(spec) := milli if {
	milli := nodes.asked("cpu") with input as {"apiVersion": "v1", "kind": "Pod", "spec": spec}
}

_with_cpu(name, cpu) := {"name": name, "resources": {"requests": {"cpu": cpu}}}

test_what_the_scheduler_counts if {
	two := [_with_cpu("a", "1"), _with_cpu("b", "500m")]
	native := object.union(_with_cpu("n", "100m"), {"restartPolicy": "Always"})
	every case in [
		[{"containers": two}, 1500],
		[{"containers": two, "overhead": {"cpu": "250m"}}, 1750],
		[{"containers": two, "initContainers": [_with_cpu("i", "1")]}, 1500],
		[{"containers": two, "initContainers": [native, _with_cpu("i", "3")]}, 3100],
		[{"containers": two, "initContainers": [_with_cpu("i", "1550m"), native]}, 1600],
		[{"containers": two, "resources": {"requests": {"cpu": "3"}}}, 3000],
		[{"containers": [{"name": "a"}]}, 0],
		[{"containers": [_with_cpu("a", "-1")]}, 0],
	] {
		_cpu_asked(case[0]) == case[1]
	}
}
