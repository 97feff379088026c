package headroom.workload

# What the scheduler reserves for a Pod as long as it runs (T20): the larger of two sums. One is what its containers ask
# for together, the other what any init container asks for beside the sidecars that were started before it.

# reserved_by_init has the init containers that ask for more than all that runs beside each other: {c, resource, asked,
# beside}, in millicores or bytes. It has none of a resource that a container asks nothing of, or that the Pod sets.
reserved_by_init := [{"c": c, "resource": resource, "asked": asked, "beside": beside} |
	some resource in ["cpu", "memory"]
	object.get(pod_spec, ["resources", "requests", resource], null) == null
	beside := _together(resource)
	some c in containers
	c.role == "init"
	request_of(c, resource) > 0
	asked := request_of(c, resource) + sum([request_of(before, resource) | some before in _sidecars_before(c)])
	asked > beside
]

_together(resource) := sum(asked) if {
	asked := [request_of(c, resource) | some c in containers; c.role in {"app", "sidecar"}]
	count(asked) > 0
	every request in asked { request > 0 }
}

_sidecars_before(c) := [before |
	some before in containers
	before.role == "sidecar"
	before.index < c.index
]

# request_of is what a container asks for, as the scheduler sees it: 0 where nothing sets it, -1 where it is not read.
request_of(c, "cpu") := c.cpu_request

request_of(c, "memory") := c.memory_request
