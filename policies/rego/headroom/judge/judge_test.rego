package headroom.judge_test

import data.headroom.judge
import data.headroom.reviews_test as reviews

# Two rules of the test's own stand in for the catalogue: what they report is all there is.
_rules := {
	"HR202": {
		"slug": "a-rule", "category": "cpu", "severity": "error", "harm": "throttled", "certain": false,
		"size": "ms",
	},
	"HR304": {"slug": "b-rule", "category": "cpu", "severity": "error", "harm": "OOMKilled", "certain": true, "size": ""},
	"HR407": {"slug": "c-rule", "category": "cpu", "severity": "info", "harm": "style", "certain": false, "size": ""},
}

_ids := {"a-rule": "HR202", "b-rule": "HR304", "c-rule": "HR407"}

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
		"harm": "throttled",
		"certain": false,
		"unclassed": false,
		"bound": false,
		"group": "HR202",
		"class": "batch",
		"resource": _resource,
		"container": "app",
		"path": ["spec", "containers", 0],
		"message": "m.",
		"why": "",
		"expected": "e",
		"price": "",
		"figures": {},
		"size": {},
		"fix": [],
		"fixable": false,
		"withheld": "",
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
		with data.headroom.catalogue.rules as {id: object.union(rule, {"category": "node"}) | some id, rule in _rules}
		with data.headroom.catalogue.ids as _ids
	result.findings[0].class == ""
}

test_what_an_annotation_exempts if {
	exempted := object.union(_pod, {"metadata": {"annotations": {"ignore.headroom.dev/a-rule": "known"}}})
	result := _judged(exempted, {_report({})})
	result.findings == []
	result.exempted[0].suppressed == {"reason": "known", "until": "", "source": "annotation"}
}

