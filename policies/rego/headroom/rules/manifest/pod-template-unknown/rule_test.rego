package headroom.rules.manifest["pod-template-unknown_test"]

import data.headroom.rules.manifest["pod-template-unknown"] as rule

_template := {"metadata": {}, "spec": {"containers": [{"name": "app", "image": "example.com/app:1"}]}}

_of(version, kind, rest) := object.union({"apiVersion": version, "kind": kind, "metadata": {"name": "a"}}, rest)

_paths(given) := {f.path | some f in rule.report with input as given}

test_kinds_that_carry_a_template if {
	every case in [
		["example.com/v1alpha1", "Rollout", {"spec": {"template": _template}}, ["spec", "template"]],
		["v1", "DeploymentConfig", {"spec": {"template": _template}}, ["spec", "template"]],
		[
			"batch.example.com/v1alpha1", "Job",
			{"spec": {"tasks": [{"name": "a", "template": _template}]}},
			["spec", "tasks", 0, "template"],
		],
		[
			"example.com/v1", "JobSet",
			{"spec": {"replicatedJobs": [{"template": {"spec": {"template": _template}}}]}},
			["spec", "replicatedJobs", 0, "template", "spec", "template"],
		],
		[
			"kubernetes.crossplane.io/v1alpha2", "Object",
			{"spec": {"forProvider": {"manifest": {"kind": "Deployment", "spec": {"template": _template}}}}},
			["spec", "forProvider", "manifest", "spec", "template"],
		],
		[
			"kubernetes.crossplane.io/v1alpha2", "Object",
			{"spec": {"forProvider": {"manifest": {"spec": {"jobTemplate": {"spec": {"template": _template}}}}}}},
			["spec", "forProvider", "manifest", "spec", "jobTemplate", "spec", "template"],
		],
		["example.com/v1", "Flat", {"a": {"b": _template}}, ["a", "b"]],
		["example.com/v1", "Cache", {"spec": {"resources": {"limits": {"memory": "1Gi"}}}}, ["spec"]],
		[
			"helm.toolkit.fluxcd.io/v2", "HelmRelease",
			{"spec": {"values": {"web": {"resources": {"requests": {"cpu": 1}}}}}},
			["spec", "values", "web"],
		],
		[
			"monitoring.coreos.com/v1", "Prometheus",
			{"spec": {"containers": [{"name": "a"}], "resources": {"limits": {"cpu": 1}}}},
			["spec"],
		],
		["example.com/v1", "Deep", {"a": {"b": {"c": _template}}}, ["a", "b", "c"]],
		# A version that Kubernetes does not have: nothing else would say that it was not judged.
		["apps/v2", "Deployment", {"spec": {"template": _template}}, ["spec", "template"]],
		["", "Pod", _template, []],
		["apps/v1", "Deploymnt", {"spec": {"template": _template}}, ["spec", "template"]],
		["apps/v1", "deployment", {"spec": {"template": _template}}, ["spec", "template"]],
	] {
		[version, kind, rest, path] := case
		_paths(_of(version, kind, rest)) == {path}
	}
}

