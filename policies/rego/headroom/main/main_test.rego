package headroom.main_test

import data.headroom.detail
import data.headroom.main as decision

_pod(name) := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [{"name": "app"}]}}

test_one_object if {
	result := decision.result with input as _pod("a")
	[object.resource.name | some object in result.objects] == ["a"]
	result.findings == decision.findings with input as _pod("a")
}

test_several_objects_in_their_order if {
	result := decision.result with input as {"items": [_pod("b"), _pod("a"), _pod("b")]}
	[[object.resource.name, object.path] | some object in result.objects] == [
		["b", ["items", 0]],
		["a", ["items", 1]],
		["b", ["items", 2]],
	]
}

# Some malformed value stands in every place that the policies read. The result must be
# there, whatever the input is: undefined would look like no findings.
_wrong := [null, true, 0, -1.5, "", "a", [], [null], ["a", 1, {}], {}, {"a": null}]

_total(given) if {
	[result, details] := [decision.result, detail.result] with input as given
	object.keys(result) == {"findings", "exempted", "skipped", "objects"}
	every list in result {
		is_array(list)
	}

	# Every container has its details, whatever is wrong with it.
	count(details) == sum([count(object.containers) | some object in result.objects])
}

test_total_on_any_value if {
	every wrong in _wrong {
		_total(wrong)
		_total([wrong])
		_total([{"contents": wrong}])
		_total({"items": wrong})
		_total({"items": [wrong]})
		_total({"items": [{"items": [wrong]}]})
		_total({"kind": "AdmissionReview", "request": wrong})
		_total({"kind": "AdmissionReview", "request": {"object": wrong, "namespace": wrong}})
		_total({"apiVersion": wrong, "kind": wrong, "metadata": wrong, "spec": wrong})
		_total({"apiVersion": "example.com/v1", "kind": "Strange", "spec": wrong})
		_total({"apiVersion": "example.com/v1", "kind": "Strange", "spec": {"template": {"spec": {"containers": wrong}}}})
		_total({"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "cpuCFSQuotaPeriod": wrong})
	}
}
