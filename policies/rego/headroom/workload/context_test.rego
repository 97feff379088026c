package headroom.workload_test

import data.headroom.reviews_test as reviews
import data.headroom.workload

_around(context, metadata) := reviews.of_object({"apiVersion": "v1", "kind": "Pod", "metadata": metadata}, context)

_empty_context := {
	"namespaces": [], "limit_ranges": [], "resource_quotas": [], "config_maps": [], "owners": [],
	"services": [], "routes": [], "autoscalers": [], "boosts": [], "nodes": [],
	"largest_node": [], "kubelets": [],
}

test_every_list_of_the_context_is_there if {
	workload.context == _empty_context with input as {"apiVersion": "v1", "kind": "Pod"}
	every wrong in [null, "a", 5, [], {}, {"owners": null, "namespaces": "a", "limit_ranges": [1, null, "a", []]}] {
		workload.context == _empty_context with input as _around(wrong, {})
		workload.namespace_annotations == {} with input as _around(wrong, {})
		workload.owner_annotations == {} with input as _around(wrong, {})
		not workload.owner_kind with input as _around(wrong, {})
	}
}

test_only_a_review_has_a_context if {
	workload.context == _empty_context with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"context": {"owners": [{"kind": "Job"}]},
	}
}

test_the_annotations_of_the_namespace if {
	workload.namespace_annotations == {"a": "b"} with input as _around(
		{
			"namespaces": [{"metadata": {"annotations": {"a": "b"}}}],
		},
		{},
	)
	workload.namespace_annotations == {} with input as _around({"namespaces": [{"metadata": {"annotations": ["b"]}}]}, {})
}

test_a_pod_goes_back_to_the_last_of_its_owners if {
	context := {"owners": [{"kind": "Job", "annotations": {}}, {"kind": "CronJob", "annotations": {"a": "b"}}]}
	workload.owner_kind == "CronJob" with input as _around(context, {})
	workload.owner_annotations == {"a": "b"} with input as _around(context, {})
}

test_without_a_context_the_controller_reference_tells if {
	references := {"ownerReferences": [{"kind": "Config"}, {"kind": "Job", "controller": true}]}
	workload.owner_kind == "Job" with input as _around({}, references)
	not workload.owner_kind with input as _around({}, {
		"ownerReferences": [{"kind": "Config", "controller": false}, "a", null],
	})
	not workload.owner_kind with input as _around({}, {"ownerReferences": "a"})
}

test_owners_without_annotations if {
	workload.owner_annotations == {} with input as _around({"owners": [{"kind": "Job"}]}, {})
	workload.owner_annotations == {} with input as _around({"owners": [{"kind": "Job", "annotations": "a"}]}, {})
}

# What no file speaks of, and what is no list, are no comments.
test_comments_of_a_file if {
	review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": {"apiVersion": "v1", "kind": "Pod"}}
	workload.comments == [] with input as review
	workload.comments == [] with input as {"apiVersion": "v1", "kind": "Pod"}
	workload.comments == [] with input as object.union(review, {"comments": "text"})
	said := [{"text": "headroom:ignore HR202 why", "paths": [[]]}]
	workload.comments == said with input as object.union(review, {"comments": said})
}

test_the_path_of_what_is_judged if {
	review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": {"apiVersion": "v1", "kind": "Pod"}}
	workload.judged_path == [] with input as review
	workload.judged_path == ["spec", "head"] with input as object.union(review, {"spot": [0, ["spec", "head"]]})
}
