package headroom.rules.classification["annotation-invalid_test"]

import data.headroom.rules.classification["annotation-invalid"] as rule

_pod(annotations) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": annotations},
	"spec": {"containers": [{"name": "app"}, {"name": 5}, "text"], "initContainers": [{"name": "wait"}]},
}

_namespace(annotations, labels) := {
	"apiVersion": "v1",
	"kind": "Namespace",
	"metadata": {"annotations": annotations, "labels": labels},
}

_found(given) := {[f.container, f.path[count(f.path) - 1], f.message] | some f in rule.report with input as given}

# _why is what is said of one annotation, without its key.
_why(key, value) := {trim_prefix(message, sprintf("%s ", [key])) | some [_, _, message] in _found(_pod({key: value}))}

_why_on_namespace(key, value) := {trim_prefix(message, sprintf("%s ", [key])) |
	some [_, _, message] in _found(_namespace({key: value}, {}))
}

test_annotations_that_can_be_read if {
	_found(_pod({
		"headroom.dev/workload-class": "batch",
		"headroom.dev/cpu-average": "500m",
		"headroom.dev/cpu-allocation": "4",
		"headroom.dev/cpu-pinning": "static",
		"headroom.dev/applied": "{}",
		"class.headroom.dev/app": "whatever",
		"cpu-average.headroom.dev/app": " 1 ",
		"cpu-peak.headroom.dev/wait": "1.5",
		"measured.headroom.dev/app": "date=2026-11-27 over=7d runtime=5h of=cpu-average,live",
		"memory-peak.headroom.dev/app": "512Mi",
		"runtime.headroom.dev/app": "jvm version=17",
		"jvm.headroom.dev/app": "version=17 threads=200  native=100Mi classes=20000 pause=20ms",
		"cores-per-worker.headroom.dev/app": "0.5",
		"inject.headroom.dev/app": "metaspace, code-cache,direct , stack",
		"ignore.headroom.dev/HR105": "until=2027-01-31; known",
		"ignore.headroom.dev/annotation-invalid": "",
		"example.com/headroom.dev": "of someone else",
		"notheadroom.dev/workload-class": "of someone else",
		"kubernetes.io/headroom.dev/": 5,
	})) == set()
	_found(_namespace(
		{
			"headroom.dev/default-class": "whatever",
			"headroom.dev/allowed-classes": "batch, cron,",
			"headroom.dev/allow-ignore": "HR105, annotation-invalid",
			"headroom.dev/cpu-allocation": "16",
		},
		{"headroom.dev/mode": "warn", "headroom.dev/mutate": "enabled", "app": "x"},
	)) == set()
	_found(_namespace({}, {})) == set()
	every wrong in [null, "a", 5, []] {
		_found({"kind": "Namespace", "metadata": wrong}) == set()
		_found({"kind": "Namespace", "metadata": {"labels": wrong, "annotations": wrong}}) == set()
		_found(_pod(wrong)) == set()
	}
}

test_it_stands_where_the_annotation_points if {
	_found(_pod({"cpu-average.headroom.dev/app": "0", "headroom.dev/cpu-pinning": "x"})) == {
		[
			"app",
			"cpu-average.headroom.dev/app",
			"cpu-average.headroom.dev/app is \"0\", which says nothing: it is read as not set.",
		],
		["", "headroom.dev/cpu-pinning", `headroom.dev/cpu-pinning is "x"; the one value it has is static.`],
	}
	[f] := [f | some f in rule.report with input as {
		"apiVersion": "apps/v1",
		"kind": "Deployment",
		"spec": {"template": {"metadata": {"annotations": {"headroom.dev/nothing": ""}}}},
	}]
	f.path == ["spec", "template", "metadata", "annotations", "headroom.dev/nothing"]
}

# Neither a rule nor a volume is a container, whatever its name.
test_only_containers_are_named if {
	others := _found(_pod({"headroom.dev/app": "x", "ignore.headroom.dev/app": "x"}))
	{[container, key] | some [container, key, _] in others} == {
		["", "headroom.dev/app"],
		["", "ignore.headroom.dev/app"],
	}
	volumes := json.patch(_pod({"class.headroom.dev/data": "batch"}), [{
		"op": "add",
		"path": "/spec/volumes",
		"value": [{"name": "data"}],
	}])
	_found(volumes) == {["", "class.headroom.dev/data", "class.headroom.dev/data names no container of this Pod."]}
}

