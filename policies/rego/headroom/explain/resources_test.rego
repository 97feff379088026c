package headroom.explain_test

import data.headroom.explain

lines(given) := {line.name: [line.value, line.source] | some line in first(given).resources}

test_where_resources_come_from if {
	limits := {"limits": {"cpu": "1500m", "memory": "0"}, "requests": {"memory": "1Gi"}}
	lines(pod({}, [{"name": "app", "resources": limits}])) == {
		"requests.cpu": ["1500m", "its own limit, since it has no request"],
		"limits.cpu": ["1500m", "container"],
		"requests.memory": ["1Gi", "container"],
		"limits.memory": ["0", "container; 0 is none"],
	}
	lines(pod({}, [{"name": "app"}])) == {name: ["", ""] |
		some name in ["requests.cpu", "limits.cpu", "requests.memory", "limits.memory"]
	}
	of_pod := object.union(pod({}, [{}]), {"spec": {"resources": {"limits": {"cpu": "2"}}}})
	lines(of_pod)["limits.cpu"] == ["2", "resources of the Pod (spec.resources)"]
}

test_amounts_that_cannot_be_read if {
	lines(pod({}, [{"resources": {"limits": {"cpu": "lots"}}}])) == {
		"requests.cpu": ["", "\"lots\" cannot be read (HR001)"],
		"limits.cpu": ["", "\"lots\" cannot be read (HR001)"],
		"requests.memory": ["", ""],
		"limits.memory": ["", ""],
	}
}

range(metadata, defaults) := {"metadata": metadata, "spec": {"limits": [object.union({"type": "Container"}, defaults)]}}

test_the_limit_range_is_named if {
	given := around(pod({}, [{}]), {"limit_ranges": [
		range({"name": "cpu"}, {"default": {"cpu": "2"}}),
		range({}, {"default": {"cpu": "4", "memory": "1Gi"}}),
	]})
	lines(given) == {
		"requests.cpu": ["2", "LimitRange news/cpu"],
		"limits.cpu": ["2", "LimitRange news/cpu"],
		"requests.memory": ["1Gi", "LimitRange of the namespace"],
		"limits.memory": ["1Gi", "LimitRange of the namespace"],
	}
}

test_skipped_containers_say_why if {
	windows := {"spec": {"os": {"name": "windows"}, "containers": [{"name": "a"}, {"name": 5}, "text"]}}
	found := explain.result with input as object.union({"apiVersion": "v1", "kind": "Pod"}, windows)
	[x.container | some x in found] == ["a", ""]
	startswith(found[0].skipped, "a Windows Pod")
	beside := explain.result with input as object.union(pod({}, [{"name": "app"}]), {"spec": {
		"ephemeralContainers": [{"name": "debug"}, "text"],
	}})
	count(beside) == 2
	beside[1] == {"container": "debug", "skipped": "ephemeral containers have no resources of their own"}
}

test_several_objects if {
	found := explain.result with input as {"items": [
		pod({}, [{"name": "a"}, {"name": "b"}]),
		pod({}, [{"name": "c"}]),
		{"apiVersion": "v1", "kind": "Service"},
	]}
	[x.detail.container | some x in found] == ["a", "b", "c"]
	found[1].path == ["items", 0, "spec", "containers", 1]
	explain.result == [] with input as "text"
}

test_what_runs if {
	given := pod({"runtime.headroom.dev/said": "native"}, [
		{"name": "said"},
		java([], {}),
		{"name": "go", "env": [{"name": "GOGC", "value": "50"}]},
		{"name": "web", "command": ["gunicorn", "-w", "8"]},
		{"name": "any", "env": [{"name": "WEB_CONCURRENCY", "value": "8"}]},
		{"name": "other"},
	])
	[[x.runtime, x.runtime_evidence] | some x in explain.result] == [
		["native", "annotation runtime.headroom.dev/said"],
		["jvm", "its command runs java"],
		["go", "GOGC is set"],
		["python", "gunicorn --workers 8"],
		["", "WEB_CONCURRENCY=8"],
		["", "nothing in the manifest shows what runs here"],
	] with input as given
}

test_each_ephemeral_container_is_said_once if {
	beside := explain.result with input as object.union(pod({}, [{"name": "app"}]), {"spec": {
		"ephemeralContainers": [{"name": "debug"}, {"name": "trace"}],
	}})
	[x.container | some x in beside; x.skipped] == ["debug", "trace"]
}

test_memory_that_cannot_be_read if {
	lines(pod({}, [{"resources": {"limits": {"memory": "lots"}}}])) == {
		"requests.cpu": ["", ""],
		"limits.cpu": ["", ""],
		"requests.memory": ["", "\"lots\" cannot be read (HR001)"],
		"limits.memory": ["", "\"lots\" cannot be read (HR001)"],
	}
	lines(pod({}, [{"resources": {"requests": {"cpu": "lots"}, "limits": {"cpu": "1m", "memory": "1"}}}])) == {
		"requests.cpu": ["", "\"lots\" cannot be read (HR001)"],
		"limits.cpu": ["1m", "container"],
		"requests.memory": ["1", "its own limit, since it has no request"],
		"limits.memory": ["1", "container"],
	}
}

test_the_smallest_default_of_a_limit_range_is_named if {
	ranges := {"limit_ranges": [
		range({"name": "none"}, {"default": {"ephemeral-storage": "1Gi"}}),
		range({"name": "least"}, {"default": {"cpu": "1m", "memory": "1"}}),
		range({"name": "more"}, {"default": {"cpu": "1", "memory": "1Gi"}}),
	]}
	given := around(pod({}, [{}]), ranges)
	{source | some [_, source] in lines(given)} == {"LimitRange news/least"}
	{source | some [_, source] in lines(object.remove(given, ["namespace"]))} == {"LimitRange least"}
}