test_what_nobody_may_exempt if {
	review := reviews.of_object(
		_pod,
		{"namespaces": [{"metadata": {"annotations": {"headroom.dev/allow-ignore": "HR304"}}}]},
	)
	_judged(review, {_report({})}).findings[0].bound
	_judged(_pod, {_report({})}).findings[0].bound == false
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

_prometheus := {"source": "Prometheus", "window_seconds": 604800, "samples": 10080, "age_seconds": 40}

_measured := reviews.of_object(
	object.union(_pod, {"spec": {"containers": [
		{"name": "app"},
		{"name": "limited", "resources": {"limits": {"cpu": "1"}}},
		{"name": "least", "resources": {"limits": {"cpu": "1m"}}},
	]}}),
	{"measured": {
		"app": object.union(_prometheus, {"cpu_average": "1", "oom_kills": 1}),
		"limited": object.union(_prometheus, {"cpu_average": "1"}),
		"least": object.union(_prometheus, {"cpu_average": "1"}),
	}},
)

test_figures_say_who_measured if {
	every case in [
		["app", {"average_millicores": 1000}, {"measured": _prometheus}],
		["app", {"cores": 2}, {"measured": _prometheus}],
		["app", {"peak_millicores": 0}, {}],
		["app", {"limit_millicores": 0}, {}],
		["app", {"wanted_gomaxprocs": 2}, {"measured": _prometheus}],
		["app", {"average_millicores": 1}, {"measured": _prometheus}],
		["app", {"peak_bytes": 1}, {}],
		["limited", {"cores": 1}, {}],
		["limited", {"wanted_gomaxprocs": 1}, {}],
		["least", {"cores": 1}, {}],
		["least", {"wanted_gomaxprocs": 1}, {}],
		["limited", {"cores": 1, "average_millicores": 1000}, {"measured": _prometheus}],
		["app", {"wanted_request_millicores": 1000}, {"measured": _prometheus}],
		["app", {"wanted_request_millicores": 0}, {}],
		["other", {"average_millicores": 1000}, {}],
		["", {"average_millicores": 1000}, {}],
	] {
		[container, figures, more] := case
		[f] := _judged(_measured, {_report({"container": container, "figures": figures})}).findings
		f.figures == object.union(figures, more)
	}

	# A cron's request is its peak, and of that nothing is known here.
	cron := object.union(_measured, {"object": {"metadata": {"annotations": {"headroom.dev/workload-class": "cron"}}}})
	[peak] := _judged(cron, {_report({"figures": {"wanted_request_millicores": 1000}})}).findings
	peak.figures == {"wanted_request_millicores": 1000}
	[average] := _judged(cron, {_report({"figures": {"average_millicores": 1000}})}).findings
	average.figures == {"average_millicores": 1000, "measured": _prometheus}
	[none] := _judged(_measured, {_report({})}).findings
	none.figures == {}
}

_all(given, reports) := result.findings if {
	result := judge.result with input as given
		with data.headroom.rules as {"cpu": {slug: {"report": found} | some slug, found in reports}}
		with data.headroom.catalogue.rules as _rules
		with data.headroom.catalogue.ids as _ids
}

_groups(given, reports) := {f.rule: f.group | some f in _all(given, reports)}

test_the_end_of_a_message_that_is_always_the_same if {
	[finding] := _judged(_pod, {_report({"why": "It always is."})}).findings
	finding.message == "m. It always is."
	finding.why == "It always is."
}

test_the_size_of_what_is_wrong if {
	[finding] := _judged(_pod, {_report({"size": 0})}).findings
	finding.size == {"value": 0, "unit": "ms"}

	# A rule that gives none, and one that gives no number.
	[none] := _judged(_pod, {_report({})}).findings
	none.size == {}
	[text] := _judged(_pod, {_report({"size": "75"})}).findings
	text.size == {}

	# What was measured is another amount each time.
	measured := _judged(_measured, {_report({"size": 75, "figures": {"average_millicores": 1000}})}).findings
	[{}] == [f.size | some f in measured]
	beside := _judged(_measured, {_report({"size": 75, "figures": {"limit_bytes": 1}})}).findings
	[{"value": 75, "unit": "ms"}] == [f.size | some f in beside]
}

test_what_follows_from_another_finding if {
	follows := {"b-rule": {_report({})}, "c-rule": {_report({"follows": ["a-rule", "b-rule"]})}}
	_groups(_pod, follows) == {"HR304": "HR304", "HR407": "HR304"}
	_groups(_pod, object.union(follows, {"a-rule": {_report({})}})).HR407 == "HR202"
	_groups(_pod, object.union(follows, {"b-rule": {_report({"container": "b"})}})).HR407 == "HR407"
	_groups(_pod, object.remove(follows, ["b-rule"])) == {"HR407": "HR407"}

	# What is less, or exempted, speaks for nothing.
	less := {
		"b-rule": {_report({"severity": "info"})},
		"c-rule": {_report({"severity": "warning", "follows": ["b-rule"]})},
	}
	_groups(_pod, less) == {"HR304": "HR304", "HR407": "HR407"}
	exempted := object.union(_pod, {"metadata": {"annotations": {"ignore.headroom.dev/HR304": "known"}}})
	_groups(exempted, follows) == {"HR407": "HR407"}
}

_severities(given) := {f.rule: f.severity | some f in _all(given, {"a-rule": {_report({})}, "b-rule": {_report({})}})}

test_only_what_is_certain_is_an_error_where_nobody_said_what_it_is if {
	nobody := object.remove(_pod, ["metadata"])
	_severities(nobody) == {"HR202": "warning", "HR304": "error"}
	_severities(_pod) == {"HR202": "error", "HR304": "error"}
	_severities(object.union(nobody, {"metadata": {"annotations": {"class.headroom.dev/app": "batch"}}})).HR202 == "error"
	of_another := {"metadata": {"annotations": {"class.headroom.dev/other": "batch"}}}
	_severities(object.union(nobody, of_another)).HR202 == "warning"
	job := {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": {"spec": {"containers": [{"name": "app"}]}}}}
	_severities(job).HR202 == "warning"
	as_config := _severities(nobody) with data.headroom.overrides as {"rules": {"HR202": {"severity": "error"}}}
	as_config.HR202 == "error"
	by_default := _severities(nobody) with data.headroom.overrides as {"defaultClass": "batch"}
	by_default.HR202 == "error"
}

_java(memory) := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [{
	"name": "app",
	"command": ["java", "-XX:MaxRAMPercentage=75", "-jar", "a.jar"],
	"resources": {"requests": {"cpu": "1", "memory": memory}, "limits": {"cpu": "2", "memory": memory}},
}]}}

_of_running(context) := [f.rule | some f in result.findings; f.rule in {"HR606", "HR607", "HR608"}] if {
	result := judge.result with input as reviews.of_object(_java("2Gi"), context)
}

# Rules about what changes while Pods run are asked where something does.
test_what_moves if {
	_of_running({}) == []
	_of_running({"before": [_java("4Gi")]}) == ["HR606"]
	_of_running({"boosts": [{"metadata": {"name": "b"}, "spec": {"resourcePolicy": {"containerPolicies": [{
		"containerName": "app",
		"percentageIncrease": {"value": 50},
	}]}}}]}) == ["HR607"]
}

# What the engine names as broken is not asked.
test_a_rule_that_is_broken_is_left_out if {
	_judged(_pod, {_report({})}).findings != []
	result := judge.result with input as _pod
		with data.headroom.rules as {"cpu": {"a-rule": {"report": {_report({})}}}}
		with data.headroom.catalogue.rules as _rules
		with data.headroom.catalogue.ids as _ids
		with data.headroom.broken as {"a-rule": true}
	result.findings == []
}

# What an annotation says of a heap is judged as what was measured now.
_said(text) := json.patch(_pod, [{
	"op": "add",
	"path": "/metadata/annotations",
	"value": {"jvm.headroom.dev/app": text},
}])

test_an_annotation_of_what_is_live_is_measured_use if {
	every text in ["live=300Mi", "version=21 processors=4"] {
		"measured" in judge._categories with input as _said(text)
	}
	not "measured" in judge._categories with input as _said("version=21 alive=2")
}
