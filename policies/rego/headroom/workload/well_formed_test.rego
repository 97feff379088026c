package headroom.workload_test

import data.headroom.workload

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
