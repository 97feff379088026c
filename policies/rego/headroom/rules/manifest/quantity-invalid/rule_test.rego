package headroom.rules.manifest["quantity-invalid_test"]

import data.headroom.rules.manifest["quantity-invalid"] as rule

_pod(spec) := {"apiVersion": "v1", "kind": "Pod", "spec": spec}

_with(resources) := _pod({"containers": [{"name": "app", "resources": resources}]})

# _found are the findings as [container, path below the Pod's spec, message].
_found(given) := {[f.container, array.slice(f.path, 1, 9), f.message] | some f in rule.report with input as given}

_sound := {"cpu": "1", "memory": "1Gi"}

test_sound_quantities if {
	every resources in [
		{"requests": _sound, "limits": _sound},
		{"requests": {"cpu": 2, "memory": 1073741824}, "limits": {"cpu": "8192", "memory": "4Pi"}},
		{"requests": {"cpu": "0", "memory": " 1Gi "}, "limits": {"ephemeral-storage": "1e9", "nvidia.com/gpu": "1"}},
		{"requests": {"hugepages-2Mi": "80Mi", "cpu": "100u"}},
		{"limits": null, "requests": null},
		{"limits": {"ephemeral-storage": "64Pi", "nvidia.com/gpu": "100k"}},
		{"other": {"cpu": "x"}, "claims": "x"},
		{"requests": {"cpu": 1.5, "memory": 1.5}},
		{"claims": [{"name": "gpu"}]},
		{},
		null,
	] {
		_found(_with(resources)) == set()
		_found(_pod({"containers": [], "resources": resources})) == set()
	}
	_found(_pod({"containers": [{"name": "app"}]})) == set()
}

test_a_quantity_that_cannot_be_read if {
	every wrong in ["lots", "1MB", "5gI", "", "1 Gi", "NaN", "١", "1Ki1", "--1"] {
		[[container, path, message]] := [f | some f in _found(_with({
			"requests": _sound,
			"limits": {"cpu": wrong, "memory": "1Gi"},
		}))]
		container == "app"
		path == ["containers", 0, "resources", "limits", "cpu"]
		startswith(message, "limits.cpu \"")
		endswith(message, "; the API server refuses it.")
	}
}

test_a_value_that_is_no_quantity_at_all if {
	every wrong in [true, [], {"a": 1}] {
		[[_, path, message]] := [f | some f in _found(_with({"requests": {"memory": wrong}}))]
		path == ["containers", 0, "resources", "requests", "memory"]
		contains(message, "a quantity is a string or a number; the API server refuses it.")
	}
	_found(_with({"requests": _sound, "limits": {"cpu": null, "memory": "1Gi"}})) == {[
		"app",
		["containers", 0, "resources", "limits", "cpu"],
		"limits.cpu is null: whatever fills it in has left it empty, and it counts as not set.",
	]}
}

test_a_placeholder_is_not_known if {
	[found] := [f | some f in rule.report with input as _with({"limits": {"cpu": "${CPU}"}, "requests": _sound})]
	[found.severity, found.outcome] == ["warning", "possible"]
	found.path == ["spec", "containers", 0, "resources", "limits", "cpu"]
	found.message == `limits.cpu is the placeholder "${CPU}": its value is not known here, and was not judged.`
}

test_what_hangs_who_compares_it if {
	every wrong in ["1e99999999", "1e-99999999", "2E6024865272343", concat("", ["1" | some _ in numbers.range(1, 33)])] {
		[[_, _, message]] := [f | some f in _found(_with({"limits": {"memory": wrong}}))]
		endswith(message, "; programs that compare such a number have hung on it.")
	}
}

test_less_than_nothing if {
	_found(_with({"requests": _sound, "limits": {"cpu": "-500m", "memory": "1Gi"}})) == {[
		"app",
		["containers", 0, "resources", "limits", "cpu"],
		`limits.cpu is "-500m", below 0; the API server refuses it.`,
	]}
}

test_more_than_a_node_has if {
	_found(_with({"requests": _sound, "limits": {"cpu": "100k", "memory": "64Pi"}})) == {
		[
			"app",
			["containers", 0, "resources", "limits", "cpu"],
			`limits.cpu is "100k", which is 100000 cores; no node has more than 8192.`,
		],
		[
			"app",
			["containers", 0, "resources", "limits", "memory"],
			`limits.memory is "64Pi", which is 64 PiB; no node has more than 4.`,
		],
	}
	figures := {f.figures | some f in rule.report with input as _with({"requests": {"cpu": 8193}})}
	figures == {{"given_millicores": 8193000, "most_millicores": 8192000}}
}

test_half_a_device if {
	_found(_with({"limits": {"nvidia.com/gpu": "0.5"}})) == {[
		"app",
		["containers", 0, "resources", "limits", "nvidia.com/gpu"],
		`limits.nvidia.com/gpu is "0.5"; devices come whole, and the API server refuses a part of one.`,
	]}
}

