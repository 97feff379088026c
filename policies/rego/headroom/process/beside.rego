package headroom.process

import data.headroom.workload

# config_map is the data of a ConfigMap of the same input, or why it is not known.
config_map(name) := {"data": found[0]} if {
	found := _config_maps(name)
	count(found) == 1
} else := {"why": "it is not in the input"} if {
	count(_config_maps(name)) == 0
} else := {"why": "the input has several that differ"}

_config_maps(name) := [d | some d in found] if {
	found := {object.get(m, "data", {}) | some m in workload.context.config_maps; m.metadata.name == name}
}

# volume is one of the Pod's.
volume(name) := [v | some v in workload.pod_spec.volumes; v.name == name][0]

# container_named is another container of the Pod; undefined where none has that name.
container_named(name) := [c | some c in workload.containers; c.name == name][0]
