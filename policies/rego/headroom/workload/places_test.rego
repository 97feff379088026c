package headroom.workload_test

import data.headroom.classify
import data.headroom.judge
import data.headroom.main as decision
import data.headroom.workload

# Kinds of the tests' own, in the form of package headroom.kinds.
_own_kinds := {"example.com": {
	"Rolling": {"pods": [{"template": "spec.template"}]},
	"Bare": {"pods": [{"template": ""}]},
	"Twice": {"like": "Job", "pods": [{"template": "spec.groups.*.tasks.*.template"}]},
	"Partial": {"pods": [{
		"template": "spec.pods.*",
		"partial": true,
		"given": {"main": {"limits": {"memory": "2Gi"}}},
	}]},
	"Merged": {"pods": [{
		"template": "spec.pods.*",
		"partial": true,
		"merged": true,
		"given": {"main": {"requests": {"cpu": 1, "memory": "1Gi"}, "limits": {"memory": "2Gi"}}},
	}]},
	"Steps": {"like": "CronJob", "pods": [{
		"template": "spec.templates.*",
		"containers": ["container", "set.*"],
		"init": ["first.*"],
		"beside": ["sidecars.*"],
		"name": "main",
		"unless": ["patch"],
	}]},
	"Renamed": {"pods": [{"template": "spec", "containers": ["steps.*", "last"], "resources": "computeResources"}]},
	"Amounts": {"pods": [{
		"at": "spec.driver",
		"container": "driver",
		"amounts": {
			"requests.cpu": ["coreRequest", "cores"],
			"limits.cpu": ["coreLimit"],
			"requests.memory": ["memory"],
			"limits.memory": ["memory"],
		},
		"usual": {"requests.memory": "1g", "limits.memory": "1g"},
	}]},
	"Pair": {"pods": [{
		"at": "spec",
		"container": "one",
		"pair": true,
		"units": {},
		"amounts": {
			"requests.cpu": ["cpu"], "limits.cpu": ["cpu"],
			"requests.memory": ["memory"], "limits.memory": ["memory"],
		},
	}]},
	"Server": {"pods": [{"at": "spec", "container": "server"}]},
	"Java": {"pods": [{
		"at": "spec.pools.*",
		"container": "pool",
		"name_at": "role",
		"jvm": "jvm",
		"needs": ["resources"],
	}]},
}}

_decided(object) := result if {
	result := decision.result with input as object with data.headroom.kinds.kinds as _own_kinds
}