test_what_is_no_map if {
	every wrong in ["a", 5, true, [], [{"cpu": "1"}]] {
		[[_, path, message]] := [f | some f in _found(_with(wrong))]
		path == ["containers", 0, "resources"]
		startswith(message, "resources is ")
		endswith(message, ", not a map; the API server refuses it.")

		[[_, below, other]] := [f | some f in _found(_with({"limits": wrong, "requests": {"cpu": "1"}}))]
		below == ["containers", 0, "resources", "limits"]
		startswith(other, "limits is ")
	}
}

test_init_containers_and_the_pod_itself if {
	bad := {"requests": {"cpu": "x"}}
	pod := _pod({"containers": [], "initContainers": [{"name": "wait", "resources": bad}], "resources": bad})
	{[container, path] | some [container, path, _] in _found(pod)} == {
		["wait", ["initContainers", 0, "resources", "requests", "cpu"]],
		["", ["resources", "requests", "cpu"]],
	}
}

test_a_pod_that_is_not_judged if {
	bad := {"requests": {"cpu": "x"}}
	_found(_pod({"os": {"name": "windows"}, "containers": [{"name": "app", "resources": bad}], "resources": bad})) == set()
	_found({"apiVersion": "v1", "kind": "Service", "spec": {"resources": bad}}) == set()
}

test_what_is_quoted_is_short_and_harmless if {
	value := concat("", ["\u001b[2J" | some _ in numbers.range(1, 100)])
	some f in rule.report with input as _with({"requests": {"cpu": value}, "limits": {value: "x"}})
	not contains(f.message, "\u001b")
	count(f.message) < 300
}

test_what_is_wanted if {
	wanted := {f.path[count(f.path) - 1]: f.expected |
		some f in rule.report with input as _with({"requests": {
			"cpu": "x",
			"memory": "x",
			"ephemeral-storage": "x",
			"nvidia.com/gpu": "x",
		}})
	}
	wanted == {
		"cpu": "a quantity such as 500m or 2",
		"memory": "a quantity such as 512Mi or 2Gi",
		"ephemeral-storage": "a quantity such as 512Mi or 2Gi",
		"nvidia.com/gpu": "a whole number of nvidia.com/gpu",
	}
	{f.expected | some f in rule.report with input as _with([])} == {
		"requests and limits as maps of resource names to quantities",
	}
}

# What is taken for usual at a glance is in order when it is looked at.
test_usual_quantities_have_no_problem if {
	every name, values in {
		"cpu": ["0m", "999999m", "0", "999", "999.999", "0.001", "007", "1.0"],
		"memory": ["0Ki", "999999Ki", "999999Mi", "999999Gi", "0k", "999999k", "999999M", "999999G"],
	} {
		every value in values {
			rule._usual(name, value)
			not rule._problem(name, value)
		}
	}
	every name, values in {
		"cpu": ["1000", "1000000m", "1.0000", "-1", "+1", "1.", ".5", "", "1e3", " 1", "1M"],
		"memory": ["1000000Ki", "1Ti", "1K", "1", "1.5Gi", "-1Gi", "", "Gi"],
		"ephemeral-storage": ["1Gi"],
	} {
		every value in values {
			not rule._usual(name, value)
		}
	}
}

_of_nodes(nodes, in_cluster, spec) := {[f.message, f.severity, f.outcome] |
	some f in rule.report with input as {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec},
		"context": {"largest_node": in_cluster},
	}
		with data.headroom.overrides as {"nodes": nodes}
}

_asking(requests) := {"containers": [{"name": name, "resources": {"requests": resources}} |
	some name, resources in requests
]}

# A Pod that asks for more than the largest node has stays Pending; limits may be more.
test_more_than_the_largest_node if {
	two := _asking({"a": {"cpu": "10", "memory": "40Gi"}, "b": {"cpu": "7", "memory": "24Gi"}})
	cpu := "The Pod asks for 17 CPU, and the largest node has 16 CPU (nodes in headroom.yaml)."
	_of_nodes({"cores": 16}, [], two) == {[cpu, "error", "certain"]}
	_of_nodes({"cores": 17}, [], two) == set()
	_of_nodes({"memory": "64Gi"}, [], two) == set()
	_of_nodes({"memory": "60Gi"}, [], object.union(two, {"overhead": {"memory": "1Gi"}})) == {[
		"The Pod asks for 65Gi of memory, and the largest node has 60Gi of memory (nodes in headroom.yaml).",
		"error",
		"certain",
	]}
	_of_nodes({}, [{"cpu": "16"}], two) == {[
		"The Pod asks for 17 CPU, and the largest node has 16 CPU now.",
		"warning",
		"possible",
	]}
	_of_nodes({"cores": 32}, [{"cpu": "16"}], two) == set()
	_of_nodes({}, [], two) == set()
	limited := {"containers": [{"name": "a", "resources": {"requests": {"cpu": 1}, "limits": {"cpu": "64"}}}]}
	_of_nodes({"cores": 16}, [], limited) == set()
	of_pod := {"resources": {"requests": {"cpu": "20"}}, "containers": [{"name": "a"}]}
	count(_of_nodes({"cores": 16}, [], of_pod)) == 1
}

# What no node anywhere has is one finding.
test_more_than_any_node if _of_nodes({"cores": 16}, [], _asking({"a": {"cpu": "9000"}})) == set()
