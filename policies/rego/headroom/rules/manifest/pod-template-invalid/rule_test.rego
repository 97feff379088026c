package headroom.rules.manifest["pod-template-invalid_test"]

import data.headroom.main
import data.headroom.rules.manifest["pod-template-invalid"] as rule

_of(version, kind, spec) := {"apiVersion": version, "kind": kind, "metadata": {"name": "a"}, "spec": spec}

_deployment(pod_spec) := _of("apps/v1", "Deployment", {"template": {"spec": pod_spec}})

# _found are the findings as [path, message up to the semicolon].
_found(given) := {[concat(".", [sprintf("%v", [step]) | some step in f.path]), split(f.message, ";")[0]] |
	some f in rule.report with input as given
}

_app := {"name": "app", "image": "example.com/app:1"}

test_sound_templates if {
	every given in [
		_deployment({"containers": [_app]}),
		_deployment({"containers": [_app, _app], "initContainers": [_app]}),
		_deployment({"containers": [{}], "initContainers": null}),
		_deployment({"containers": [_app], "initContainers": []}),
		_of("v1", "Pod", {"containers": [_app]}),
		_of("batch/v1", "CronJob", {"jobTemplate": {"spec": {"template": {"spec": {"containers": [_app]}}}}}),
		_of("v1", "Service", {"containers": "a"}),
	] {
		_found(given) == set()
	}
}

# Patches, and parts of objects.
test_what_is_not_there_is_no_finding if {
	every spec in [{}, {"replicas": 3}, {"template": {}}, {"template": {"spec": {}}}] {
		_found(_of("apps/v1", "Deployment", spec)) == set()
	}
	_found({"apiVersion": "v1", "kind": "Pod"}) == set()
	every spec in ["a", 5, [], {"template": {"spec": {"containers": [_app]}}}] {
		_found(_of("v1", "Service", spec)) == set()
		_found(_of("example.com/v1", "Strange", spec)) == set()
	}
	every nothing in [null, 5, "a", {}, []] {
		_found(nothing) == set()
	}
}

test_containers_that_are_no_list if {
	every case in [
		[{"app": {"image": "a"}}, `{"app":{"image":"a"}}`],
		["app", `"app"`],
		[null, "null"],
		[[], "[]"],
		[5, "5"],
		[false, "false"],
	] {
		[value, shown] := case
		_found(_deployment({"containers": value})) == {[
			"spec.template.spec.containers",
			sprintf("spec.template.spec.containers is %s, not a list with a container in it", [shown]),
		]}
	}
	_found(_deployment({"containers": [_app], "initContainers": {"a": 1}})) == {[
		"spec.template.spec.initContainers",
		`spec.template.spec.initContainers is {"a":1}, not a list`,
	]}
}

test_what_is_no_container_is_not_looked_at if {
	_found(_deployment({"containers": ["app"], "initContainers": null, "tolerations": ["a"]})) == {[
		"spec.template.spec.containers.0",
		`spec.template.spec.containers.0 is "app", not a map`,
	]}
	_found(_deployment({"containers": "app", "initContainers": null})) == {[
		"spec.template.spec.containers",
		`spec.template.spec.containers is "app", not a list with a container in it`,
	]}
	_found(_deployment({"containers": [_app], "initContainers": "a"})) == {[
		"spec.template.spec.initContainers",
		`spec.template.spec.initContainers is "a", not a list`,
	]}
}

# Its own containers go before a template elsewhere.
test_a_template_in_its_place_and_elsewhere if {
	elsewhere := {"spec": {"template": {"spec": {"containers": [_app]}}}}
	spec := {"template": {"spec": {"containers": "a"}}, "jobTemplate": elsewhere}
	_found(_of("apps/v1", "Deployment", spec)) == {[
		"spec.template.spec.containers",
		`spec.template.spec.containers is "a", not a list with a container in it`,
	]}
}

test_entries_that_are_no_containers if {
	_found(_of("v1", "Pod", {"containers": ["app", _app, null], "initContainers": [5]})) == {
		["spec.containers.0", `spec.containers.0 is "app", not a map`],
		["spec.containers.2", "spec.containers.2 is null, not a map"],
		["spec.initContainers.0", "spec.initContainers.0 is 5, not a map"],
	}
}

