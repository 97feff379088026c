package headroom.runtime.envoy_test

import data.headroom.runtime.envoy
import data.headroom.runtimes

pod(container) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"spec": {"containers": [object.union({"name": "app"}, container)]},
}

counts(container) := [counter.count | some counter in found] if {
	found := envoy.counters with input as pod(container)
}

test_threads if {
	counts({"image": "envoyproxy/envoy:v1.34.0", "args": ["-c", "/e.yaml", "--concurrency", "8"]}) == [8]
	counts({"command": ["envoy", "--concurrency=2"]}) == [2]
	counts({"command": ["envoy", "--concurrency", "0"]}) == []
	counts({"image": "istio/proxyv2:1.27", "args": ["proxy", "sidecar", "--concurrency", "8"]}) == [8]
	runtimes.running[0].name == "envoy" with input as pod({"image": "envoyproxy/envoy:v1.34.0"})
}

test_releases_that_count_the_node if {
	every image in [
		"envoyproxy/envoy:v1.34.0",
		"docker.io/envoyproxy/envoy:distroless-v1.34.10@sha256:0d1e",
		"mirror.example:5000/envoyproxy/envoy:contrib-distroless-v1.39-latest",
		"bitnami/envoy:1.30.1-debian-12-r3",
	] {
		counts({"image": image}) == [0]
		counts({"image": image, "command": ["/usr/local/bin/envoy", "-c", "/e.yaml"]}) == [0]
		counts({"image": image, "args": ["-c", "/e.yaml", "--concurrency", "0"]}) == []
		counts({"image": image, "command": ["sh", "-c", "exec envoy -c /e.yaml $MORE"], "env": [{
			"name": "MORE",
			"valueFrom": {"configMapKeyRef": {"name": "envoy", "key": "more"}},
		}]}) == []
		counts({"image": image, "command": ["sleep", "60"]}) == []
	}
	every image in [
		"envoyproxy/envoy:v1.40.0", "envoyproxy/envoy:v1.41-latest", "envoyproxy/envoy:latest", "envoyproxy/envoy",
		"envoyproxy/envoy:v2.1.0", "example.com/envoy:v1.30.0",
	] {
		counts({"image": image, "command": ["envoy", "-c", "/e.yaml"]}) == []
	}
	counts({"image": "envoyproxy/envoy:v1.36.2", "args": ["--cpuset-threads"]}) == [0]
	counts({"image": "envoyproxy/envoy:v1.37.0", "args": ["--cpuset-threads"]}) == []
}
