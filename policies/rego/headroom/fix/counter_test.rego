package headroom.fix_counter_test

import data.headroom.fix
import data.headroom.workload

pod(env, from) := {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{
	"name": "app",
	"image": "read:1",
	"env": env,
	"envFrom": from,
	"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}},
}]}}

# The image read:1 is known, and sets nothing.
read := {"references": {"read:1": "sha256:0"}, "images": {"sha256:0": {"entrypoint": [], "environment": {}}}}

set := [{"change": "env", "container": ["spec", "containers", 0], "name": "OMP_NUM_THREADS", "value": "1"}]

# Each case: the environment, whether the pool is sure, and the fix.
cases := [
	[[], [], true, set],
	[[], [], false, []],
	[[{"name": "OMP_NUM_THREADS", "value": "8"}], [], true, []],
	[[{"name": "OMP_NUM_THREADS", "valueFrom": {"secretKeyRef": {"name": "a", "key": "b"}}}], [], true, []],
	[[], [{"secretRef": {"name": "a"}}], true, []],
]

test_fix if {
	every case in cases {
		[env, from, sure, want] := case
		found := fix.counter({
			"c": workload.containers[0],
			"sure": sure,
			"set": {"name": "OMP_NUM_THREADS", "value": "1"},
		}) with input as pod(env, from) with data.headroom.image_lock as read
		found == want
	}
}

# An image that was not read may set it.
test_no_fix_of_an_image_that_was_not_read if {
	fix.counter({
		"c": workload.containers[0],
		"sure": true,
		"set": {"name": "OMP_NUM_THREADS", "value": "1"},
	}) == [] with input as pod([], [])
}

test_no_variable_no_fix if fix.counter({"c": workload.containers[0], "sure": true}) == [] with input as pod([], [])
