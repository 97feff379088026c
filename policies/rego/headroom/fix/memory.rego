package headroom.fix

import data.headroom.quantity

# memory_request raises the request of a container, or of the Pod, to its limit. Bytes are rounded
# up, so that a limit of 0.1Gi, 107374182.4 bytes, is less than its own bytes: a request of as many
# would be refused for exceeding it.
memory_request(path, resources, limit) := [set(path, _as_limit(resources, limit))]

_as_limit(resources, limit) := quantity.text(written) if {
	written := resources.limits.memory
	written != null
	quantity.milli(written) < limit * 1000
} else := quantity.format_memory(limit)
