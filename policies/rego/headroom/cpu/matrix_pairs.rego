package headroom.cpu

import data.headroom.quantity
import data.headroom.workload

# inverted are the pairs of a request and the limit below it:
# {container, path, resource, limit, request (as texts), source (of the limit)}.
inverted := array.concat(_inverted_effective, array.concat(_inverted_other, _inverted_pod))

# CPU and memory by their effective values: the limit may be a LimitRange's or the Pod's. A
# request that is the whole Pod's is not held against one container.
_inverted_effective := [{
	"container": c.name,
	"path": array.concat(_owner_path(c, c[keys.limit_source]), ["resources", "limits", resource]),
	"resource": resource,
	"limit": _format(resource, c[keys.limit]),
	"request": _format(resource, c[keys.request]),
	"source": c[keys.limit_source],
} |
	some c in workload.containers
	some resource, keys in _pair_keys
	c[keys.limit] < c[keys.request]
	c[keys.limit] >= 0
	c[keys.limit_source] != ""
	c[keys.request_source] != "pod"
]

_pair_keys := {
	"cpu": {
		"limit": "cpu_limit",
		"limit_source": "cpu_limit_source",
		"request": "cpu_request",
		"request_source": "cpu_request_source",
	},
	"memory": {
		"limit": "memory_limit",
		"limit_source": "memory_limit_source",
		"request": "memory_request",
		"request_source": "memory_request_source",
	},
}

_format("cpu", value) := quantity.format_cpu(value)

_format("memory", value) := quantity.format_memory(value)

# Any other resource, where both are written.
_inverted_other := [pair |
	some c in workload.containers
	some resource, _ in c.raw.resources.requests
	not _pair_keys[resource]
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