_of_kind(kind, spec) := {"apiVersion": "example.com/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}

_containers_seen(object) := [[c.name, c.class, concat("/", [sprintf("%v", [step]) | some step in c.path])] |
	some o in _decided(object).objects
	some c in o.containers
]

_pod_template(name) := {"spec": {"containers": [{"name": name}]}}

test_where_pods_are if {
	every case in [
		["Rolling", {"template": _pod_template("a")}, [["a", "unclassified", "spec/template/spec/containers/0"]]],
		["Rolling", {"template": 1}, []],
		["Rolling", {}, []],
		["Bare", {"containers": [{"name": "a"}]}, [["a", "unclassified", "spec/containers/0"]]],
		[
			"Twice",
			{"groups": [
				{"tasks": {"x": {"template": _pod_template("a")}}},
				1,
				{"tasks": {"y": {"template": _pod_template("b")}}},
			]},
			[
				["a", "batch", "spec/groups/0/tasks/x/template/spec/containers/0"],
				["b", "batch", "spec/groups/2/tasks/y/template/spec/containers/0"],
			],
		],
		[
			"Partial",
			{"pods": [{"spec": {}}, _pod_template("main")]},
			[["main", "unclassified", "spec/pods/1/spec/containers/0"]],
		],
		[
			"Steps",
			{"templates": [
				{"dag": {}},
				{"first": [{"name": "wait"}]},
				{"container": {}, "sidecars": [{"name": "db"}], "first": [{"name": "wait"}, 1]},
				{"set": [{"name": "one"}]},
				{"container": {}, "patch": "{}"},
			]},
			[
				["main", "cron", "spec/templates/2/container"],
				["db", "sidecar", "spec/templates/2/sidecars/0"],
				["wait", "init", "spec/templates/2/first/0"],
				["one", "cron", "spec/templates/3/set/0"],
			],
		],
		["Renamed", {"steps": [{"name": "a"}, {}], "last": {}}, [
			["a", "unclassified", "spec/steps/0"],
			["steps 2", "unclassified", "spec/steps/1"],
			["last", "unclassified", "spec/last"],
		]],
		["Server", {}, [["server", "unclassified", "spec"]]],
		["Amounts", {"driver": {"cores": 1}}, [["driver", "unclassified", "spec/driver"]]],
		["Java", {"pools": [{"resources": {}}, {}, {"role": "data", "resources": {}}]}, [
			["pool", "unclassified", "spec/pools/0"],
			["data", "unclassified", "spec/pools/2"],
		]],
	] {
		[kind, spec, want] := case
		_containers_seen(_of_kind(kind, spec)) == want
	}
}

test_a_review_and_a_list_of_them if {
	tasks := [{"template": _pod_template("a")}, {"template": _pod_template("b")}]
	object := _of_kind("Twice", {"groups": [{"tasks": tasks}]})
	review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": object, "prefix": ["items", 1]}
	[path | [_, _, path] := _containers_seen(review)[_]] == [
		"items/1/spec/groups/0/tasks/0/template/spec/containers/0",
		"items/1/spec/groups/0/tasks/1/template/spec/containers/0",
	]
	count(_containers_seen({"items": [object, object]})) == 4
}

_found_by(object, rule) := [f | some f in _decided(object).findings; f.rule == rule]

# Paths and words are those of the object's own kind, and nothing is fixed there.
test_the_kind_s_own_fields if {
	steps := _of_kind("Renamed", {"steps": [
		{"name": "a", "computeResources": {"requests": {"cpu": 2}, "limits": {"cpu": 1}}},
		{"name": "b", "resources": {"requests": {"cpu": 2}, "limits": {"cpu": 1}}},
	]})
	{f.path | some f in _found_by(steps, "HR208")} == {
		["spec", "steps", 0, "computeResources", "limits", "cpu"],
		["spec", "steps", 1, "resources", "limits", "cpu"],
	}
	[driver] := _found_by(_of_kind("Amounts", {"driver": {"cores": 2, "coreLimit": "1200m", "memory": "512m"}}), "HR208")
	driver.path == ["spec", "driver", "coreLimit"]
	contains(driver.message, "coreLimit is 1200m, below cores, 2")
	not driver.fixable
	_found_by(_of_kind("Amounts", {"driver": {}}), "HR301") == []
	[asked] := _found_by(_of_kind("Amounts", {"driver": {}}), "HR201")
	asked.path == ["spec", "driver", "coreRequest"]
}

test_amounts_as_a_jvm_takes_them if {
	every case in [["512m", 536870912], ["1g", 1073741824], ["2Gb", 2147483648], ["1Gi", 1073741824], [1024, 1024]] {
		[text, bytes] := case
		containers := workload.containers with input as _of_kind("Amounts", {"driver": {"memory": text}})
			with data.headroom.kinds.kinds as _own_kinds
		[c.memory_limit | some c in containers] == [bytes]
	}
}

# One text may have limit and request.
test_a_pair_of_amounts if {
	every memory, amounts in {"2Gi:1Gi": [2147483648, 1073741824], "2Gi": [2147483648, 2147483648]} {
		containers := workload.containers with input as _of_kind("Pair", {"memory": memory})
			with data.headroom.kinds.kinds as _own_kinds
		[[c.memory_limit, c.memory_request] | some c in containers] == [amounts]
	}
	[reserved] := _found_by(_of_kind("Pair", {"cpu": 1, "memory": "2Gi:1Gi"}), "HR302")
	reserved.path == ["spec", "memory"]
	contains(reserved.message, "the request in memory is 1Gi, the limit in memory is 2Gi")
}

test_flags_of_fields if {
	every case in [
		[
			{"-Xms": "1g", "-Xmx": "2g", "-XX": {"UseG1GC": "true", "UseNUMA": false, "ConcGCThreads": 4}},
			"-Xms1g -Xmx2g -XX:ConcGCThreads=4 -XX:+UseG1GC -XX:-UseNUMA",
		],
		["-Xmx1g", "-Xmx1g"],
		[7, ""],
		[{"-Xmx": 7}, ""],
	] {
		[jvm, text] := case
		found := workload.jvm_text with input as _of_kind("Java", {"pools": [{"resources": {}, "jvm": jvm}]})
			with data.headroom.kinds.kinds as _own_kinds
		found == text
	}
	given := {"resources": {"limits": {"memory": "2Gi"}}, "jvm": {"-Xmx": "2g"}}
	[heap] := _found_by(_of_kind("Java", {"pools": [given]}), "HR304")
	heap.path == ["spec", "pools", 0, "jvm"]
	contains(heap.message, "(jvm)")
	_found_by(_of_kind("Java", {"pools": [given]}), "HR412") == []

	# The operator sizes a heap without a size.
	_found_by(_of_kind("Java", {"pools": [{"resources": {"limits": {"memory": "2Gi"}}}]}), "HR406") == []
}

test_resources_that_the_operator_gives if {
	object := _of_kind("Partial", {"pods": [{"spec": {"containers": [{"name": "main"}, {"name": "other"}]}}]})
	[f.container | some f in _found_by(object, "HR301")] == ["other"]
	main := {"name": "main", "resources": {"limits": {"cpu": 1}}}
	own := _of_kind("Partial", {"pods": [{"spec": {"containers": [main]}}]})
	[f.container | some f in _found_by(own, "HR301")] == ["main"]
}

test_kinds_of_the_config if {
	config := {"kinds": [
		{"group": "example.com", "kind": "Website", "like": "CronJob", "pods": [{"template": "spec.pod"}]},
		{"group": "example.com", "kind": "Rolling", "pods": [{"template": "spec.other"}]},
	]}
	website := _of_kind("Website", {"pod": _pod_template("a")})
	_containers_seen(website) == [["a", "cron", "spec/pod/spec/containers/0"]] with data.headroom.overrides as config
	_containers_seen(website) == []

	# What headroom knows of a kind is replaced.
	_containers_seen(_of_kind("Rolling", {"template": _pod_template("a"), "other": _pod_template("b")})) == [
		["b", "unclassified", "spec/other/spec/containers/0"],
	] with data.headroom.overrides as config
	owned := {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"ownerReferences": [
			{"kind": "Website", "controller": true},
		]},
		"spec": {"containers": [{"name": "a"}]},
	}
	classify.classes == ["cron"] with input as owned with data.headroom.overrides as config
	classify.classes == ["unclassified"] with input as owned
}

