package headroom.size_test

import data.headroom.size

test_latency_sensitive_loses_its_limit if {
	sized := declared(native, "latency-sensitive", limits("1", "500Mi"), {})
	wanted(sized) == {"requests.cpu": "200m", "requests.memory": "500Mi", "limits.memory": "500Mi"}
	sized.before == {"cpu": 1000, "memory": 524288000}
	sized.after == {"cpu": 200, "memory": 524288000}
	sized.unsized == []
}

test_what_passes_stays if {
	every request in ["150m", "200m", "250m"] {
		sized := of("latency-sensitive", memory(request, "500Mi"), {})
		wanted(sized)["requests.cpu"] == request
		sized.changes == []
	}
	every request in ["149m", "251m"] {
		wanted(of("latency-sensitive", memory(request, "500Mi"), {}))["requests.cpu"] == "200m"
	}
}

test_batch if {
	found := wanted(declared(native, "batch", limits("1", "500Mi"), {}))
	[found["requests.cpu"], found["limits.cpu"]] == ["200m", "400m"]
	near := {"resources": {
		"requests": {"cpu": "210m", "memory": "500Mi"},
		"limits": {"cpu": "450m", "memory": "500Mi"},
	}}
	declared(native, "batch", near, {}).changes == []
}

test_a_run_has_one_value if {
	every now, then in {"600m": "600m", "700m": "700m", "599m": "600m", "2": "600m"} {
		found := wanted(declared(native, "cron", limits(now, "500Mi"), {}))
		[found["requests.cpu"], found["limits.cpu"]] == [then, then]
	}
	apart := {"resources": {
		"requests": {"cpu": "600m", "memory": "500Mi"},
		"limits": {"cpu": "700m", "memory": "500Mi"},
	}}
	found := wanted(declared(native, "cron", apart, {}))
	[found["requests.cpu"], found["limits.cpu"]] == ["600m", "600m"]
}

test_a_sidecar if {
	found := wanted(declared(native, "sidecar", limits("2", "500Mi"), {}))
	[found["requests.cpu"], found["limits.cpu"]] == ["200m", "600m"]
	near := wanted(declared(native, "sidecar", limits("700m", "500Mi"), {}))
	[near["requests.cpu"], near["limits.cpu"]] == ["200m", "700m"]
}

test_a_tenant if {
	plain := object.union(native, {"headroom.dev/cpu-allocation": "2"})
	found := wanted(declared(plain, "multi-tenant", limits("1", "500Mi"), {}))
	[found["requests.cpu"], found["limits.cpu"]] == ["200m", "2"]
	unpaid := declared(native, "multi-tenant", memory("1", "500Mi"), {})
	unpaid.unsized == ["CPU: limits.cpu; headroom.dev/cpu-allocation would say how much the Pod may have"]
	unknown := wanted(unpaid)
	[unknown["requests.cpu"], object.get(unknown, "limits.cpu", "")] == ["200m", ""]
}

# Without its limit a program of which nothing is known may count the cores of the node.
test_a_limit_that_is_not_removed if {
	sized := of("latency-sensitive", limits("1", "500Mi"), {})
	found := wanted(sized)
	[found["requests.cpu"], found["limits.cpu"]] == ["200m", "1"]
	says(sized.unsized, "limits.cpu stays: no CPU limit")
	over := of("latency-sensitive", limits("100m", "500Mi"), {})
	wanted(over)["requests.cpu"] == "100m"
	batch := object.union(limits("1", "500Mi"), {"env": [{"name": "JAVA_OPTS", "value": "-Xmx100m"}]})
	held := of("batch", batch, {})
	wanted(held)["limits.cpu"] == "1"
	says(held.unsized, "limits.cpu stays: 400m is what its class asks for")
	none := of("batch", object.union(memory("1", "500Mi"), {"env": [{"name": "JAVA_OPTS", "value": "-Xmx100m"}]}), {})
	wanted(none)["requests.cpu"] == "200m"
}

test_a_request_that_only_its_limit_gives if {
	only := {"resources": {"limits": {"cpu": "200m", "memory": "500Mi"}}}
	sized := declared(native, "latency-sensitive", only, {})
	wanted(sized)["requests.cpu"] == "200m"
	count(sized.changes) == 3
	bare := of("latency-sensitive", {}, {})
	wanted(bare) == {"requests.cpu": "200m", "requests.memory": "500Mi", "limits.memory": "500Mi"}
}

