package headroom.cpu

import data.headroom.quantity
import data.headroom.workload

# inverted are the pairs of a request and the limit below it:
# {container, path, resource, limit, request (as texts), source (of the limit)}.
inverted := array.concat(_inverted_cpu, array.concat(_inverted_memory, _inverted_other))

# pair_figures are both in the unit of their resource.
pair_figures(pair) := {
	"limit_millicores": quantity.milli(pair.limit),
	"request_millicores": quantity.milli(pair.request),
} if {
	pair.resource == "cpu"
} else := {"limit_bytes": quantity.bytes(pair.limit), "request_bytes": quantity.bytes(pair.request)} if {
	regex.match(`^(memory|ephemeral-storage|hugepages-.*)$`, pair.resource)
} else := {"limit_count": quantity.bytes(pair.limit), "request_count": quantity.bytes(pair.request)}

# CPU and memory by their effective values: the limit may be a LimitRange's or the Pod's. A
# request that is the whole Pod's is not held against one container.
_inverted_cpu := [_effective(c, "cpu", quantity.format_cpu(c.cpu_limit), quantity.format_cpu(c.cpu_request)) |
	limited
	some c in workload.containers
	c.cpu_limit < c.cpu_request
	c.cpu_limit >= 0
	c.cpu_limit_source != ""
	c.cpu_request_source != "pod"
]

_inverted_memory := [
_effective(c, "memory", quantity.format_memory(c.memory_limit), quantity.format_memory(c.memory_request)) |
	some c in workload.containers
	c.memory_limit < c.memory_request
	c.memory_limit >= 0
	c.memory_limit_source != ""
	c.memory_request_source != "pod"
]

_effective(c, resource, limit, request) := {
	"container": c.name,
	"path": array.concat(_owner_path(c, source), ["resources", "limits", resource]),
	"resource": resource,
	"limit": limit,
	"request": request,
	"source": source,
} if {
	source := c[concat("", [resource, "_limit_source"])]
}

# Any other resource, where both are written.
_inverted_other := array.concat(_inverted_beside, _inverted_pod)

_inverted_beside := [pair |
	some c in workload.containers
	some resource, _ in c.raw.resources.requests
	not resource in {"cpu", "memory"}
	pair := _written(c.name, c.path, c.raw.resources, resource, "container")
]

_inverted_pod := [pair |
	some resource, _ in workload.pod_spec.resources.requests
	pair := _written("", workload.spec_path, workload.pod_spec.resources, resource, "pod")
]

_written(container, base, resources, resource, source) := {
	"container": container,
	"path": array.concat(base, ["resources", "limits", resource]),
	"resource": resource,
	"limit": quantity.text(resources.limits[resource]),
	"request": quantity.text(resources.requests[resource]),
	"source": source,
} if {
	limit := quantity.parse(resources.limits[resource])
	request := quantity.parse(resources.requests[resource])
	limit.value >= 0
	limit.value < request.value
}
