# METADATA
# title: What nodes have
# description: What the largest node has for Pods, as far as it is known, and what the scheduler counts of a Pod.
package headroom.nodes

import data.headroom.config
import data.headroom.quantity
import data.headroom.workload

# largest is what the largest node has for Pods, by resource in base units, as far as it is known. Where the config
# tells of a larger one than the cluster has now, that one may come.
largest := {resource: max(sizes) |
	some resource in ["cpu", "memory"]
	in_cluster := [_base_units(resource, node[resource]) | some node in workload.context.largest_node]
	sizes := [size | some size in array.concat([declared[resource]], in_cluster); size > 0]
	count(sizes) > 0
}

# declared is what the config tells of it; what is not above 0 is not known.
declared := {
	"cpu": quantity.milli(config.settings.nodes.cores),
	"memory": quantity.bytes(config.settings.nodes.memory),
}

# cores_or are the cores of the largest node, where the config tells them, else those of a usual one.
cores_or(_) := config.settings.nodes.cores if config.settings.nodes.cores > 0

cores_or(usual) := usual if config.settings.nodes.cores <= 0

# asked is what the scheduler counts of the Pod: its own request, or that of its containers, and what its sandbox takes.
asked(resource) := _asked(resource) + max([0, _base_units(resource, overhead)]) if {
	overhead := object.get(workload.pod_spec, ["overhead", resource], "0")
}

_asked(resource) := workload.pod_level[resource].request if {
	workload.pod_level[resource].request > 0
} else := together([max([0, c[concat("_", [resource, "request"])]]) | some c in workload.containers])

# together is what counts of containers, given by their ids: those that run beside each other, or an init container with
# the native sidecars before it.
together(values) := max(array.concat(
	[sum([values[c.id] | some c in workload.containers; c.role != "init"])],
	[with_sidecars |
		some c in workload.containers
		c.role == "init"
		earlier := sum([values[s.id] | some s in workload.containers; s.role == "sidecar"; s.index < c.index])
		with_sidecars := values[c.id] + earlier
	],
))

_base_units("cpu", value) := quantity.milli(value)

_base_units("memory", value) := quantity.bytes(value)
