package headroom.runtime.nginx_test

import data.headroom.runtime.nginx
import data.headroom.runtimes

pod(container, text) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {"apiVersion": "v1", "kind": "Pod", "spec": {
		"containers": [object.union({"name": "app", "resources": {"limits": {"cpu": "1"}}}, container)],
		"volumes": [{"name": "conf", "configMap": {"name": "conf"}}, {"name": "other", "emptyDir": {}}],
	}},
	"context": {"config_maps": [{"metadata": {"name": "conf"}, "data": {"nginx.conf": text}}]},
}

counts(container, text) := [counter.count | some counter in found] if {
	found := nginx.counters with input as pod(container, text)
}

mount(name) := {"volumeMounts": [{"name": name, "mountPath": "/etc/nginx/nginx.conf", "subPath": "nginx.conf"}]}

autotune := {"env": [{"name": "NGINX_ENTRYPOINT_WORKER_PROCESSES_AUTOTUNE", "value": "1"}]}

cases := [
	[{"image": "nginx:1.27"}, "", [0]],
	[{"image": "nginxinc/nginx-unprivileged"}, "", [0]],
	[object.union({"image": "nginx:1.27"}, autotune), "", []],
	[{"image": "bitnami/nginx"}, "", []],
	[{"image": "example.com/shop/nginx:1"}, "", []],
	[{"image": "nginx", "args": ["-g", "daemon off; worker_processes 4;"]}, "", [4]],
	[{"image": "nginx", "args": ["-g", "daemon off;"]}, "", []],
	[{"image": "nginx", "command": ["nginx", "-g", "worker_processes auto;"]}, "", [0]],
	[{"image": "nginx", "command": ["nginx", "-t"]}, "", []],
	[{"image": "nginx", "command": ["sh"]}, "", []],
	[object.union({"image": "nginx"}, mount("conf")), "user nginx;\nworker_processes  auto;\n", [0]],
	[object.union({"image": "nginx"}, mount("conf")), "worker_processes 2; events {}", [2]],
	[object.union({"image": "nginx"}, mount("conf")), "#worker_processes 2;\nevents {}", []],
	[object.union({"image": "nginx"}, mount("other")), "", []],
]

test_workers if {
	every case in cases {
		[container, text, want] := case
		counts(container, text) == want
	}
}

test_found if {
	runtimes.running[0].name == "nginx" with input as pod({"image": "nginx:1"}, "")
	runtimes.running[0].name == "" with input as pod({"image": "nginx/nginx-prometheus-exporter"}, "")
	some counter in nginx.counters with input as pod({"image": "nginx:1"}, "")
	startswith(counter.expected, "worker_processes 1 (limits.cpu rounded up)")
	startswith(counter.text, "nginx starts a worker for each core of the node")
}

test_init_containers_are_over if {
	found := nginx.counters with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"initContainers": [{
		"name": "app",
		"image": "nginx",
	}]}}
	found == []
}
