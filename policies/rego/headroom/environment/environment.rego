# METADATA
# title: Variables that size a runtime
# description: |
#   Which of the variables that a runtime asks about each container sets, found in one
#   pass over its environment, and what those are filled in with. How env and envFrom
#   override each other is the same for every runtime; runtime.jvm.variable knows it.
package headroom.environment

import data.headroom.quantity
import data.headroom.registry
import data.headroom.runtime.jvm
import data.headroom.workload

# present are the names among those that a runtime asks about that each container sets, aligned
# with workload.containers. Most containers set none of them: one look at all of their variables.
present := [set() | some _ in workload.containers] if {
	silent
} else := [names |
	some c in workload.containers
	names := (({e.name | some e in c.raw.env} | _mapped(c)) & registry.variables) | _arriving(c)
]

# silent is true where no container sets any of them.
silent if {
	not _any_mapped
	{name | name := workload.containers[_].raw.env[_].name} & registry.variables == set()
	every c in workload.containers {
		_assigned(c) == set()
	}
}

# _arriving are the assigned names that the last program of a command, which is the server, gets.
_arriving(c) := {name |
	some name in _assigned(c)
	jvm.arrived(jvm.last_call(c), name).state != "absent"
}

# _assigned are the names that stand in a container's command as NAME=…, as shells set variables.
_assigned(c) := {name |
	some field in ["command", "args"]
	some text in c.raw[field]
	is_string(text)
	contains(text, "=")
	some assignment in regex.find_n(`\b[A-Z][A-Za-z0-9_]*=`, text, -1)
	name := trim_suffix(assignment, "=")
	name in registry.variables
}

_any_mapped if workload.containers[_].raw.envFrom

_mapped(c) := {concat("", [source.prefix, key]) |
	some source in jvm.bulk(c)
	some key, _ in source.data
}

# hidden are the Secrets, and the ConfigMaps that are not in the input, of which a container
# takes every variable they have.
hidden(c) := [source.why | some source in jvm.bulk(c)]

# setting is what a variable will be:
#   {"state": "absent"}, {"state": "literal", text, path}, {"state": "unknown", path},
#   {"state": "resource", resource, value, node, divided, path}
# node says that the container has no such limit, so that the kubelet takes the node's
# allocatable amount; divided that the divisor is not 1.
setting(c, name) := {"state": "absent"} if {
	not name in present[c.id]
} else := {"state": "absent"} if {
	_variable(c, name).state == "absent"
} else := {"state": "literal", "text": found.value, "path": found.path} if {
	found := _variable(c, name)
	not contains(found.value, jvm.unresolved)
} else := object.union(amount(c, ref), {"state": "resource", "resource": ref.resource, "path": found.path}) if {
	found := _variable(c, name)
	ref := _entry(c, found.path).valueFrom.resourceFieldRef
} else := {"state": "unknown", "path": _variable(c, name).path}

_variable(c, name) := jvm.arrived(jvm.last_call(c), name) if name in _assigned(c)

_variable(c, name) := jvm.variable(c, name) if not name in _assigned(c)

_entry(c, path) := c.raw.env[path[count(path) - 1]] if path[count(path) - 2] == "env"

# amount is what a resourceFieldRef gives. The kubelet divides and rounds up
# (k8s.io/kubectl/pkg/util/resource); a divisor of "0" is none.
amount(c, ref) := {
	"value": ceil(given / divisor),
	"node": _node(ref, given),
	"divided": divisor != _unit[ref.resource],
} if {
	field := _fields[ref.resource]
	given := _target(c, ref)[field]
	given >= 0
	divisor := _divisor(ref)
}

_fields := {
	"limits.cpu": "cpu_limit",
	"limits.memory": "memory_limit",
	"requests.cpu": "cpu_request",
	"requests.memory": "memory_request",
}

# One core in millicores, one byte in bytes.
_unit := {"limits.cpu": 1000, "limits.memory": 1, "requests.cpu": 1000, "requests.memory": 1}

# A containerName that no container has leaves this undefined.
_target(c, ref) := c if {
	object.get(ref, "containerName", "") == ""
} else := [other | some other in workload.containers; other.name == ref.containerName][0]

default _node(_, _) := false

_node(ref, 0) if startswith(ref.resource, "limits.")

_divisor(ref) := given if {
	given := _base(ref.resource, object.get(ref, "divisor", "0"))
	given > 0
} else := _unit[ref.resource]

_base(resource, text) := quantity.milli(text) if endswith(resource, ".cpu")

_base(resource, text) := quantity.bytes(text) if endswith(resource, ".memory")
