package headroom.rules.cpu["init-reserves"]

import data.headroom.workload

# What the scheduler reserves for a Pod as long as it runs (T20): the larger of two sums. One is what its containers ask
# for together, the other what any init container asks for beside the sidecars that were started before it.

# _reserved has the init containers that ask for more than all that runs beside each other: {c, resource, asked,
# beside}, in millicores or bytes. It has none of a resource of which a request cannot be read, or that the Pod sets. A
# container without a request counts nothing, as for the scheduler.
_reserved := [{"c": c, "resource": resource, "asked": asked, "beside": beside} |
	some resource in ["cpu", "memory"]
	object.get(workload.pod_spec, ["resources", "requests", resource], null) == null
	beside := _together(resource)
	some c in workload.containers
	c.role == "init"
	_request_of(c, resource) > 0
	asked := _request_of(c, resource) + sum([_request_of(before, resource) | some before in _sidecars_before(c)])
	asked > beside
]

_together(resource) := sum(asked) if {
	asked := [_request_of(c, resource) | some c in workload.containers; c.role in {"app", "sidecar"}]
	count(asked) > 0
	every request in asked { request >= 0 }
}

_sidecars_before(c) := [before |
	some before in workload.containers
	before.role == "sidecar"
	before.index < c.index
]

# _request_of is what a container asks for, as the scheduler sees it: 0 where nothing sets it, -1 where it is not read.
_request_of(c, "cpu") := c.cpu_request

_request_of(c, "memory") := c.memory_request
