package headroom.runtime.nginx_test

import data.headroom.runtime.nginx
import data.headroom.runtimes

_controller(container, data_of) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [object.union({"name": "app"}, container)]}},
	"context": {"config_maps": [{"metadata": {"name": "edge"}, "data": data_of}]},
}

_told(container, data_of) := [[counter.count, counter.sure, counter.text] | some counter in found] if {
	found := nginx.counters with input as _controller(container, data_of)
}

_image(tag) := {
	"image": concat(":", ["registry.k8s.io/ingress-nginx/controller", tag]),
	"args": ["/nginx-ingress-controller"],
	"resources": {"limits": {"cpu": "1"}},
}

_of_f5 := {"image": "docker.io/nginx/nginx-ingress:5.0.0", "resources": {"limits": {"cpu": "1500m"}}}

_named := {"args": ["-nginx-configmaps=$(POD_NAMESPACE)/edge"]}

_auto := "nginx starts a worker for each core of the node (worker_processes auto)"

_v2 := "Before %s the controller starts an nginx worker for each core of a node with cgroup v2"

_always := "The controller starts an nginx worker for each core of the node"

_controllers_told := [
	[_image("v1.9.4"), {}, [[0, true, sprintf(_v2, ["1.10.4"])]]],
	[_image("v1.11.1"), {}, [[0, true, sprintf(_v2, ["1.11.2"])]]],
	[_image("v1.10.4"), {}, []],
	[_image("v1.11.2"), {}, []],
	[_image("v1.12.0"), {}, []],
	[_image("main"), {}, []],
	[object.remove(_image("v1.12.0"), ["resources"]), {}, [[0, true, _always]]],
	[
		{
			"image": "quay.io/kubernetes-ingress-controller/nginx-ingress-controller:0.18.0",
			"resources": {"limits": {"cpu": "1"}},
		},
		{},
		[[0, true, _always]],
	],
	[_of_f5, {}, [[0, true, _auto]]],
	[object.union(_of_f5, {"command": ["sleep", "1d"]}), {}, []],
	[object.union(_of_f5, _named), {"client-max-body-size": "1m"}, [[0, true, _auto]]],
	[object.union(_of_f5, _named), {"worker-processes": "auto"}, [[0, true, _auto]]],
	[
		object.union(_of_f5, _named),
		{"worker-processes": "8"},
		[[8, true, "nginx starts 8 workers (worker-processes in ConfigMap edge)"]],
	],
	[object.union(_of_f5, _named), {"worker-processes": "many"}, []],
	[
		object.union(_of_f5, {"args": ["-nginx-configmaps", "web/other"]}),
		{},
		[[0, false, concat("", [_auto, ", unless worker-processes in ConfigMap other says how many"])]],
	],
]

test_controllers if {
	every case in _controllers_told {
		[container, data_of, want] := case
		_told(container, data_of) == want
	}
}

test_controllers_run_nginx if {
	runtimes.running[0].name == "nginx" with input as _controller(_image("v1.9.4"), {})
	some counter in nginx.counters with input as _controller(_of_f5, {})
	counter.expected == `worker-processes: "2" (limits.cpu rounded up) in the ConfigMap`
}
