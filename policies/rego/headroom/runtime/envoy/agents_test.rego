package headroom.runtime.envoy_agents_test

import data.headroom.runtime.envoy

counts(annotations, container) := [[counter.count, counter.expected] | some counter in found] if {
	found := envoy.counters with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": annotations},
		"spec": {"containers": [object.union(
			{"name": "istio-proxy", "image": "example.com/istio/proxyv2:1.22.0"},
			container,
		)]},
	}
}

limit(cpu) := {"resources": {"limits": {"cpu": cpu}}}

wanted := "limits.cpu of 2, or proxy.istio.io/config: 'concurrency: 1' on the Pod template"

test_the_limit_rounded_up if {
	counts({}, limit("1500m")) == [[2, wanted]]
	counts({}, object.union(limit("1500m"), {"args": ["proxy", "sidecar"]})) == [[2, wanted]]
	counts({}, object.union(limit("1500m"), {"args": ["proxy", "sidecar", "--concurrency", "0"]})) == [[2, wanted]]
	counts({}, {}) == []
}

test_what_says_another_number if {
	counts({}, object.union(limit("1500m"), {"args": ["proxy", "sidecar", "--concurrency", "auto"]})) == []
	counts({}, object.union(limit("1500m"), {"args": ["proxy", "sidecar", "--concurrency", "4"]})) == [[4, wanted]]
	counts({}, object.union(limit("1500m"), {"args": ["proxy", "sidecar", "--concurrency=4"]})) == [[4, wanted]]
	counts({"proxy.istio.io/config": "concurrency: 1"}, limit("1500m")) == []
	counts({}, object.union(limit("1500m"), {"env": [{"name": "PROXY_CONFIG", "value": "{\"concurrency\": 1}"}]})) == []
	counts({}, object.union(limit("1500m"), {"env": [{"name": "PROXY_CONFIG", "value": "{}"}]})) == [[2, wanted]]
	counts({}, object.union(limit("1500m"), {"env": [{"name": "PROXY_CONFIG", "valueFrom": {}}]})) == []
	no_limit := "proxy.istio.io/config with a concurrency on the Pod template"
	counts({}, {"args": ["proxy", "sidecar", "--concurrency", "4"]}) == [[4, no_limit]]
}

test_kuma if {
	kuma := {"image": "docker.io/kumahq/kuma-dp:2.9", "args": ["run", "--concurrency=8"]}
	counts({}, object.union(limit("1"), kuma)) == [[8, "--concurrency 1 (limits.cpu rounded up)"]]
	counts({}, object.union(limit("1500m"), {"image": "kumahq/kuma-dp:2.9", "args": ["run"]})) == []
}
