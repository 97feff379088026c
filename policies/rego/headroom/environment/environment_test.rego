package headroom.environment_test

import data.headroom.environment
import data.headroom.reviews_test as reviews
import data.headroom.workload

review(containers, config_maps) := reviews.of_pod({}, containers, {"config_maps": config_maps})

pod(container) := review({"containers": [object.union({"name": "app"}, container)]}, [])

setting(container, name) := found if {
	found := environment.setting(workload.containers[0], name) with input as pod(container)
}

literal(name, value) := {"name": name, "value": value}

from_resource(name, ref) := {"name": name, "valueFrom": {"resourceFieldRef": ref}}

test_where_nothing_is_set if {
	every case in [
		[{}, true],
		[{"env": [literal("PATH", "/")]}, true],
		[{"env": [literal("GOGC", "30")]}, false],
		[{"envFrom": [{"secretRef": {"name": "s"}}]}, false],
		[{"env": [literal("GOGC", "30")], "envFrom": [{"secretRef": {"name": "s"}}]}, false],
	] {
		[container, silent] := case
		[true | environment.silent] == [true] == silent with input as pod(container)
	}
	beside := {"containers": [{"name": "app"}, {"name": "b", "env": [literal("GOGC", "30")]}]}
	found := environment.present with input as review(beside, [])
	found == [set(), {"GOGC"}]
}

test_another_container_s_amount if {
	spec := {"containers": [
		{"name": "app", "env": [from_resource("GOMAXPROCS", {"resource": "limits.cpu", "containerName": "b"})]},
		{"resources": {"limits": {"cpu": "3"}}},
		{"name": "b", "resources": {"limits": {"cpu": "4"}}},
	]}
	found := environment.setting(workload.containers[0], "GOMAXPROCS") with input as review(spec, [])
	found.value == 4
	own := json.patch(spec, [{
		"op": "replace",
		"path": "/containers/0/env/0/valueFrom/resourceFieldRef/containerName",
		"value": "",
	}])
	node := environment.setting(workload.containers[0], "GOMAXPROCS") with input as review(own, [])
	node.node
	node.value == 0
}

test_only_the_names_that_matter if {
	container := {"env": [literal("GOGC", "30"), literal("PATH", "/"), literal("WEB_CONCURRENCY", "4")]}
	found := environment.present with input as pod(container)
	found == [{"GOGC", "WEB_CONCURRENCY"}]
}

test_odd_environments_have_none if {
	every env in [null, [], {}, "GOGC", [null, 1, "GOGC", {}, {"name": 1}]] {
		found := environment.present with input as pod({"env": env})
		found == [set()]
	}
}

config_map := {"kind": "ConfigMap", "metadata": {"name": "go"}, "data": {"GOGC": "30", "PROCS": "4"}}

test_config_maps_of_the_same_input if {
	spec := {"containers": [{
		"name": "app",
		"env": [literal("GOMEMLIMIT", "1GiB")],
		"envFrom": [{"configMapRef": {"name": "go"}}, {"configMapRef": {"name": "go"}, "prefix": "GOMAX"}],
	}]}
	object := review(spec, [config_map])
	present := environment.present with input as object
	present == [{"GOGC", "GOMAXPROCS", "GOMEMLIMIT"}]
	found := environment.setting(workload.containers[0], "GOMAXPROCS") with input as object
	found == {"state": "literal", "text": "4", "path": ["spec", "containers", 0, "envFrom", 1]}
	hidden := environment.hidden(workload.containers[0]) with input as object
	hidden == []
}

test_secrets_and_other_config_maps_are_hidden if {
	spec := {"containers": [{
		"name": "app",
		"envFrom": [{"configMapRef": {"name": "elsewhere"}}, {"secretRef": {"name": "s"}}],
	}]}
	hidden := environment.hidden(workload.containers[0]) with input as review(spec, [config_map])
	count(hidden) == 2
	contains(hidden[0], "elsewhere")
	contains(hidden[1], "Secret s")
}

test_absent if setting({"env": [literal("GOGC", "30")]}, "GOMAXPROCS") == {"state": "absent"}

test_the_last_of_two_wins if {
	found := setting({"env": [literal("GOGC", "30"), literal("GOGC", "40")]}, "GOGC")
	found == {"state": "literal", "text": "40", "path": ["spec", "containers", 0, "env", 1, "value"]}
}