test_a_pod_that_is_not_judged_has_containers_too if {
	windows := json.patch(_pod({"class.headroom.dev/app": "batch"}), [{
		"op": "add",
		"path": "/spec/os",
		"value": {"name": "windows"},
	}])
	_found(windows) == set()
}

test_unknown_keys if {
	unknown := "is no annotation that headroom knows, and has no effect"
	every key, near in {
		"headroom.dev/workload-clas": "headroom.dev/workload-class",
		"cpu-averge.headroom.dev/app": "cpu-average.headroom.dev/app",
		"headroom.dev/cpu-peak": "cpu-peak.headroom.dev/<container>",
		"headroom.dev/runtime": "runtime.headroom.dev/<container>",
		"headroom.dev/ignores": "ignore.headroom.dev/<rule>",
		"workload-class.headroom.dev/app": "class.headroom.dev/app",
	} {
		_why(key, "batch") == {sprintf("%s; did you mean %s?", [unknown, near])}
	}
	every key in ["headroom.dev/xyz", "headroom.dev/", "xyz.headroom.dev/app"] {
		_why(key, "batch") == {sprintf("%s.", [unknown])}
	}
	_why_on_namespace("headroom.dev/defaultclass", "batch") == {
		sprintf("%s; did you mean headroom.dev/default-class?", [unknown]),
	}
	_why_on_namespace("cpu-averge.headroom.dev/app", "1") == {sprintf("%s.", [unknown])}
}

test_keys_in_the_wrong_place if {
	every name in ["default-class", "mode", "workload-class", "runtime"] {
		key := sprintf("xyz.headroom.dev/%s", [name])
		_why(key, "batch") == {"is no annotation that headroom knows, and has no effect."}
	}
	every value in ["", "x", "threads=5"] {
		_why_on_namespace("jvm.headroom.dev/app", value) == {
			"is for workloads and their Pods, and has no effect on a Namespace.",
		}
	}
	every key in ["headroom.dev/default-class", "headroom.dev/allowed-classes", "headroom.dev/allow-ignore"] {
		_why(key, "batch") == {"is for Namespaces, and has no effect here."}
	}
	every key in ["headroom.dev/mode", "headroom.dev/mutate"] {
		_why(key, "off") == {"is a label of Namespaces; as an annotation it has no effect."}
		_why_on_namespace(key, "off") == {"is a label of Namespaces; as an annotation it has no effect."}
	}
	every key in ["headroom.dev/workload-class", "class.headroom.dev/app", "ignore.headroom.dev/HR105"] {
		_why_on_namespace(key, "batch") == {"is for workloads and their Pods, and has no effect on a Namespace."}
	}
}

test_values_that_are_no_text if {
	every wrong in [null, 5, true, [], {"a": 1}] {
		every key in ["headroom.dev/workload-class", "cpu-average.headroom.dev/app", "ignore.headroom.dev/HR105"] {
			[why] := [why | some why in _why(key, wrong)]
			endswith(why, ", and the values of annotations are text.")
		}
	}
}

test_an_unknown_key_is_said_once if {
	every value in [5, "until=soon", "go 1.24", "-1", ""] {
		_why("headroom.dev/xyz", value) == {"is no annotation that headroom knows, and has no effect."}
	}
}

# Annotations that other programs read, or none does: each value is wrong in the place of another.
test_values_that_this_rule_does_not_read if {
	every key in ["headroom.dev/applied", "headroom.dev/workload-class", "class.headroom.dev/app"] {
		every value in ["until=soon", "until=2027-02-30; x", "go 1.24", "-1", "0", "", "xyz", "xyz, abc", " "] {
			_why(key, value) == set()
		}
	}
	every value in ["until=soon", "-1", "0", "", "xyz"] {
		_why_on_namespace("headroom.dev/default-class", value) == set()
	}
}

test_containers_that_do_not_exist if {
	every domain in ["class", "cpu-average", "cpu-peak", "memory-peak", "runtime", "jvm", "cores-per-worker", "inject"] {
		some [container, _, message] in _found(_pod({sprintf("%s.headroom.dev/ap", [domain]): "1"}))
		container == ""
		contains(message, "names no container of this Pod; did you mean app?")
	}
	_why("class.headroom.dev/", "batch") == {"names no container of this Pod."}
	[f] := [f | some f in rule.report with input as _pod({"class.headroom.dev/x": "batch"})]
	f.expected == "the name of a container behind the slash: app, wait"
}