test_kinds_that_carry_none if {
	every case in [
		["v1", "Pod", _template],
		["apps/v1", "Deployment", {"spec": {"template": _template}}],
		["argoproj.io/v1alpha1", "Rollout", {"spec": {"template": _template}}],
		["jobset.x-k8s.io/v1alpha2", "JobSet", {"spec": {"replicatedJobs": [
			{"template": {"spec": {"template": _template}}},
			{"template": {"spec": {"template": _template}}},
		]}}],
		["v1", "ConfigMap", {"data": {"spec": {"template": _template}}}],
		["apiextensions.k8s.io/v1", "CustomResourceDefinition", {"spec": {"a": _template}}],
		[
			"admission.k8s.io/v1",
			"AdmissionReview",
			{"request": {"object": null, "oldObject": {"spec": {"template": _template}}}},
		],
		["monitoring.coreos.com/v1", "Prometheus", _template],
		["kyverno.io/v1", "ClusterPolicy", {"spec": {"rules": [{"mutate": {"patchStrategicMerge": _template}}]}}],
		["policies.kyverno.io/v1alpha1", "MutatingPolicy", {"spec": {"a": _template}}],
		["mutations.gatekeeper.sh/v1", "Assign", {"spec": {"parameters": {"assign": {"value": _template}}}}],
		["example.com/v1", "Pattern", {"spec": {"containers": [{"(resources)": {}}]}}],
		["example.com/v1", "Strange", {"spec": {"template": {"spec": {"containers": []}}}}],
		["example.com/v1", "Strange", {"spec": {"template": {"spec": {"containers": {"name": "a"}}}}}],
		["example.com/v1", "Strange", {"status": {"template": _template}}],
		["example.com/v1", "Store", {"spec": {"resources": {"requests": {"storage": "1Gi"}}}}],
		["example.com/v1", "Store", {"spec": {"resources": {"limits": {"cpu": null}}}}],
		["example.com/v1", "TooDeep", {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": _template}}}}}}}}],
	] {
		[version, kind, rest] := case
		_paths(_of(version, kind, rest)) == set()
	}
	every wrong in [null, 5, "a", {}] {
		_paths(wrong) == set()
	}
}

test_the_message_names_kind_and_place if {
	two := _of("batch.example.com/v1alpha1", "Job", {"spec": {"tasks": [
		{"template": _template},
		{"template": _template},
	]}})
	[f] := [f | some f in rule.report with input as two]
	contains(f.message, "batch.example.com/v1alpha1 Job is not a kind that headroom knows")
	contains(f.message, "2 pod templates, the first at spec.tasks.0.template:")
	f.figures == {"pod_templates": 2}

	[g] := [f | some f in rule.report with input as _of("example.com/v1", "Rollout", {
		"spec": {"template": _template},
	})]
	contains(g.message, "carries a pod template at spec.template:")

	[d] := [f | some f in rule.report with input as _of("apps/v1", "deployment", {"spec": {"template": _template}})]
	endswith(d.message, "its containers were not judged; did you mean Deployment?")
	d.expected == "one of the kinds of apps/v1: DaemonSet, Deployment, ReplicaSet, StatefulSet"
	g.expected == "the Pods themselves linted, or judged by headroom's webhook as they are created"

	[h] := [f | some f in rule.report with input as _of("", "Pod", _template)]
	startswith(h.message, "Pod is not a kind that headroom knows, and carries a Pod's containers:")
}

# A great map beside the template does not hide it.
test_the_search_is_bounded if {
	many := {sprintf("k%d", [i]): {"a": [i]} | some i in numbers.range(1, 3000)}
	_paths(_of("example.com/v1", "Big", {"spec": {"data": many, "template": _template}})) == {["spec", "template"]}
	_paths(_of("example.com/v1", "Big", {"spec": {"data": many, "tasks": [{"template": _template}]}})) == {[
		"spec",
		"tasks",
		0,
		"template",
	]}
}

_maps(n) := {sprintf("k%04d", [i]): {} | some i in numbers.range(1, n)}

test_as_many_maps_as_are_looked_at if {
	every before, paths in {63: {["spec", "z"]}, 64: set()} {
		_paths(_of("example.com/v1", "Big", {"spec": object.union(_maps(before), {"z": _template})})) == paths
	}

	# 31 maps of 64 each, and one more.
	every before, paths in {15: {["spec", "k9999", "z"]}, 16: set()} {
		rows := {name: _maps(64) | some name, _ in _maps(31)}
		last := {"k9999": object.union(_maps(before), {"z": _template})}
		_paths(_of("example.com/v1", "Big", {"spec": object.union(rows, last)})) == paths
	}
}

test_texts_and_numbers_do_not_count if {
	texts := {name: "a" | some name, _ in _maps(100)}
	_paths(_of("example.com/v1", "Big", {"spec": object.union(texts, {"z": _template})})) == {["spec", "z"]}
}

test_a_pod_of_another_group_that_has_a_template if {
	_paths(_of("example.com/v1", "Pod", {"spec": {"template": _template}})) == {["spec", "template"]}
	_paths(_of("example.com/v1", "Pod", {"spec": {}})) == set()
}

test_the_message_tells_what_is_carried if {
	cache := _of("example.com/v1", "Cache", {"spec": {"a": {"resources": {"limits": {"memory": "1Gi"}}}}})
	[f] := [f | some f in rule.report with input as cache]
	contains(f.message, "carries resources at spec.a:")
	patched := _of("monitoring.coreos.com/v1", "Prometheus", {"spec": {
		"containers": [{"name": "prometheus"}],
		"resources": {"limits": {"memory": "1Gi"}},
	}})
	[g] := [f | some f in rule.report with input as patched]
	contains(g.message, "Prometheus has no pod template that shows all that will run, and carries resources at spec:")
}

# A long group may be cut; the kind is what somebody looks for.
test_the_kind_is_seen_whole if {
	group := "infrastructure.clusters.applications.example.com/v1alpha1"
	some f in rule.report with input as _of(group, "KafkaConnectorDeploymentTemplateConfiguration", {"a": _template})
	startswith(f.message, concat(" ", [
		"infrastructure.clusters.applications.ex… KafkaConnectorDeploymentTemplateConfiguration",
		"is not a kind",
	]))
}
