package headroom.rules.classification["class-unknown_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.classification["class-unknown"] as rule

_pod(annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [{"name": "app"}, {"name": "other"}], "initContainers": [{"name": "wait"}]},
}

_found(given) := {[f.container, f.path, sprintf("%s %s", [f.message, f.why])] |
	some f in rule.report with input as given
}

_silent := " No CPU rule judges these containers."

test_the_pod_s_class if {
	_found(_pod({"headroom.dev/workload-class": "bach"})) == {[
		"",
		["metadata", "annotations", "headroom.dev/workload-class"],
		concat("", [`headroom.dev/workload-class is "bach", which is no class; did you mean batch?`, _silent]),
	]}
}

test_nothing_near_it if {
	_found(_pod({"headroom.dev/workload-class": "web"})) == {[
		"",
		["metadata", "annotations", "headroom.dev/workload-class"],
		concat("", [`headroom.dev/workload-class is "web", which is no class.`, _silent]),
	]}
}

test_a_container_s_class if {
	annotations := {
		"headroom.dev/workload-class": "batch",
		"class.headroom.dev/app": "tenant",
		"class.headroom.dev/wait": "int",
		"class.headroom.dev/other": "cron",
		"class.headroom.dev/gone": "tenant",
	}
	{[container, path] | some [container, path, _] in _found(_pod(annotations))} == {
		["app", ["metadata", "annotations", "class.headroom.dev/app"]],
		["wait", ["metadata", "annotations", "class.headroom.dev/wait"]],
	}
}

test_classes_that_exist if {
	_found(_pod({"headroom.dev/workload-class": "batch", "class.headroom.dev/app": "cron"})) == set()
	_found(_pod({})) == set()
	_found(_pod({"headroom.dev/workload-class": "gpu"})) == set() with data.headroom.overrides as {"matrix": {"gpu": {
		"request": "average",
		"limit": "none",
	}}}
}

# HR105 speaks of them.
test_values_that_are_no_text if {
	every wrong in [null, 5, true, [], {}] {
		_found(_pod({"headroom.dev/workload-class": wrong, "class.headroom.dev/app": wrong})) == set()
	}
}

test_defaults_of_the_namespace_and_the_config if {
	review := reviews.of_object(
		_pod({}),
		{"namespaces": [{"metadata": {"annotations": {"headroom.dev/default-class": "bach"}}}]},
	)
	[[container, path, message]] := [f | some f in _found(review)]
	container == ""
	path == ["metadata", "namespace"]
	startswith(message, `the namespace's headroom.dev/default-class is "bach"`)

	[[_, _, other]] := [f | some f in _found(_pod({})) with data.headroom.overrides as {"defaultClass": "bach"}]
	startswith(other, `defaultClass of the config is "bach"`)
}

test_what_has_no_class if {
	every kind in ["Service", "Namespace"] {
		metadata := {"annotations": {"headroom.dev/workload-class": "bach"}}
		_found({"apiVersion": "v1", "kind": kind, "metadata": metadata}) == set()
	}
	_found({"apiVersion": "v1", "kind": "Service"}) == set() with data.headroom.overrides as {"defaultClass": "bach"}
	_found(_pod({"headroom.dev/default-class": "bach"})) == set()
}

test_a_namespace_s_own_default if {
	namespace := {
		"apiVersion": "v1",
		"kind": "Namespace",
		"metadata": {"annotations": {"headroom.dev/default-class": "bach"}},
	}
	{[container, path] | some [container, path, _] in _found(namespace)} == {[
		"",
		["metadata", "annotations", "headroom.dev/default-class"],
	]}
	_found({"apiVersion": "v1", "kind": "Namespace"}) == set()
	_found(json.patch(namespace, [{
		"op": "replace",
		"path": "/metadata/annotations",
		"value": {"headroom.dev/default-class": "batch"},
	}])) == set()
}

# Something fills it in before the manifest is applied.
test_placeholders if {
	every value in ["${CLASS}", "{{ .Values.class }}", "$(class)"] {
		some f in rule.report with input as _pod({"headroom.dev/workload-class": value})
		[f.severity, f.outcome] == ["warning", "possible"]
		f.message == concat("", [
			"headroom.dev/workload-class is the placeholder ",
			json.marshal(value),
			": its value is not known here, and was not judged.",
		])
	}
}
