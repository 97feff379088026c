package headroom.rules.classification["class-not-allowed_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.classification["class-not-allowed"] as rule

_review(annotations, allowed) := reviews.of_object(
	{
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"namespace": "shop", "annotations": annotations},
		"spec": {"containers": [{"name": "app"}, {"name": "envoy"}]},
	},
	{"namespaces": [{"metadata": {"annotations": {"headroom.dev/allowed-classes": allowed}}}]},
)

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
	f.expected == "a class in headroom.dev/allowed-classes of the Namespace"
}

test_what_is_allowed if {
	_reported(_review(_latency, "latency-sensitive")) == []
	_reported(_review(_latency, "batch,latency-sensitive")) == []

	# The sidecar is one by its name, without an annotation.
	_reported(_review({"headroom.dev/workload-class": "batch"}, "batch")) == []
	_reported(_review({"headroom.dev/workload-class": "bach"}, "batch")) == []
	_reported(object.remove(_review(_latency, "batch"), ["context"])) == []
	_reported(_review(_latency, "batch").object) == []
}

_of_kind(given, judged) := json.patch(given, [{"op": "replace", "path": "/object", "value": judged}])

_job := {
	"apiVersion": "batch/v1",
	"kind": "Job",
	"metadata": {"namespace": "shop"},
	"spec": {"template": {"spec": {"containers": [{"name": "app"}]}}},
}

_cron_job := {
	"apiVersion": "batch/v1",
	"kind": "CronJob",
	"metadata": {"namespace": "shop"},
	"spec": {"jobTemplate": {"spec": _job.spec}},
}

_pod_of(kind, name) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"namespace": "shop", "ownerReferences": [{"kind": kind, "name": name, "controller": true}]},
	"spec": {"containers": [{"name": "app"}]},
}

test_an_inferred_class_is_held_to_it if {
	every case in [
		[_job, "batch", "Job"],
		[_cron_job, "cron", "CronJob"],
		[_pod_of("Job", "a"), "batch", "Job"],
		[_pod_of("Job", "a-29000000"), "cron", "CronJob"],
		[_pod_of("CronJob", "a"), "cron", "CronJob"],
	] {
		[f] := _reported(_of_kind(_review({}, "multi-tenant"), case[0]))
		f.message == sprintf("The class is %q (it belongs to a %s); %s", [
			case[1],
			case[2],
			"namespace shop allows multi-tenant only (headroom.dev/allowed-classes).",
		])
		f.expected == "one of multi-tenant"
		_reported(_of_kind(_review({}, case[1]), case[0])) == []
	}
	tenant := json.patch(_job, [{
		"op": "add",
		"path": "/spec/template/metadata",
		"value": {"annotations": {"class.headroom.dev/app": "multi-tenant"}},
	}])
	_reported(_of_kind(_review({}, "multi-tenant"), tenant)) == []
}

test_a_class_of_the_config_or_a_default_is_held_to_it if {
	every overrides in [
		{"classes": [{"namespace": "shop", "class": "batch"}]},
		{"defaultClass": "batch"},
		{"defaultClass": "sidecar"},
	] {
		found := rule.report with input as _review({}, "multi-tenant") with data.headroom.overrides as overrides
		count(found) == 1
	}
	default_class := json.patch(_review({}, "multi-tenant"), [{
		"op": "add",
		"path": "/context/namespaces/0/metadata/annotations/headroom.dev~1default-class",
		"value": "batch",
	}])
	[f] := _reported(default_class)
	startswith(f.message, `The class is "batch" (the namespace's headroom.dev/default-class); namespace shop allows`)
}

test_no_class_is_none_that_is_allowed if {
	[f] := _reported(_review({}, "batch"))
	f.message == "No class is set; namespace shop allows batch only (headroom.dev/allowed-classes)."
	f.expected == "one of batch"
	_reported(_of_kind(_review({}, "batch"), {"apiVersion": "v1", "kind": "Service"})) == []
	_reported(_of_kind(_review({}, "batch"), {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": []}})) == []
}

# A sidecar is allowed beside an allowed container: a Pod as a whole is no sidecar.
test_sidecars_are_not_refused_for_being_one if {
	native := {"name": "p", "restartPolicy": "Always"}
	allowed := {"headroom.dev/workload-class": "batch"}
	_reported(_review(object.union(allowed, {"class.headroom.dev/envoy": "sidecar"}), "batch")) == []
	_reported(json.patch(_review(allowed, "batch"), [
		{"op": "add", "path": "/object/spec/initContainers", "value": [native]},
	])) == []
	every annotations in [
		{"headroom.dev/workload-class": "sidecar"},
		{"class.headroom.dev/app": "sidecar", "class.headroom.dev/envoy": "sidecar"},
		{"class.headroom.dev/app": "sidecar"},
	] {
		count(_reported(_review(annotations, "batch"))) == 1
	}
	_reported(_review(
		{"headroom.dev/workload-class": "batch", "class.headroom.dev/app": "sidecar", "class.headroom.dev/envoy": "sidecar"},
		"batch",
	)) == []
}

test_a_list_that_is_no_text_allows_nothing if {
	every wrong in [null, false, 5, ["batch"], {}] {
		count(_reported(_review(_latency, wrong))) == 1
	}
}

_allocated(annotations) := json.patch(_review(annotations, ""), [{
	"op": "replace",
	"path": "/context/namespaces/0/metadata/annotations",
	"value": {"headroom.dev/cpu-allocation": "2"},
}])

# What a class without a limit takes is not bounded by an amount.
test_an_allocation_allows_classes_with_a_limit if {
	[f] := _reported(_allocated(_latency))
	f.message == concat(" ", [
		`headroom.dev/workload-class is "latency-sensitive";`,
		"namespace shop allocates CPU, and allows classes with a CPU limit only (headroom.dev/cpu-allocation).",
	])
	f.expected == "one of batch, cron, multi-tenant, sidecar"
	_reported(_allocated({"headroom.dev/workload-class": "batch"})) == []
	_reported(_allocated({})) == []
	both := json.patch(_allocated(_latency), [{
		"op": "add",
		"path": "/context/namespaces/0/metadata/annotations/headroom.dev~1allowed-classes",
		"value": "latency-sensitive",
	}])
	_reported(both) == []
}
