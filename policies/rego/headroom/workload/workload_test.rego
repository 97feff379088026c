package headroom.workload_test

import data.headroom.workload

_review(found, more) := object.union({"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": found}, more)

_deployment := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": "a", "namespace": "shop", "annotations": {"x": "workload", "y": "workload"}},
	"spec": {"template": {
		"metadata": {"annotations": {"x": "template", "z": false}},
		"spec": {"containers": [{"name": "app"}]},
	}},
}

test_the_input_itself_is_judged if {
	workload.manifest == _deployment with input as _deployment
	workload.resource == {
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"namespace": "shop",
		"name": "a",
	} with input as _deployment
	workload.path_prefix == [] with input as _deployment
}

test_the_object_of_a_review_is_judged if {
	review := _review(_deployment, {"prefix": ["items", 3], "namespace": "other"})
	workload.manifest == _deployment with input as review
	workload.path_prefix == ["items", 3] with input as review
	workload.namespace == "shop" with input as review
}

test_a_review_knows_the_namespace_of_an_object_that_names_none if {
	pod := {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "a-"}}
	workload.resource == {"apiVersion": "v1", "kind": "Pod", "namespace": "shop", "name": "a-"} with input as _review(
		pod,
		{"namespace": "shop"},
	)

	# A manifest has no such field; only a review has.
	workload.namespace == "" with input as object.union(pod, {"namespace": "shop"})
}

test_a_malformed_review_is_nothing if {
	every more in [{}, {"object": null, "prefix": "a", "namespace": 5}, {"object": 5, "prefix": null, "namespace": []}] {
		review := object.remove(_review({}, more), [key | some key in ["object"]; not more.object])
		workload.resource == {"apiVersion": "", "kind": "", "namespace": "", "name": ""} with input as review
		workload.path_prefix == [] with input as review
		workload.containers == [] with input as review
		not workload.judged with input as review
	}
}

test_every_kind_has_its_template_path if {
	every case in [
		["v1", "Pod", []],
		["v1", "ReplicationController", ["spec", "template"]],
		["apps/v1", "Deployment", ["spec", "template"]],
		["apps/v1beta1", "StatefulSet", ["spec", "template"]],
		["apps/v1beta2", "DaemonSet", ["spec", "template"]],
		["extensions/v1beta1", "ReplicaSet", ["spec", "template"]],
		["batch/v1", "Job", ["spec", "template"]],
		["batch/v1", "CronJob", ["spec", "jobTemplate", "spec", "template"]],
		["batch/v1beta1", "CronJob", ["spec", "jobTemplate", "spec", "template"]],
	] {
		[version, kind, path] := case
		workload.template_path == path with input as {"apiVersion": version, "kind": kind}
		workload.judged with input as {"apiVersion": version, "kind": kind}
	}
}

test_other_kinds_have_none if {
	every case in [["v1", "PodTemplate"], ["batch.volcano.sh/v1alpha1", "Job"], ["v1", "Service"], ["apps/v1", "Pod"]] {
		[version, kind] := case
		not workload.template_path with input as {"apiVersion": version, "kind": kind}
		not workload.judged with input as {"apiVersion": version, "kind": kind}
		workload.spec_path == ["spec"] with input as {"apiVersion": version, "kind": kind}
	}
}

test_the_spec_of_the_template if {
	workload.pod_spec == {"containers": [{"name": "app"}]} with input as _deployment
	workload.spec_path == ["spec", "template", "spec"] with input as _deployment
	pod := {"apiVersion": "v1", "kind": "Pod", "spec": {"hostNetwork": true}}
	workload.pod_spec == {"hostNetwork": true} with input as pod
	workload.spec_path == ["spec"] with input as pod
}

