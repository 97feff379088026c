package headroom.advice

import data.headroom.memory
import data.headroom.nodes
import data.headroom.quantity

# request_at_limit is how a memory request comes to be its limit. Where the limit is over twice the request, it is
# the limit that comes nearer to what is used, as where no node has as much.
request_at_limit(c, request, limit) := _raised(request, limit) if {
	not memory.far_apart(request, limit)
	_a_node_has(limit)
} else := sprintf("requests.memory and limits.memory: %s, with room for its measured peak", [
	quantity.format_memory(wanted),
]) if {
	wanted := memory_enough(c, memory.peak[c.name].bytes)
	wanted > 0
	wanted < limit
} else := _raised(request, limit) if {
	memory.peak[c.name].bytes > 0
	_a_node_has(limit)
} else := concat(", or ", array.concat(
	[sprintf("limits.memory near its measured peak (%s)", [to_measure(c, "memory-peak")])],
	[_raised(request, limit) | _a_node_has(limit)],
))

# pod_request_at_limit says it of what the containers of a Pod share.
pod_request_at_limit(request, limit) := _raised(request, limit) if {
	not memory.far_apart(request, limit)
	_a_node_has(limit)
} else := concat(", or ", array.concat(
	["limits.memory of the Pod near its measured peak"],
	[_raised(request, limit) | _a_node_has(limit)],
))

_a_node_has(bytes) if bytes <= object.get(nodes.largest, "memory", bytes)

_raised(request, limit) := sprintf("requests.memory: %s (%s)", [
	quantity.format_memory(limit),
	memory.cost_words(limit - request),
])
