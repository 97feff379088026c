package headroom.runtime.envoy_test

import data.headroom.registry
import data.headroom.runtime.envoy

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
	counts({"image": "envoyproxy/envoy:v1.34.0"}) == []
	counts({"image": "istio/proxyv2:1.27", "args": ["proxy", "sidecar", "--concurrency", "8"]}) == []
	registry.running[0].name == "envoy" with input as pod({"image": "envoyproxy/envoy:v1.34.0"})
}