test_quantities if {
	every key in [
		"headroom.dev/cpu-average",
		"headroom.dev/cpu-allocation",
		"cpu-average.headroom.dev/app",
		"cpu-peak.headroom.dev/app",
	] {
		_why(key, "-1") == {`is "-1", less than nothing.`}
		_why(key, "0") == {`is "0", which says nothing: it is read as not set.`}
		count(_why(key, "lots")) == 1
		count(_why(key, "1e99999999")) == 1
	}
	_why("memory-peak.headroom.dev/app", "-1Gi") == {`is "-1Gi", less than nothing.`}
	count(_why("memory-peak.headroom.dev/app", "1GB")) == 1
	_why("cores-per-worker.headroom.dev/app", "0") == {`is "0", which says nothing: it is read as not set.`}
	count(_why("cores-per-worker.headroom.dev/app", "half")) == 1
	count(_why_on_namespace("headroom.dev/cpu-allocation", "lots")) == 1
	_why_on_namespace("headroom.dev/cpu-allocation", "0") == {
		`is "0", which says nothing: no Pod of this namespace may run.`,
	}
}

test_an_average_for_a_main_container_that_is_not_there if {
	why := _why("headroom.dev/cpu-average", "1") with data.headroom.classify.evidence as [
		{"class": "sidecar"},
		{"class": "init"},
	]
	why == set()
	only_sidecar := {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"headroom.dev/cpu-average": "1", "class.headroom.dev/app": "sidecar"}},
		"spec": {"containers": [{"name": "app"}]},
	}
	[[_, _, message]] := [f | some f in _found(only_sidecar)]
	beside := {"headroom.dev/cpu-average": "1", "headroom.dev/cpu-allocation": "1", "cpu-average.headroom.dev/app": "1"}
	count(_found(json.patch(only_sidecar, [
		{"op": "add", "path": "/metadata/annotations", "value": object.union(beside, {"class.headroom.dev/app": "sidecar"})},
	]))) == 1
	named := {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {
			"cpu-average.headroom.dev/cpu-average": "1.5",
			"class.headroom.dev/cpu-average": "sidecar",
		}},
		"spec": {"containers": [{"name": "cpu-average"}]},
	}
	_found(named) == set()
	_found(object.union(only_sidecar, {"spec": {"containers": []}})) == {[
		"",
		"class.headroom.dev/app",
		"class.headroom.dev/app names no container of this Pod.",
	]}
	contains(message, "speaks for the main container, and this Pod has none")
}

test_runtimes if {
	_why("runtime.headroom.dev/app", "java") == {`is "java", which is no runtime; did you mean jvm?`}
	_why("runtime.headroom.dev/app", "Golang 1.2") == {`is "Golang 1.2", which is no runtime; did you mean go?`}
	_why("runtime.headroom.dev/app", "rubby") == {`is "rubby", which is no runtime; did you mean ruby?`}
	_why("runtime.headroom.dev/app", "") == {`is "", which is no runtime.`}
	every value in [
		"go",
		"go version=1.24",
		"go version=go1.24.3",
		"jvm version=8u181 threads=20",
		"node version=22",
		"ruby",
		"go  version=1.24 ",
	] {
		_why("runtime.headroom.dev/app", value) == set()
	}
	every value, word in {
		"go 1.24": "1.24",
		"go version=2": "version=2",
		"jvm 17": "17",
		"jvm version=x": "version=x",
		"node 22": "22",
	} {
		_why("runtime.headroom.dev/app", value) == {sprintf("says %q, which headroom cannot read.", [word])}
	}
}

test_facts_of_a_jvm if {
	every word in [
		"version=x",
		"threads=0",
		"threads=many",
		"native=lots",
		"pause=20",
		"heap=1Gi",
		"version",
		"version=17,threads=2",
		"a=b=c",
	] {
		_why("jvm.headroom.dev/app", sprintf("classes=20000 %s", [word])) == {
			sprintf("says %q, which headroom cannot read.", [word]),
		}
	}
	_why("jvm.headroom.dev/app", " ") == {"says nothing."}
}

