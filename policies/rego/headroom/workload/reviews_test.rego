package headroom.workload_test

import data.headroom.workload

_pod(name) := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}}

_in(pod, ns) := json.patch(pod, [{"op": "add", "path": "/metadata/namespace", "value": ns}])

# _seen are the reviews of an input, as [name of the object, prefix, namespace].
_seen(given) := [[review.object.metadata.name, review.prefix, review.namespace] |
	some review in workload.reviews with input as given
]

test_one_object_is_no_several if {
	not workload.several with input as _pod("a")
	not workload.several with input as {"kind": "AdmissionReview", "request": {"object": null, "oldObject": _pod("a")}}
	not workload.several with input as {"kind": "Config", "items": {"a": 1}}
}

test_a_list_is_taken_apart_in_order if {
	list := {"kind": "List", "items": [_pod("b"), "text", null, _pod("a"), _pod("b")]}
	workload.several with input as list
	_seen(list) == [["b", ["items", 0], ""], ["a", ["items", 3], ""], ["b", ["items", 4], ""]]
}

test_a_list_in_a_list if {
	list := {"kind": "List", "items": [{"kind": "PodList", "items": [1, _pod("a")]}, _pod("b")]}
	_seen(list) == [["b", ["items", 1], ""], ["a", ["items", 0, "items", 1], ""]]
}

# What stands below an object that is no list is not an item of it.
test_lists_in_lists_in_lists if {
	deep := {"items": [{"items": [{"items": [{"items": [_pod("c"), {"spec": {"items": [_pod("x")]}}, 1]}, _pod("b")]}]}]}
	_seen({"items": [deep, _pod("a")]}) == [
		["a", ["items", 1], ""],
		["c", ["items", 0, "items", 0, "items", 0, "items", 0, "items", 0], ""],
		["b", ["items", 0, "items", 0, "items", 0, "items", 1], ""],
	]
}

test_an_admission_review_is_unwrapped if {
	review := {"kind": "AdmissionReview", "request": {"namespace": "shop", "object": _pod("a")}}
	workload.several with input as review
	_seen(review) == [["a", ["request", "object"], "shop"]]
	_seen(json.patch(review, [
		{"op": "replace", "path": "/request/namespace", "value": 5},
	])) == [["a", ["request", "object"], ""]]
}

test_conftest_combine if {
	combined := [
		{"path": "a.yaml", "contents": _pod("a")},
		{"path": "b.yaml", "contents": [_pod("b"), null, "text", {"items": [_pod("c")]}]},
		{"path": "a2.yaml", "contents": _pod("a")},
		{"path": "r.json", "contents": {"kind": "AdmissionReview", "request": {"object": _pod("r")}}},
		"text",
		null,
		{"path": "empty.yaml", "contents": null},
	]
	workload.several with input as combined
	_seen(combined) == [
		["a", [], ""],
		["b", [], ""],
		["c", ["items", 0], ""],
		["a", [], ""],
		["r", ["request", "object"], ""],
	]
}

test_nothing_inside if {
	_seen([]) == []
	_seen({"items": []}) == []
	_seen([5]) == []
}

# What stands beside an object is told to it, by namespace.
test_the_context_of_each if {
	range := {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "r", "namespace": "shop"}}
	namespace := {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
	settings := {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
	quota := {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": 5}}
	service := {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s", "namespace": "shop"}}
	other := {"apiVersion": "example.com/v1", "kind": "LimitRange", "metadata": {"name": "o", "namespace": "shop"}}
	kubelet := {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration"}
	strange := {"apiVersion": "v1", "kind": ["LimitRange"], "metadata": {"name": "s", "namespace": "shop"}}
	nameless := {"apiVersion": "v1", "kind": "Namespace"}
	items := [
		_in(_pod("a"), "shop"),
		_pod("b"),
		_in(_pod("c"), "none"),
		range,
		namespace,
		settings,
		service,
		quota,
		kubelet,
		other,
		strange,
		nameless,
	]
	contexts := {review.object.metadata.name: review.context |
		some review in workload.reviews with input as {"items": items}
		review.object.kind == "Pod"
	}
	none := {
		"namespaces": [], "limit_ranges": [], "config_maps": [], "resource_quotas": [],
		"services": [], "routes": [], "autoscalers": [], "boosts": [], "kubelets": [kubelet],
	}
	contexts == {
		"a": object.union(none, {"namespaces": [namespace], "limit_ranges": [range], "services": [service]}),
		"b": object.union(none, {"config_maps": [settings]}),
		"c": {"kubelets": [kubelet]},
	}
}

# What only looks like an admission review or a list is one object.
test_what_only_looks_like_several if {
	every given in [
		{"kind": "Pod", "metadata": {"name": "a"}, "request": {"object": _pod("b")}},
		{"kind": "AdmissionReview", "metadata": {"name": "a"}, "request": {"object": [_pod("b")]}},
		{"kind": "List", "metadata": {"name": "a"}, "items": "text"},
	] {
		not workload.several with input as given
		_seen(given) == [["a", [], ""]]
	}
}

# A namespace of the wrong type does not count, and an empty list is taken apart all the same.
test_the_namespace_of_a_request if {
	pod := {"kind": "AdmissionReview", "request": {"object": _in(_pod("a"), "own"), "namespace": "shop"}}
	_seen(pod) == [["a", ["request", "object"], "shop"]]
	workload.several with input as []
	workload.several with input as {"items": []}
	namespace := {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "namespace": "other"}}
	contexts := [review.context |
		some review in workload.reviews with input as {"items": [_in(_pod("a"), "shop"), _in(_pod("b"), "other"), namespace]}
	]
	[count(object.get(context, "namespaces", [])) | some context in contexts] == [1, 0, 0]
}

# An object in a namespace that is no text says nothing about others.
test_a_namespace_that_is_no_text if {
	every ns in [5, null, ["a"]] {
		range := _in({"apiVersion": "v1", "kind": "LimitRange", "metadata": {}}, ns)
		contexts := [review.context | some review in workload.reviews with input as {"items": [_in(_pod("a"), ns), range]}]
		contexts == [{"kubelets": []}, {"kubelets": []}]
	}
}
