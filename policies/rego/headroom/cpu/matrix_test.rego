package headroom.cpu_matrix_test

import data.headroom.cpu
import data.headroom.reviews_test as reviews
import data.headroom.workload

pod(spec) := {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": spec}

container(sources) := object.union({"name": "app", "path": ["spec", "containers", 0]}, sources)

limit_sources := {source: container({"cpu_limit": 2000, "cpu_limit_source": source}) |
	some source in ["container", "limit-range", "pod"]
}

request_sources := {source: container({"cpu_request": 500, "cpu_request_source": source}) |
	some source in ["container", "limit", "limit-range", "pod"]
}

test_limits_in_words if {
	{source: cpu.limit_words(c) | some source, c in limit_sources} == {
		"container": "limits.cpu is 2",
		"limit-range": "limits.cpu is not set, and the namespace's LimitRange makes it 2",
		"pod": "limits.cpu of the Pod is 2",
	}
	cpu.limit_words(container({"cpu_limit": 0, "cpu_limit_source": ""})) == "there is no CPU limit"
}

test_requests_in_words if {
	{source: cpu.request_words(c) | some source, c in request_sources} == {
		"container": "requests.cpu is 500m",
		"limit": "requests.cpu is not set, so Kubernetes makes it the limit, 500m",
		"limit-range": "requests.cpu is not set, and the namespace's LimitRange makes it 500m",
		"pod": "requests.cpu of the Pod is 500m",
	}
	cpu.request_words(container({"cpu_request": 0, "cpu_request_source": ""})) == "there is no CPU request"
}

test_paths if {
	cpu.limit_path(limit_sources.container) == ["spec", "containers", 0, "resources", "limits", "cpu"]
	cpu.limit_path(limit_sources["limit-range"]) == ["spec", "containers", 0, "resources", "limits", "cpu"]
	paths := [cpu.limit_path(limit_sources.pod), cpu.request_path(request_sources.pod)] with input as pod({})
	paths == [["spec", "resources", "limits", "cpu"], ["spec", "resources", "requests", "cpu"]]
	cpu.request_path(request_sources.limit) == ["spec", "containers", 0, "resources", "requests", "cpu"]
}

test_times if {
	cpu.times("average") == 1
	cpu.times({"timesAverage": 2.5}) == 2.5
	not cpu.times("peak")
	not cpu.times({"timesAverage": "2"})
	not cpu.times("none")
}

test_a_value_of_the_pod_is_shared_by_several_containers if {
	cpu.shared("pod") with input as pod({"containers": [{"name": "a"}, {"name": "b"}]})
	not cpu.shared("pod") with input as pod({"containers": [{"name": "a"}], "initContainers": [{"name": "i"}]})
	not cpu.shared("container") with input as pod({"containers": [{"name": "a"}, {"name": "b"}]})
}

test_sentences if {
	cpu.sentence("there is none") == "There is none"
	cpu.sentence("limits.cpu is 1") == "limits.cpu is 1"
	cpu.sentence("requests.cpu is 1") == "requests.cpu is 1"
}

test_band_is_what_passes if {
	cpu.band(1000) == "25 % either way passes: 750m to 1250m"
	cpu.band(1) == "25 % either way passes: 1m to 1m"
	cpu.band(1000) == "7.5 % either way passes: 925m to 1075m" with data.headroom.overrides as {"tolerance": 0.075}
}

test_product if {
	cpu.product(1, 500) == ""
	cpu.product(2, 500) == ", 2 × the average of 500m"
}

whole := {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}

pinned_pod(containers, rest) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "p", "annotations": {"headroom.dev/cpu-pinning": "static"}},
	"spec": object.union({"containers": containers}, rest),
}

pinned(manifest) := names if {
	names := {c.name | some c in workload.containers; cpu.pinned(c)} with input as manifest
}

test_whole_cores_of_a_guaranteed_pod_are_pinned if {
	pinned(pinned_pod([{"name": "a", "resources": whole}], {})) == {"a"}
}

test_pinning_is_for_each_container if {
	half := {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"cpu": "500m", "memory": "1Gi"}}
	pinned(pinned_pod([{"name": "a", "resources": whole}, {"name": "b", "resources": half}], {})) == {"a"}
}

test_nothing_is_pinned_unless_all_of_the_pod_is_guaranteed if {
	burstable := {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}
	pinned(pinned_pod([{"name": "a", "resources": whole}, {"name": "b", "resources": burstable}], {})) == set()
	pinned(pinned_pod([{"name": "a", "resources": whole}], {"initContainers": [{"name": "i"}]})) == set()
	no_memory := {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}
	pinned(pinned_pod([{"name": "a", "resources": no_memory}], {})) == set()
	pinned(pinned_pod([{"name": "a"}], {"resources": whole})) == set()
}

test_nothing_is_pinned_without_the_annotation if {
	pinned(pod({"containers": [{"name": "a", "resources": whole}]})) == set()
}

