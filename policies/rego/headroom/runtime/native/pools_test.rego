package headroom.runtime.native_test

import data.headroom.runtime.native

pod(env) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "app", "env": env}]}}

counts(env) := [[counter.count, counter.text] | some counter in found] if {
	found := native.counters with input as pod(env)
}

test_pools if {
	counts([{"name": "OPENBLAS_NUM_THREADS", "value": "8"}]) == [[8, "OpenBLAS runs 8 threads (OPENBLAS_NUM_THREADS=8)"]]
	counts([{"name": "MKL_NUM_THREADS", "value": "4"}, {"name": "OMP_NUM_THREADS", "value": "2"}]) == [
		[4, "MKL runs 4 threads (MKL_NUM_THREADS=4)"],
		[2, "OpenMP runs 2 threads (OMP_NUM_THREADS=2)"],
	]
	every value in ["", "0", "-1", "auto", "1,2", "4.0"] {
		counts([{"name": "OMP_NUM_THREADS", "value": value}]) == []
	}
	counts([{"name": "OMP_NUM_THREADS", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]) == []
	counts([]) == []
}

test_every_pool_is_asked_about if object.keys(native._pools) == {name | some name in native.about.variables}

test_init_containers_are_over if {
	found := native.counters with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "app",
		"env": [{"name": "OMP_NUM_THREADS", "value": "64"}],
	}]}}
	found == []
}
