package headroom.explain

import data.headroom.cpu
import data.headroom.judge
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.words
import data.headroom.workload

# block is a ready `resources:` of what is no JVM: {block (YAML, ""), block_note, tool_options,
# tool_options_note}.
block(c) := object.union(_block(c, _memory_of_any(c), [], set()), {"tool_options": "", "tool_options_note": ""})

_block(c, memory, notes, passed) := {
	"block": "",
	"block_note": sprintf("no resources to copy: %s", [concat("; ", missing)]),
} if {
	missing := array.concat(_no_cpu(c), _no_memory(memory))
	count(missing) > 0
} else := {"block": _yaml(values), "block_note": concat("; ", said)} if {
	values := _values(c, memory)
	said := array.concat(array.concat(notes, _fight(c)), remaining(c, values, passed))
}

_no_cpu(c) := ["no class asks anything of an init container"] if {
	c.role == "init"
	block_request(c) == 0
} else := ["its CPU use was not measured, and it has no request"] if {
	block_request(c) == 0
} else := []

_no_memory(bytes) := ["what memory it needs is not known"] if {
	bytes == 0
} else := []

_values(c, memory) := {
	"requests": object.union(_others(c, "requests"), {
		"cpu": quantity.format_cpu(block_request(c)),
		"memory": quantity.format_memory(memory),
	}),
	"limits": object.union(
		object.union(_others(c, "limits"), {"memory": quantity.format_memory(memory)}),
		{"cpu": quantity.format_cpu(milli) | milli := block_limit(c); milli > 0},
	),
}

# block_request and block_limit are what the class asks for, in millicores; if that is not
# known, or no class asks, the present value. 0 means that the block leaves it out.
block_request(c) := c.cpu_request if {
	cpu.pinned(c)
} else := cpu_passing(c).cpu_request if {
	cpu_passing(c).cpu_request > 0
} else := max([c.cpu_request, 0])

block_limit(c) := c.cpu_limit if {
	cpu.pinned(c)
} else := 0 if {
	_asked_limit(c) <= 0
} else := max([_asked_limit(c), block_request(c)])

_asked_limit(c) := cpu_passing(c).cpu_limit if {
	cpu_passing(c).cpu_limit >= 0
} else := c.cpu_limit

_yaml(values) := concat("\n", array.concat(["resources:"], [line |
	some list in ["requests", "limits"]
	some line in array.concat([sprintf("  %s:", [list])], [text |
		some key, value in values[list]
		text := sprintf("    %s: %s", [key, _scalar(value)])
	])
]))

# What YAML would read as a number stands in quotes.
_scalar(value) := value if {
	is_string(value)
	regex.match(`^[0-9]+(?:\.[0-9]+)?[A-Za-z]+$`, value)
	not regex.match(`^[0-9.]+[eE]`, value)
} else := json.marshal(words.shown(value)) if {
	is_string(value)
} else := json.marshal(value)

# What the container has of other resources is kept.
_others(c, list) := {key: value |
	some key, value in c.raw.resources[list]
	is_string(key) # an index of a list is no name
	not key in {"cpu", "memory"}
	regex.match(`^[A-Za-z0-9./_-]{1,100}$`, key)
	type_name(value) in {"string", "number"}
}

# remaining says which errors on CPU, memory and the start a container has with these resources. The
# policies are asked again, so that a block promises nothing that they do not hold to. `passed` are
# rules that flags beside the block satisfy.
remaining(c, values, passed) := [sprintf("%s remains: %s", [f.rule, f.expected]) |
	patch := [{"op": "add", "path": array.concat(c.path, ["resources"]), "value": values}]
	not workload.restated # nothing of a container can be patched there
	some f in _verdict_on(json.patch(workload.manifest, patch)).findings
	f.container == c.name
	f.severity == "error"
	_of_resources(c, f.rule)
	not f.rule in passed
]

_of_resources(_, rule) if regex.match(`^HR(?:[23]|402)`, rule)

# Other processors may keep a JVM from starting that starts today.
_of_resources(c, "HR409") if {
	count(jvm.by_id[c.id].startup) == 0
}

# _fight is what in the namespace stands against a block without a CPU limit (HR209).
_fight(c) := [sprintf("%s %v (%s) %s", [cpu.fight.kind, cpu.fight.name, cpu.fight.what, _does[cpu.fight.does]])] if {
	c in cpu.unlimited
} else := []

_does := {"limits": "sets a CPU limit again", "refuses": "refuses Pods without a CPU limit"}

_verdict_on(manifest) := found if {
	found := judge.result with input as object.union(_spot, {
		"apiVersion": "headroom.dev/v1alpha1",
		"kind": "Review",
		"object": manifest,
		"namespace": workload.namespace,
		"context": _around,
	})
}

_spot := {"spot": workload.spot} if {
	workload.spot
} else := {}

_around := object.union(workload.context, {"measured": workload.measured}) if {
	workload.measured
} else := workload.context
