package headroom.fix_test

import data.headroom.main
import data.headroom.reviews_test as reviews

meshed(annotations, name, image) := pod(annotations, {"containers": [
	object.union({"name": "app", "image": "app:1"}, {"resources": resources("1", "0", "1Gi", "1Gi")}),
	{"name": name, "image": image, "resources": resources("100m", "2", "600Mi", "1Gi")},
]})

raised := [{"change": "set", "path": ["spec", "containers", 1, "resources", "requests", "memory"], "value": "1Gi"}]

# Where another webhook's marks stand, or the name is a known sidecar's, nothing of the container is changed.
test_containers_of_other_webhooks if {
	every case in [
		[{"sidecar.istio.io/status": "{}"}, "istio-proxy", "hub/proxyv2:1"],
		[{"linkerd.io/proxy-version": "2"}, "linkerd-proxy", "hub/proxy:1"],
		[{"vault.hashicorp.com/agent-inject-status": "injected"}, "vault-agent", "vault:1"],
		[{"dapr.io/enabled": "true"}, "daprd", "daprd:1"],
		[{}, "other", "envoyproxy/envoy:1"],
	] {
		changes(meshed(case[0], case[1], case[2]), {}, "HR302") == []
		all_asked := {"sidecars": {"changeInjected": true}}
		changed := changes(meshed(case[0], case[1], case[2]), {}, "HR302") with data.headroom.overrides as all_asked
		changed != []
	}
}

test_containers_of_the_owner if {
	changes(meshed({}, "proxy", "own:1"), {}, "HR302") != []
	changes(meshed({"sidecar.istio.io/status": "{}"}, "proxy", "own:1"), {}, "HR302") != []
}

# A finding begins with where the values come from: a warning of an API server is cut at its end.
test_where_the_values_of_others_come_from if {
	object := meshed({"sidecar.istio.io/status": "{}"}, "istio-proxy", "hub/proxyv2:1")
	some f in main.result.findings with input as reviews.of_object(object, {})
	[f.rule, f.container] == ["HR302", "istio-proxy"]
	startswith(f.expected, "set in Istio (annotations sidecar.istio.io/proxyCPU, proxyCPULimit, ")
}