test_what_is_not_guaranteed_pins_nothing if {
	every change in [
		[{"op": "replace", "path": "/requests/cpu", "value": "1"}],
		[{"op": "replace", "path": "/requests/memory", "value": "512Mi"}],
		[{"op": "remove", "path": "/limits/memory"}],
		[{"op": "replace", "path": "/limits/cpu", "value": "0"}, {"op": "replace", "path": "/requests/cpu", "value": "0"}],
		[
			{"op": "replace", "path": "/limits/memory", "value": "0"},
			{"op": "replace", "path": "/requests/memory", "value": "0"},
		],
	] {
		pinned(pinned_pod([{"name": "a", "resources": json.patch(whole, change)}], {})) == set()
	}
	other := object.union(pinned_pod([{"name": "a", "resources": whole}], {}), {"metadata": {"annotations": {
		"headroom.dev/cpu-pinning": "none",
	}}})
	pinned(other) == set()
}

# A KubeletConfiguration of the same input says what the annotation would. Of several that differ, which one is its
# node's is not known; what the annotation says goes first.
test_the_nodes_cpu_manager if {
	every case in [
		[[], {}, set()],
		[[{"cpuManagerPolicy": "static"}], {}, {"a"}],
		[[{"cpuManagerPolicy": "static"}, {"cpuManagerPolicy": "static"}], {}, {"a"}],
		[[{"cpuManagerPolicy": "static"}, {}], {}, set()],
		[[{"cpuManagerPolicy": "none"}], {}, set()],
		[[{}], {}, set()],
		[[{"cpuManagerPolicy": ["static"]}], {}, set()],
		[[{"cpuManagerPolicy": "static"}], {"headroom.dev/cpu-pinning": "none"}, set()],
		[[{"cpuManagerPolicy": "none"}], {"headroom.dev/cpu-pinning": "static"}, {"a"}],
	] {
		[kubelets, annotations, names] := case
		pinned(reviews.of_object(
			json.patch(pinned_pod([{"name": "a", "resources": whole}], {}), [{
				"op": "replace",
				"path": "/metadata/annotations",
				"value": annotations,
			}]),
			{"kubelets": kubelets},
		)) == names
	}
}

# The Pod's own CPU limit gives no container cores of its own.
test_whole_cores_of_the_pod_are_not_pinned if {
	memory := {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}
	own := {"requests": {"cpu": "2"}, "limits": {"cpu": "2"}}
	pinned(pinned_pod([{"name": "a", "resources": memory}], {"resources": own})) == set()
}

test_what_is_asked_of_any_container if {
	every case in [
		[pod({"containers": [{"name": "a"}]}), false],
		[pod({"containers": [{"name": "a", "resources": {"limits": {"cpu": "0"}}}]}), true],
		[pod({"containers": [{"name": "a"}], "resources": {"limits": {"cpu": "1"}}}), true],
		[pod({"containers": [{"name": "a"}, {"name": "b", "resources": {"limits": {"cpu": "1"}}}]}), true],
	] {
		[true | cpu.limited] == [true | case[1]] with input as case[0]
	}
	one := tenant([{"name": "a"}, {"name": "b"}], {"initContainers": [{"name": "i"}]})
	cpu.asked == {"average", "allocation"} with input as one
	cpu.asked_of_limits == {"allocation"} with input as one
	[c.name | some c in cpu.running] == ["a", "b"] with input as one
}

test_an_average_beside_its_neighbours if {
	cpu.said(["limits.cpu is 1", "b"]) == "limits.cpu is 1; b."
	cpu.said(["a"]) == "A."
	cpu.tenths(1.25) == 1.3
	cpu.tenths(1.24) == 1.2
	cpu.plural(1, "thread") == "1 thread"
	cpu.plural(0, "thread") == "0 threads"
	cpu.plural(2, "thread") == "2 threads"
	cpu.product(0.5, 500) == ", 0.5 × the average of 500m"
	cpu.band(3) == "25 % either way passes: 3m to 3m"
	cpu.band(2) == "25 % either way passes: 2m to 2m"
	cpu.band(4) == "25 % either way passes: 3m to 5m"
}

# Cores of its own are a whole number of them, and the smallest amount of memory is one.
test_amounts_that_are_pinned if {
	every case in [["1000m", "1", true], ["999m", "1", false], ["1001m", "1", false], ["3", "1Gi", true]] {
		resources := {list: {"cpu": case[0], "memory": case[1]} | some list in ["requests", "limits"]}
		pinned(pinned_pod([{"name": "a", "resources": resources}], {})) == {"a" | case[2]}
	}
	apart := {"requests": {"cpu": "1", "memory": "1"}, "limits": {"cpu": "1", "memory": "1"}}
	tiny := {"requests": {"cpu": "1m", "memory": "1"}, "limits": {"cpu": "1m", "memory": "1"}}
	pinned(pinned_pod([{"name": "a", "resources": apart}, {"name": "b", "resources": tiny}], {})) == {"a"}
}
