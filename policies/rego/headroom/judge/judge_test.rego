package headroom.judge_test

import data.headroom.judge

# Two rules of the test's own stand in for the catalogue: what they report is all there is.
_rules := {"HR202": {"slug": "a-rule", "category": "cpu", "severity": "error"}}

_ids := {"a-rule": "HR202"}

_report(more) := object.union(
	{"container": "app", "path": ["spec", "containers", 0], "message": "m.", "expected": "e"},
	more,
)

_judged(given, reports) := result if {
	result := judge.result with input as given
		with data.headroom.rules as {"cpu": {"a-rule": {"report": reports}, "a-rule_test": {}}}
		with data.headroom.catalogue.rules as _rules
		with data.headroom.catalogue.ids as _ids
}

_pod := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a", "namespace": "shop", "annotations": {"headroom.dev/workload-class": "batch"}},
	"spec": {"containers": [{"name": "app"}], "ephemeralContainers": [{"name": "debug"}]},
}

_resource := {"apiVersion": "v1", "kind": "Pod", "namespace": "shop", "name": "a"}

test_a_finding_gets_what_the_rule_need_not_say if {
	_judged(_pod, {_report({})}).exempted == []
	_judged(_pod, {_report({})}).findings == [{
		"rule": "HR202",
		"slug": "a-rule",
		"severity": "error",
		"class": "batch",
		"resource": _resource,
		"container": "app",
		"path": ["spec", "containers", 0],
		"message": "m.",
		"expected": "e",
		"figures": {},
		"fix": [],
		"fixable": false,
	}]
}

test_a_rule_may_say_more if {
	[finding] := _judged(_pod, {_report({"severity": "info", "figures": {"a": 1}, "fix": [_change]})}).findings
	finding.severity == "info"
	finding.figures == {"a": 1}
	finding.fix == [_change]
	finding.fixable
}

_change := {"change": "remove", "path": ["spec"]}

test_the_path_starts_at_the_document if {
	review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": _pod, "prefix": ["items", 3]}
	_judged(review, {_report({})}).findings[0].path == ["items", 3, "spec", "containers", 0]
	_judged(review, set()).objects[0].path == ["items", 3]
	_judged(review, set()).objects[0].containers[0].path == ["items", 3, "spec", "containers", 0]
}

test_the_class_is_the_container_s_or_the_pod_s if {
	with_init := object.union(_pod, {"spec": {"initContainers": [{"name": "wait"}]}})
	_judged(with_init, {_report({"container": "wait"})}).findings[0].class == "init"
	_judged(with_init, {_report({"container": ""})}).findings[0].class == "batch"
	kubelet := {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
	result := judge.result with input as kubelet
		with data.headroom.rules as {"node": {"a-rule": {"report": {_report({"container": ""})}}}}
		with data.headroom.catalogue.rules as _rules
		with data.headroom.catalogue.ids as _ids
	result.findings[0].class == ""
}

test_what_an_annotation_exempts if {
	exempted := object.union(_pod, {"metadata": {"annotations": {"ignore.headroom.dev/a-rule": "known"}}})
	result := _judged(exempted, {_report({})})
	result.findings == []
	result.exempted[0].suppressed == {"reason": "known", "until": "", "source": "annotation"}
}

test_what_the_config_exempts_or_turns_off if {
	result := _judged(_pod, {_report({})}) with data.headroom.overrides as {
		"ignore": [{"rules": ["HR202"], "reason": "chart"}],
	}
	result.findings == []
	result.exempted[0].suppressed.source == "config"

	off := _judged(_pod, {_report({})}) with data.headroom.overrides as {"rules": {"a-rule": {"severity": false}}}
	off.findings == []
	off.exempted == []

	info := _judged(_pod, {_report({})}) with data.headroom.overrides as {"rules": {"HR202": {"severity": "info"}}}
	info.findings[0].severity == "info"
}

test_what_was_skipped_and_seen if {
	result := _judged(_pod, set())
	result.skipped == [{
		"what": "ephemeral container debug",
		"reason": "ephemeral containers have no resources of their own",
		"resource": _resource,
	}]
	[seen] := result.objects
	seen.resource == _resource
	seen.judged
	[container] := seen.containers
	object.filter(container, ["name", "role", "path", "class", "evidence"]) == {
		"name": "app",
		"role": "app",
		"path": ["spec", "containers", 0],
		"class": "batch",
		"evidence": "annotation headroom.dev/workload-class",
	}
}

test_only_the_categories_that_can_apply_are_asked if {
	every case in [
		[{"apiVersion": "v1", "kind": "Service"}, {"manifest"}],
		[_pod, {"manifest", "classification", "cpu", "memory", "runtimes"}],
		[{"apiVersion": "v1", "kind": "Namespace"}, {"manifest", "classification"}],
		[{"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}, {"manifest", "node"}],
		["text", {"manifest"}],
	] {
		[given, categories] := case
		judge._categories == categories with input as given
	}
	service := _judged({"apiVersion": "v1", "kind": "Service"}, {_report({})})
	service.findings == []
	"jvm" in judge._categories with input as object.union(_pod, {"spec": {"containers": [{"command": ["java"]}]}})
}

test_figures_say_who_measured if {
	prometheus := {"source": "Prometheus", "window_seconds": 604800, "samples": 10080, "age_seconds": 40}
	review := {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": object.union(_pod, {"spec": {"containers": [
			{"name": "app"},
			{"name": "limited", "resources": {"limits": {"cpu": "1"}}},
			{"name": "least", "resources": {"limits": {"cpu": "1m"}}},
		]}}),
		"context": {"measured": {
			"app": object.union(prometheus, {"cpu_average": "1", "oom_kills": 1}),
			"limited": object.union(prometheus, {"cpu_average": "1"}),
			"least": object.union(prometheus, {"cpu_average": "1"}),
		}},
	}
	every case in [
		["app", {"average_millicores": 1000}, {"measured": prometheus}],
		["app", {"cores": 2}, {"measured": prometheus}],
		["app", {"peak_millicores": 0}, {}],
		["app", {"limit_millicores": 0}, {}],
		["app", {"wanted_gomaxprocs": 2}, {"measured": prometheus}],
		["app", {"average_millicores": 1}, {"measured": prometheus}],
		["app", {"peak_bytes": 1}, {}],
		["limited", {"cores": 1}, {}],
		["limited", {"wanted_gomaxprocs": 1}, {}],
		["least", {"cores": 1}, {}],
		["least", {"wanted_gomaxprocs": 1}, {}],
		["limited", {"cores": 1, "average_millicores": 1000}, {"measured": prometheus}],
		["app", {"wanted_request_millicores": 1000}, {"measured": prometheus}],
		["app", {"wanted_request_millicores": 0}, {}],
		["other", {"average_millicores": 1000}, {}],
		["", {"average_millicores": 1000}, {}],
	] {
		[container, figures, more] := case
		[f] := _judged(review, {_report({"container": container, "figures": figures})}).findings
		f.figures == object.union(figures, more)
	}

	# A cron's request is its peak, and of that nothing is known here.
	cron := object.union(review, {"object": {"metadata": {"annotations": {"headroom.dev/workload-class": "cron"}}}})
	[peak] := _judged(cron, {_report({"figures": {"wanted_request_millicores": 1000}})}).findings
	peak.figures == {"wanted_request_millicores": 1000}
	[average] := _judged(cron, {_report({"figures": {"average_millicores": 1000}})}).findings
	average.figures == {"average_millicores": 1000, "measured": prometheus}
	[none] := _judged(review, {_report({})}).findings
	none.figures == {}
}