test_cpu_that_is_not_known if {
	every given, text in {
		"latency-sensitive": "CPU: its average use is not known: it was not measured",
		"cron": "CPU: its peak use is not known: it was not measured",
		"sidecar": "CPU: its average use and its peak use is not known: it was not measured",
		"batch": "CPU: its average use is not known: it was not measured",
		"nonsense": "CPU: no CPU rule applies to class unknown",
	} {
		sized := of(given, limits("1", "500Mi"), {"cpu_average": "", "cpu_peak": ""})
		sized.unsized == [text]
		wanted(sized)["limits.cpu"] == "1"
		sized.changes == []
	}
	nobody := result(json.remove(
		review("", [object.union({"name": "app"}, limits("1", "500Mi"))], {"app": use}),
		["/object/spec/template/metadata/annotations"],
	)).containers[0]
	says(nobody.unsized, "CPU: its class is not set")
	few := of("batch", limits("1", "500Mi"), {"samples": 3})
	says(few.unsized, "Prometheus has 3 samples, at least 60 are wanted")
	few.confidence.known == false
	says(of("batch", limits("many", "500Mi"), {}).unsized, "CPU: a quantity cannot be read (HR001)")
	pinned := object.union(native, {"headroom.dev/cpu-pinning": "static"})
	says(declared(pinned, "latency-sensitive", limits("1", "500Mi"), {}).unsized, "whole cores of its own")
}

test_a_measured_request if {
	matrix := {"matrix": {"latency-sensitive": {"request": "measured", "limit": {"timesAverage": 3}}}}
	given := review("latency-sensitive", [object.union({"name": "app"}, limits("1", "500Mi"))], {"app": use})
	found := size.result with input as given with data.headroom.overrides as matrix
	says([v.wanted | some v in found.containers[0].values], "200m")
}

test_resources_of_the_pod if {
	given := json.patch(review("batch", [{"name": "app"}], {"app": use}), [{
		"op": "add",
		"path": "/object/spec/template/spec/resources",
		"value": {"limits": {"cpu": "1", "memory": "1Gi"}},
	}])
	sized := result(given).containers[0]
	count(sized.unsized) == 2
	says(sized.unsized, "resources of the Pod (spec.resources) are shared")
	sized.changes == []
}

test_processors_and_threads if {
	jvm := of("latency-sensitive", java(["-Xmx128m"], limits("1", "500Mi")), {})
	startswith(wanted(jvm).command, "-XX:ActiveProcessorCount=")
	unlimited := of("latency-sensitive", java(["-Xmx128m"], memory("200m", "500Mi")), {})
	startswith(wanted(unlimited).command, "-XX:ActiveProcessorCount=")
	some added in unlimited.values
	added.name == "command"
	[added.now, startswith(added.why, "right behind java: without a CPU limit")] == ["", true]
	in_a_shell := {"command": ["sh", "-c", "exec java -Xmx128m -jar a.jar"]}
	holding := object.union(object.union(java([], memory("200m", "500Mi")), in_a_shell), {"env": [
		{"name": "JAVA_TOOL_OPTIONS", "value": "-Dsecret=a"},
		"nonsense",
	]})
	some before in of("latency-sensitive", holding, {}).values
	before.name == "JAVA_TOOL_OPTIONS"
	[before.now, startswith(before.why, "in front of what it holds: without")] == ["…", true]
	go := {"runtime.headroom.dev/app": "go version=1.24"}
	found := wanted(declared(go, "latency-sensitive", memory("200m", "500Mi"), {}))
	found.GOMEMLIMIT == "450MiB"
	sets_nothing := {"references": {"a:1": "sha256:0"}, "images": {"sha256:0": {"environment": {}}}}
	known_image := {"image": "eclipse-temurin:21", "env": []}
	bare := object.union(object.union(java([], memory("200m", "500Mi")), in_a_shell), known_image)
	some alone in of("latency-sensitive", bare, {}).values
	alone.name == "JAVA_TOOL_OPTIONS"
	startswith(alone.why, "without")
	known := object.union(limits("2", "500Mi"), {"image": "a:1"})
	under := wanted(declared(go, "batch", known, {"cpu_average": "1"})) with data.headroom.image_lock as sets_nothing
	[under["limits.cpu"], under.GOMAXPROCS] == ["2", "2"]
}

test_fields_of_another_kind if {
	kafka := result({
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {
			"apiVersion": "kafka.strimzi.io/v1beta2",
			"kind": "Kafka",
			"metadata": {"name": "a"},
			"spec": {"kafka": {"resources": limits("1", "4Gi").resources}},
		},
		"context": {"measured": {"kafka": use}},
	}).containers[0]
	says(kafka.unsized, "a field of its kind gives its resources")
	kafka.changes == []
}
