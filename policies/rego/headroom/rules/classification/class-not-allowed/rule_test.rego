package headroom.rules.classification["class-not-allowed_test"]

import data.headroom.rules.classification["class-not-allowed"] as rule

_review(annotations, allowed) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"namespace": "shop", "annotations": annotations},
		"spec": {"containers": [{"name": "app"}, {"name": "envoy"}]},
	},
	"context": {"namespaces": [{"metadata": {"annotations": {"headroom.dev/allowed-classes": allowed}}}]},
}

_latency := {"headroom.dev/workload-class": "latency-sensitive"}

_reported(given) := [f | some f in rule.report with input as given]

test_a_class_that_is_not_on_the_list if {
	_reported(_review(_latency, "multi-tenant, batch")) == [{
		"container": "",
		"path": ["metadata", "annotations", "headroom.dev/workload-class"],
		"message": concat(" ", [
			`headroom.dev/workload-class is "latency-sensitive";`,
			"namespace shop allows batch, multi-tenant only (headroom.dev/allowed-classes).",
		]),
		"expected": "one of batch, multi-tenant",
	}]
}

test_a_container_s_class_is_held_to_it_too if {
	annotations := {"headroom.dev/workload-class": "batch", "class.headroom.dev/app": "latency-sensitive"}
	[f] := _reported(_review(annotations, "batch"))
	f.path == ["metadata", "annotations", "class.headroom.dev/app"]
	f.container == ""
}

test_an_empty_list_allows_none if {
	[f] := _reported(_review(_latency, " , "))
	f.message == concat(" ", [
		`headroom.dev/workload-class is "latency-sensitive";`,
		"namespace shop allows no class at all (headroom.dev/allowed-classes).",
	])
	f.expected == "no class annotation"
}

test_what_is_allowed if {
	_reported(_review(_latency, "latency-sensitive")) == []
	_reported(_review(_latency, "batch,latency-sensitive")) == []

	# The sidecar is one by its name, and nobody said so.
	_reported(_review({"headroom.dev/workload-class": "batch"}, "batch")) == []
	_reported(_review({}, "batch")) == []
	_reported(_review({"headroom.dev/workload-class": "bach"}, "batch")) == []
	_reported(object.remove(_review(_latency, "batch"), ["context"])) == []
	_reported(_review(_latency, "batch").object) == []
}

test_a_list_that_is_no_text if {
	every wrong in [null, 5, ["batch"], {}] {
		_reported(_review(_latency, wrong)) == []
	}
}