test_the_first_step_that_is_no_map if {
	every case in [
		[_of("apps/v1", "Deployment", "a"), "spec"],
		[_of("apps/v1", "Deployment", {"template": [_app]}), "spec.template"],
		[_deployment([_app]), "spec.template.spec"],
		[_of("v1", "Pod", [_app]), "spec"],
		[_of("batch/v1", "CronJob", {"jobTemplate": {"spec": 5}}), "spec.jobTemplate.spec"],
		[_of("apps/v1", "Deployment", null), "spec"],
		[_of("apps/v1", "Deployment", {"template": null}), "spec.template"],
		[_deployment(null), "spec.template.spec"],
		[_of("argoproj.io/v1alpha1", "Rollout", {"template": 5}), "spec.template"],
		[_of("argoproj.io/v1alpha1", "Rollout", "a"), "spec"],
		[object.union(_deployment({"containers": [_app]}), {"metadata": ["x"]}), "metadata"],
		[object.union(_deployment({"containers": [_app]}), {"metadata": {"annotations": "x"}}), "metadata.annotations"],
	] {
		[given, path] := case
		[[at, message]] := [f | some f in _found(given)]
		at == path
		startswith(message, sprintf("%s is ", [path]))
		endswith(message, ", not a map")
	}
}

test_a_template_in_another_kind_s_place if {
	template := {"spec": {"containers": [_app]}}
	every case in [
		[_of("batch/v1", "CronJob", {"template": template}), "spec.template", "CronJob", "spec.jobTemplate.spec.template"],
		[
			_of("apps/v1", "Deployment", {"jobTemplate": {"spec": {"template": template}}}),
			"spec.jobTemplate.spec.template", "Deployment", "spec.template",
		],
		[object.union(_of("batch/v1", "Job", {}), {"template": template}), "template", "Job", "spec.template"],
	] {
		[given, at, kind, wanted] := case
		_found(given) == {[at, sprintf("%s is a pod template", [at])]}
		[f] := [f | some f in rule.report with input as given]
		contains(f.message, sprintf("a %s has its containers at %s.spec.containers; the API server", [kind, wanted]))
		f.expected == sprintf("the containers at %s.spec.containers", [wanted])
	}
}

test_a_template_in_a_pod if {
	[f] := [f | some f in rule.report with input as _of("v1", "Pod", {"template": {"spec": {"containers": [_app]}}})]
	f.path == ["spec", "template"]
	f.expected == "the containers at spec.containers"
}

test_what_is_quoted_is_short if {
	[f] := [f | some f in rule.report with input as _deployment({"containers": {"a": concat("", [
	"x" |
		some _ in numbers.range(1, 1000)
	])}})]
	count(f.message) < 250
}

# Where templates stand in a list, paths have numbers.
test_templates_in_a_list if {
	every case in [
		[
			_of("argoproj.io/v1alpha1", "Experiment", {"templates": [
				{"template": {"spec": {"containers": [_app]}}},
				{"template": {"spec": {"containers": {}}}},
			]}),
			"spec.templates.1.template.spec.containers",
		],
		[
			_of("ray.io/v1", "RayCluster", {"workerGroupSpecs": [{"template": {"spec": {"containers": "a"}}}]}),
			"spec.workerGroupSpecs.0.template.spec.containers",
		],
		[_of("ray.io/v1", "RayCluster", {"workerGroupSpecs": "a"}), "spec.workerGroupSpecs"],
		[_of("ray.io/v1", "RayCluster", {"workerGroupSpecs": [5]}), "spec.workerGroupSpecs.0"],
		[
			_of("jobset.x-k8s.io/v1alpha2", "JobSet", {"replicatedJobs": [{"template": {"spec": {"template": "a"}}}]}),
			"spec.replicatedJobs.0.template.spec.template",
		],
		[
			_of("batch.volcano.sh/v1alpha1", "Job", {"tasks": {"name": "a", "template": {"spec": {"containers": [_app]}}}}),
			"spec.tasks",
		],
		[
			_of("kubeflow.org/v1", "TFJob", {"tfReplicaSpecs": {"Worker": {"template": {"spec": []}}}}),
			"spec.tfReplicaSpecs.Worker.template.spec",
		],
		[_of("tekton.dev/v1", "Task", {"steps": {"name": "a", "image": "b", "resources": {}}}), "spec.steps"],
		[_of("argoproj.io/v1alpha1", "Workflow", {"templates": [{"container": "a"}]}), "spec.templates.0.container"],
		[
			_of("elasticsearch.k8s.elastic.co/v1", "Elasticsearch", {"nodeSets": [
				{"podTemplate": {"spec": {"containers": ["a"]}}},
			]}),
			"spec.nodeSets.0.podTemplate.spec.containers.0",
		],
		[
			_of("elasticsearch.k8s.elastic.co/v1", "Elasticsearch", {"nodeSets": [{"podTemplate": {"spec": {
				"containers": {"name": "elasticsearch", "resources": {"limits": {"memory": 1}}},
			}}}]}),
			"spec.nodeSets.0.podTemplate.spec.containers",
		],
		[_of("kafka.strimzi.io/v1beta2", "Kafka", {"kafka": "a"}), "spec.kafka"],
		[_of("flink.apache.org/v1beta1", "FlinkDeployment", {"jobManager": {"resource": "1"}}), "spec.jobManager.resource"],
	] {
		{f.path_text | some f in _told(case[0])} == {case[1]}
		every f in _told(case[0]) {
			not contains(f.message, "API server")
		}
	}
}