# A runtime of the test's own has other facts, and another example of them.
test_facts_of_each_runtime if {
	toy := {name: {"about": {"words": name, "annotation": {"expected": expected}}, "readable": {word}} |
		some [name, word, expected] in [["deno", "isolates=2", "isolates=4"], ["zig", "arena=2", "arena=4"]]
	}
	found := {[f.path[2], f.message, f.expected] |
		some f in rule.report with input as _pod({
			"deno.headroom.dev/app": "isolates=2 arena=2",
			"zig.headroom.dev/app": "arena=2",
			"zig.headroom.dev/wait": "",
		})
			with data.headroom.runtime as toy
	}
	found == {
		[
			"deno.headroom.dev/app",
			`deno.headroom.dev/app says "arena=2", which headroom cannot read.`,
			"isolates=4",
		],
		["zig.headroom.dev/wait", "zig.headroom.dev/wait says nothing.", "arena=4"],
	}
}

test_caps if {
	_why("inject.headroom.dev/app", "metaspce") == {
		`asks for "metaspce", which headroom cannot inject; did you mean metaspace?`,
	}
	_why("inject.headroom.dev/app", "heap,stack") == {`asks for "heap", which headroom cannot inject.`}
	_why("inject.headroom.dev/app", "") == {`asks for "", which headroom cannot inject.`}
}

test_exemptions if {
	_why("ignore.headroom.dev/HR999", "known") == {"names no rule, and exempts nothing."}
	_why("ignore.headroom.dev/annotation-invald", "known") == {concat(" ", [
		"names no rule, and exempts nothing;",
		"did you mean annotation-invalid?",
	])}
	every until in ["2027-02-30", "soon", "2027-1-1"] {
		_why("ignore.headroom.dev/HR105", sprintf("until=%s; known", [until])) == {sprintf(
			"ends with %q, which is no day of the calendar: it exempts nothing.",
			[until],
		)}
	}
}

test_lists_of_a_namespace if {
	every key in ["headroom.dev/allow-ignore", "headroom.dev/allowed-classes"] {
		_why_on_namespace(key, ",  ,") == set()
	}
	_why_on_namespace("headroom.dev/allowed-classes", "batch, cronjob") == {
		`allows "cronjob", which is no class; did you mean cron?`,
	}
	_why_on_namespace("headroom.dev/allow-ignore", "HR105, xyz") == {`allows "xyz", which is no rule.`}
	count(_why_on_namespace("headroom.dev/allowed-classes", 5)) == 1
}

test_labels_of_a_namespace if {
	every label, why in {
		"headroom.dev/mode": `is "wrn"; the label is one of audit, enforce, off, warn.`,
		"headroom.dev/mutate": `is "wrn"; the label is one of disabled, enabled.`,
		"headroom.dev/default-class": "is an annotation, and has no effect as a label.",
		"headroom.dev/mod": "is no label that headroom knows, and has no effect; did you mean headroom.dev/mode?",
		"headroom.dev/xyz": "is no label that headroom knows, and has no effect.",
	} {
		_found(_namespace({}, {label: "wrn"})) == {["", label, sprintf("%s %s", [label, why])]}
	}
	count(_found(_namespace({}, {"headroom.dev/mode": false}))) == 1
	labelled := object.union(_pod({"headroom.dev/xyz": ""}), {"metadata": {"labels": {"headroom.dev/mode": "wrn"}}})
	{key | some [_, key, _] in _found(labelled)} == {"headroom.dev/xyz"}
	_found(_pod({})) == set()
}

test_dates_that_cannot_be_read if {
	every value in ["lately", "over=7d", "date=2026-02-30", "date=2026-11-21 of=heap"] {
		_why("measured.headroom.dev/app", value) == {sprintf("is %q, which headroom cannot read.", [value])}
	}
}

# Something fills the value in before the manifest is applied; a key stays what it is.
test_placeholders if {
	told := `is the placeholder "${X}": its value is not known here, and was not judged.`
	every key in [
		"headroom.dev/cpu-average", "memory-peak.headroom.dev/app",
		"runtime.headroom.dev/app", "headroom.dev/cpu-pinning",
	] {
		_why(key, "${X}") == {told}
		{f.severity | some f in rule.report with input as _pod({key: "${X}"})} == {"warning"}
	}
	_why_on_namespace("headroom.dev/allowed-classes", "${X}") == {told}
	_why("ignore.headroom.dev/HR202", "see ${X}") == set()
	not told in _why("cpu-average.headroom.dev/gone", "5")
	count(_found(_pod({"headroom.dev/cpu-averag": "${X}"}))) == 1
}
