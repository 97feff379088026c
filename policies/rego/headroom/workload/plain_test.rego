package headroom.workload_test

import data.headroom.workload

_plain_pod(resources) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [
	{"name": "app"},
	{"name": "b", "resources": resources},
]}}

_with_own(pod) := json.patch(pod, [{"op": "add", "path": "/spec/resources", "value": {"limits": {"cpu": "1"}}}])

test_usual_amounts_are_plain if {
	every resources in [
		{},
		{"limits": {}},
		{"limits": {"cpu": "1"}, "requests": {"cpu": 0.5, "memory": "1Gi"}},
		{"limits": {"cpu": "999999m", "memory": "999999Gi"}},
		{"requests": {"cpu": "999.999", "memory": "1k"}},
		{"requests": {"memory": "1M"}},
	] {
		workload.plain with input as _plain_pod(resources)
		not workload.plain with input as _with_own(_plain_pod(resources))
	}
	workload.plain with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "app"}]}}
}

test_unusual_amounts_are_not_plain if {
	every resources in [
		{"limits": {"cpu": "1000"}},
		{"limits": {"cpu": "1.0001"}},
		{"limits": {"cpu": "1000000m"}},
		{"limits": {"cpu": ""}},
		{"limits": {"memory": "1"}},
		{"limits": {"memory": 5}},
		{"limits": {"memory": "1000000Gi"}},
		{"limits": {"memory": "1Ti"}},
		{"limits": {"memory": "1m"}},
		{"limits": {"example.com/gpu": "1"}},
		{"requests": {"ephemeral-storage": "1Gi"}},
		{"claims": []},
		null,
		"a",
	] {
		not workload.plain with input as _plain_pod(resources)
	}
}

_even_pod(request, limit) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [
	{"name": "app", "resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}},
	{"name": "b", "resources": {"requests": {"memory": request}, "limits": {"memory": limit}}},
]}}

test_limits_that_are_requests_are_even if {
	every case in [
		["1Gi", "1Gi", true],
		["4Mi", "4Mi", true],
		[null, "4Mi", true],
		["4194303", "4194303", false],
		["1Gi", "2Gi", false],
		["2Gi", "1Gi", false],
		["1Gi", null, false],
		[null, null, false],
		["much", "much", false],
	] {
		pod := _even_pod(case[0], case[1])
		[true | workload.even] == [true | case[2]] with input as pod
		not workload.even with input as _with_own(pod)
	}
}

test_containers_as_the_api_server_wants_them if {
	every case in [
		[{"containers": [{}]}, true],
		[{"containers": [{}, {}], "initContainers": []}, true],
		[{"containers": [{}], "initContainers": null}, true],
		[{"containers": [{}], "initContainers": [{}]}, true],
		[{"containers": [{}], "initContainers": [{}, "a"]}, false],
		[{"containers": [{}], "initContainers": {}}, false],
		[{"containers": [{}, "a"]}, false],
		[{"containers": []}, false],
		[{"containers": null}, false],
		[{"containers": "a"}, false],
		[{"containers": {"a": {}}}, false],
		[{}, false],
	] {
		[true | workload.well_formed] == [true | case[1]] with input as {"apiVersion": "v1", "kind": "Pod", "spec": case[0]}
	}
}