# _told are the findings of all Pods of an object.
_told(given) := [{"message": f.message, "path_text": concat(".", [sprintf("%v", [step]) | some step in f.path])} |
	result := main.result with input as given
	some f in result.findings
	f.rule == "HR003"
]

# A map in the place of a list is one mistake, and none of its values is a container.
test_nothing_is_made_of_a_map if {
	spec := {"containers": {"name": "app", "ports": {"containerPort": 80, "name": "web"}}}
	result := main.result with input as _of("v1", "Pod", spec)
	[f.rule | some f in result.findings] == ["HR003"]
	[object.containers | some object in result.objects] == [[]]
}

test_parts_of_custom_resources_are_skipped if {
	every case in [
		[
			_of("ray.io/v1", "RayCluster", {"workerGroupSpecs": [{"template": {"spec": {"nodeSelector": {"pool": "gpu"}}}}]}),
			"spec.workerGroupSpecs.0.template.spec.containers",
		],
		[_of("argoproj.io/v1alpha1", "Rollout", {"template": null}), "spec.template.spec.containers"],
		[_of("batch.volcano.sh/v1alpha1", "Job", {}), "spec.tasks[*].template.spec.containers"],
	] {
		result := main.result with input as case[0]
		{f.rule | some f in result.findings} & {"HR003"} == set()
		reason := sprintf("there is nothing at %s: a patch, or a part of an object", [case[1]])
		[s.reason | some s in result.skipped] == [reason]
	}
}

# What does not lead to containers says nothing of them: they were judged.
test_wrong_metadata_says_nothing_of_containers if {
	every metadata in ["x", ["x"], {"annotations": "x"}, {"labels": [1]}] {
		every given in [_deployment({"containers": [_app]}), _of("kafka.strimzi.io/v1", "KafkaBridge", {"resources": {}})] {
			result := main.result with input as object.union(given, {"metadata": metadata})
			[f] := [f | some f in result.findings; f.rule == "HR003"]
			endswith(f.message, "; the API server refuses it; annotations and labels that cannot be read were taken as none.")
			not contains(f.expected, "containers")
			[count(object.containers) | some object in result.objects] == [1]
			count(result.findings) > 1
		}
	}
}

test_a_version_that_is_no_text if {
	every version, shown in {1: "1", null: "null", ["apps/v1"]: `["apps/v1"]`} {
		given := object.union(_deployment({"containers": [_app]}), {"apiVersion": version})
		[f] := [f | some f in rule.report with input as given]
		f.path == ["apiVersion"]
		f.message == sprintf("apiVersion is %s, not a text; the API server refuses it.", [shown])
		f.expected == "a group and version of Kubernetes, as apps/v1"
	}
}

# Only a Review of several Pods has a spot among them.
test_a_field_of_another_name_hides_nothing if {
	given := object.union(_deployment({"containers": "a"}), {"spot": 1})
	{f[0] | some f in _found(given)} == {"spec.template.spec.containers"}
}

# Its controller adds the containers.
test_no_containers_in_a_template_that_a_controller_completes if {
	every containers, paths in {null: set(), []: set(), "a": {"spec.template.spec.containers"}} {
		given := _of("postgresql.cnpg.io/v1", "Pooler", {"template": {"spec": {"containers": containers}}})
		{f[0] | some f in _found(given)} == paths
	}
}

# A list of maps and a map of maps look alike: the kinds' data tell which is meant.
test_maps_of_maps_are_no_lists if {
	nested := {"name": {"image": "a"}, "resources": {"limits": {"memory": "1Gi"}}}
	every case in [
		[_of("tekton.dev/v1", "Task", {"steps": nested}), "spec.steps"],
		[_of("tekton.dev/v1", "Task", {"steps": [_app], "sidecars": nested}), "spec.sidecars"],
		[_of("tekton.dev/v1", "Pipeline", {"tasks": {"a": {"taskSpec": {"steps": [_app]}}}}), "spec.tasks"],
		[
			_of("elasticsearch.k8s.elastic.co/v1", "Elasticsearch", {"nodeSets": {
				"a": {"podTemplate": {"spec": {"containers": [_app]}}},
			}}),
			"spec.nodeSets",
		],
		[
			_of("ray.io/v1", "RayCluster", {"workerGroupSpecs": {"a": {"template": {"spec": {"containers": [_app]}}}}}),
			"spec.workerGroupSpecs",
		],
		[_deployment({"containers": nested}), "spec.template.spec.containers"],
	] {
		[f.path_text | some f in _told(case[0])] == [case[1]]
	}

	every list in [{"Worker": {"template": {"spec": {"containers": [_app]}}}}] {
		given := _of("kubeflow.org/v1", "TFJob", {"tfReplicaSpecs": list})
		result := main.result with input as given
		_told(given) == []
		[count(object.containers) | some object in result.objects] == [1]
	}
}