test_unknown if {
	secret := {"name": "GOMAXPROCS", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
	setting({"env": [secret]}, "GOMAXPROCS") == {"state": "unknown", "path": ["spec", "containers", 0, "env", 0]}
	field := {"name": "GOMAXPROCS", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
	setting({"env": [field]}, "GOMAXPROCS").state == "unknown"
}

# A variable whose value refers to one that cannot be seen.
test_a_part_that_is_not_known if {
	secret := {"name": "PART", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
	setting({"env": [secret, literal("GOGC", "$(PART)")]}, "GOGC").state == "unknown"
	setting({"env": [literal("PART", "4"), literal("GOGC", "$(PART)0")]}, "GOGC").text == "40"
}

resources := {"requests": {"cpu": "300m", "memory": "400Mi"}, "limits": {"cpu": "1500m", "memory": "400Mi"}}

# What the kubelet makes of a resourceFieldRef: divided, rounded up.
amounts := [
	[{"resource": "limits.cpu"}, 2, false],
	[{"resource": "limits.cpu", "divisor": "1"}, 2, false],
	[{"resource": "limits.cpu", "divisor": "0"}, 2, false],
	[{"resource": "limits.cpu", "divisor": ""}, 2, false],
	[{"resource": "limits.cpu", "divisor": "1m"}, 1500, true],
	[{"resource": "requests.cpu"}, 1, false],
	[{"resource": "requests.cpu", "divisor": "1"}, 1, false],
	[{"resource": "requests.cpu", "divisor": "1m"}, 300, true],
	[{"resource": "limits.memory"}, 419430400, false],
	[{"resource": "limits.memory", "divisor": "1Mi"}, 400, true],
	[{"resource": "requests.memory", "divisor": 1}, 419430400, false],
	[{"resource": "limits.cpu", "containerName": "app"}, 2, false],
]

test_resource_fields if {
	every entry in amounts {
		[ref, value, divided] := entry
		found := setting({"env": [from_resource("GOMAXPROCS", ref)], "resources": resources}, "GOMAXPROCS")
		found == {
			"state": "resource",
			"resource": ref.resource,
			"value": value,
			"node": false,
			"divided": divided,
			"path": ["spec", "containers", 0, "env", 0],
		}
	}
}

test_without_a_limit_the_nodes_amount if {
	found := setting({"env": [from_resource("GOMAXPROCS", {"resource": "limits.cpu"})]}, "GOMAXPROCS")
	found.node
	request := setting({"env": [from_resource("GOMAXPROCS", {"resource": "requests.cpu"})]}, "GOMAXPROCS")
	request.value == 0
	not request.node
}

test_resource_fields_that_cannot_be_read if {
	refs := [
		null, "limits.cpu", [], {}, {"resource": "limits.ephemeral-storage"}, {"resource": 1}, {"resource": null},
		{"resource": "limits.cpu", "containerName": "other"},
	]
	every ref in refs {
		found := setting({"env": [from_resource("GOMAXPROCS", ref)], "resources": resources}, "GOMAXPROCS")
		found.state == "unknown"
	}
	broken := setting(
		{"env": [from_resource("GOMAXPROCS", {"resource": "limits.cpu"})], "resources": {"limits": {"cpu": "2 cores"}}},
		"GOMAXPROCS",
	)
	broken.state == "unknown"
}

# What a command sets: its words, and what NODE_OPTIONS is to the program that runs last.
in_commands := [
	[["sh", "-c", "NODE_OPTIONS=--a npm start"], "--a"],
	[["sh", "-c", "export NODE_OPTIONS='--a --b'; exec yarn start"], "--a --b"],
	[["sh", "-c", "npm run build && NODE_OPTIONS=--a npm start"], "--a"],
	[["sh", "-c", "NODE_OPTIONS=--a npm run build && npm start"], ""],
	[["sh", "-c", "unset NODE_OPTIONS; npm start"], ""],
	[["sh", "-c", "echo NODE_OPTIONS=--a; npm start"], ""],
	[["npm", "start", "--", "NODE_OPTIONS=--a"], ""],
]

test_variables_that_commands_set if {
	every case in in_commands {
		[command, want] := case
		object.get(setting({"command": command}, "NODE_OPTIONS"), "text", "") == want
		present := environment.present with input as pod({"command": command})
		present == [{name | name := "NODE_OPTIONS"; want != ""}]
	}
}

test_what_a_command_sets_goes_before_the_container if {
	every case in [
		["NODE_OPTIONS=--own npm start", "literal", "--own"],
		["NODE_OPTIONS=--own npm run build; npm start", "literal", "--env"],
		["[ -z $A ] || export NODE_OPTIONS=--own; npm start", "unknown", ""],
		["NODE_OPTIONS=--own npm run build; unset NODE_OPTIONS; npm start", "absent", ""],
	] {
		[script, state, text] := case
		container := {"command": ["sh", "-c", script], "env": [literal("NODE_OPTIONS", "--env")]}
		found := setting(container, "NODE_OPTIONS")
		[found.state, object.get(found, "text", "")] == [state, text]
	}
}
