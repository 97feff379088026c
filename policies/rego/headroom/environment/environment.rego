# METADATA
# title: Variables that size a runtime
# description: |
#   Which of the variables that a runtime asks about each container sets, found in one
#   pass over its environment, and what those are filled in with. How env and envFrom
#   override each other is the same for every runtime; process.variable knows it.
package headroom.environment

import data.headroom.images
import data.headroom.process
import data.headroom.registry
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
	process.arrived(images.last_call(c), name).state != "absent"
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
	some source in process.bulk(c)
	some key, _ in source.data
}

# hidden are the Secrets, and the ConfigMaps that are not in the input, of which a container
# takes every variable they have.
hidden(c) := [source.why | some source in process.bulk(c)]

# surely_absent says that nothing sets a variable: neither the manifest nor a Secret nor the image, which is known.
surely_absent(c, name) if {
	c.raw.inside
	hidden(c) == []
	setting(c, name).state == "absent"
}

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
	not contains(found.value, process.unresolved)
} else := object.union(process.amount(c, ref), {"state": "resource", "resource": ref.resource, "path": found.path}) if {
	found := _variable(c, name)
	ref := _entry(c, found.path).valueFrom.resourceFieldRef
} else := {"state": "unknown", "path": _variable(c, name).path}

_variable(c, name) := process.arrived(images.last_call(c), name) if name in _assigned(c)

_variable(c, name) := process.variable(c, name) if not name in _assigned(c)

_entry(c, path) := c.raw.env[path[count(path) - 1]] if path[count(path) - 2] == "env"