test_what_is_null_or_of_the_wrong_kind_is_empty if {
	every wrong in [null, "a", 5, true, ["a"], [null]] {
		every broken in [
			{"spec": wrong},
			{"spec": {"template": {"spec": wrong, "metadata": wrong}}, "metadata": wrong},
			{"spec": {"template": {"metadata": {"annotations": wrong}}}, "metadata": {"annotations": wrong, "name": wrong}},
			{"metadata": {"namespace": wrong}},
		] {
			deployment := object.union({"apiVersion": "apps/v1", "kind": "Deployment"}, broken)
			workload.pod_spec == {} with input as deployment
			workload.annotations == {} with input as deployment
			workload.containers == [] with input as deployment
			workload.resource.namespace in {"", wrong} with input as deployment
		}
	}
}

test_a_template_that_is_no_object_is_not_judged if {
	not workload.judged with input as {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": null}}
}

test_input_that_is_no_object_has_nothing if {
	every broken in [null, true, 5, "a"] {
		workload.resource == {"apiVersion": "", "kind": "", "namespace": "", "name": ""} with input as broken
		workload.containers == [] with input as broken
		workload.skipped == set() with input as broken
		not workload.judged with input as broken
		not workload.several with input as broken
	}
}

test_version_and_kind_that_are_no_text if {
	workload.resource.kind == "" with input as {"apiVersion": 1, "kind": ["Pod"]}
	workload.api_version == "" with input as {"apiVersion": 1, "kind": ["Pod"]}
}

test_the_template_wins_over_the_workload if {
	workload.annotations == {"x": "template", "y": "workload", "z": false} with input as _deployment
	workload.annotations == {"z": "t"} with input as {
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"spec": {"template": {"metadata": {"annotations": {"z": "t"}}}},
	}
}

test_an_annotation_s_path_is_where_it_stands if {
	on_template := ["spec", "template", "metadata", "annotations"]
	workload.annotation_path("x") == array.concat(on_template, ["x"]) with input as _deployment
	workload.annotation_path("z") == array.concat(on_template, ["z"]) with input as _deployment
	workload.annotation_path("y") == ["metadata", "annotations", "y"] with input as _deployment
	workload.annotation_path("none") == ["metadata", "annotations", "none"] with input as {"kind": "Namespace"}
}

test_annotations_of_a_prefix if {
	workload.annotations_of("class.headroom.dev/") == {"app": "batch", "b": 5, "": null} with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {
			"class.headroom.dev/app": "batch",
			"class.headroom.dev/b": 5,
			"class.headroom.dev/": null,
			"headroom.dev/workload-class": "cron",
		}},
	}
	every prefix in ["headroom.dev/", "other.headroom.dev/", "example.com/", ""] {
		workload.annotations_of(prefix) == {} with input as {"metadata": {"annotations": {
			"class.headroom.dev/app": "batch",
			"headroom.dev/workload-class": "cron",
			"example.com/a": "b",
			"c": "d",
		}}}
	}
}

test_a_prefix_that_leads_nowhere if {
	every prefix in [[[]], ["items", null], "items", 3] {
		review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": _deployment, "prefix": prefix}
		workload.path_prefix == [] with input as review
	}
	review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": _deployment, "prefix": ["items", 3]}
	workload.path_prefix == ["items", 3] with input as review
}

# The resources of all containers stand beside each where a variable takes another container's.
test_what_stands_beside_a_container if {
	spec := {
		"containers": [
			{"name": "a", "env": [{"name": "N", "valueFrom": {"resourceFieldRef": {
				"resource": "limits.cpu",
				"containerName": "b",
			}}}]},
			{"name": "b", "resources": {"limits": {"cpu": "2"}}},
		],
		"volumes": [{"name": "v"}],
	}
	pod := {"apiVersion": "v1", "kind": "Pod", "spec": spec}
	map := {"metadata": {"name": "m"}}
	beside := [c.beside | some c in workload.containers] with input as _review(pod, {"context": {"config_maps": [map]}})
	count(beside) == 2
	every around in beside {
		around.volumes == [{"name": "v"}]
		around.config_maps == [map]
		[[r.name, r.cpu_limit] | some r in around.resources] == [["a", 0], ["b", 2000]]
	}
	alone := workload.containers[0].beside with input as {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{}]}}
	alone == {"config_maps": [], "volumes": [], "resources": []}
}