test_owners_that_are_like_kinds_of_kubernetes if {
	owned := {
		"apiVersion": "v1", "kind": "Pod", "metadata": {"ownerReferences": [
			{"kind": "Workflow", "controller": true},
		]},
		"spec": {"containers": [{"name": "a"}]},
	}
	classify.classes == ["batch"] with input as owned
}

# As many as one object may describe, and it says that there are more.
test_there_is_a_bound if {
	tasks := [{"template": _pod_template("a")} | some _ in numbers.range(1, 7)]
	many := _of_kind("Twice", {"groups": [{"tasks": tasks}]})
	found := _decided(many) with workload.max_spots as 4
	count(found.objects) == 4
	{s.reason | some s in found.skipped} == {concat(" ", [
		"only the first 4 Pods of an object are judged,",
		"and 3 more are described",
	])}
	workload.max_spots == 200
}

test_located_without_a_move if {
	judge.result.objects[0].containers[0].path == ["spec", "driver"] with input as _of_kind("Amounts", {"driver": {}})
		with data.headroom.kinds.kinds as _own_kinds
}

# Where nothing is patched, an annotation stands on the object itself.
test_annotations_stand_on_the_object if {
	steps := object.union(
		_of_kind("Renamed", {"steps": [{"name": "a"}]}),
		{"metadata": {"annotations": {"headroom.dev/workload-class": "cron"}}},
	)
	_containers_seen(steps) == [["a", "cron", "spec/steps/0"]]
	_found_by(steps, "HR103") == []
}

test_a_review_with_a_wrong_spot if {
	every wrong in [1, [], ["a", []], [7, []], [0, "a"], [0, ["spec", "none"]]] {
		object := _of_kind("Rolling", {"template": _pod_template("a")})
		review := {"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": object, "spot": wrong}
		is_array(_decided(review).findings)
	}
}

# Some operators give each field that a container does not set, others all or none.
test_resources_that_are_merged if {
	every resources, wanted in {
		{"requests": {"memory": "3Gi"}}: {"requests": {"cpu": 1, "memory": "3Gi"}, "limits": {"memory": "2Gi"}},
		{}: {"requests": {"cpu": 1, "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
		"none": "none",
	} {
		_resources_read("Merged", {"resources": resources}) == wanted
	}
	_resources_read("Merged", {}).limits == {"memory": "2Gi"}
	_resources_read("Partial", {"resources": {"requests": {"memory": "3Gi"}}}) == {"requests": {"memory": "3Gi"}}
	_resources_read("Partial", {}) == {"limits": {"memory": "2Gi"}}
}

_resources_read(kind, rest) := c.raw.resources if {
	given := _of_kind(kind, {"pods": [{"spec": {"containers": [object.union({"name": "main"}, rest)]}}]})
	some c in workload.containers with input as given with data.headroom.kinds.kinds as _own_kinds
}
