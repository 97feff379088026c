package headroom.fix_test

# No request is raised above what the largest node has.
test_no_request_that_no_node_has if {
	two := [
		{"name": "a", "resources": resources("1", "1", "3Gi", "4Gi")},
		{"name": "b", "resources": resources("1", "1", "3Gi", "4Gi")},
	]
	both := pod({}, {"containers": two})
	every memory, count_of in {"8Gi": 2, "7Gi": 0, "": 2} {
		count(changes(both, {}, "HR302")) == count_of with data.headroom.overrides as {"nodes": {"memory": memory}}
	}
	changes(both, {"largest_node": [{"cpu": "1", "memory": "7Gi"}]}, "HR302") == []
	overhead := pod({}, {"containers": two, "overhead": {"memory": "1Mi"}})
	changes(overhead, {}, "HR302") == [] with data.headroom.overrides as {"nodes": {"memory": "8Gi"}}
	of_pod := pod({}, {
		"resources": {"requests": {"memory": "6Gi"}, "limits": {"memory": "8Gi"}},
		"containers": [{"name": "app"}],
	})
	count(changes(of_pod, {}, "HR302")) == 1 with data.headroom.overrides as {"nodes": {"memory": "8Gi"}}
	changes(of_pod, {}, "HR302") == [] with data.headroom.overrides as {"nodes": {"memory": "7Gi"}}
}
