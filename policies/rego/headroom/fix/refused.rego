package headroom.fix

import data.headroom.cpu
import data.headroom.nodes
import data.headroom.quantity
import data.headroom.workload

# refused are the [path, resource] of containers, or of the Pod, whose CPU or memory the API server
# would refuse after all proposed changes. The reason may be the API server itself, a LimitRange or
# a ResourceQuota of the namespace.
refused := _refused_containers | _refused_pod

_refused_containers := {[c.path, resource] |
	some resource in ["cpu", "memory"]
	some c in workload.containers
	_breaks(resource, after[resource].requests[c.id], after[resource].limits[c.id])
} | {[c.path, resource] |
	some resource in ["cpu", "memory"]
	some c in workload.containers
	after[resource].requests[c.id] > after[resource].limits[c.id]
	_limited(c, resource)
}

# A limit of 0 that is written out is a limit here.
_limited(c, resource) if after[resource].limits[c.id] > 0

_limited(c, resource) if {
	before[resource].limits[c.id] == 0
	c[concat("_", [resource, "limit_source"])] in {"container", "limit-range"}
}

_refused_pod := {[workload.spec_path, resource] |
	some resource in ["cpu", "memory"]
	_pod_breaks(resource, after[resource], before[resource])
}

# before and after are what the containers themselves say, in base units, by resource and
# list, aligned with workload.containers; 0 means not set.
before := {resource: {list: [_said_now(c, key) | some c in workload.containers] | some list, key in keys} |
	some resource, keys in _keys
}

after := {resource: {list: [_then(c, list, resource, before[resource][list][c.id]) | some c in workload.containers] |
	some list, _ in keys
} |
	some resource, keys in _keys
}

_keys := {
	"cpu": {"requests": "cpu_request", "limits": "cpu_limit"},
	"memory": {"requests": "memory_request", "limits": "memory_limit"},
}

_said_now(c, key) := max([0, c[key]]) if c[concat("_", [key, "source"])] != "pod"

_said_now(c, key) := 0 if c[concat("_", [key, "source"])] == "pod"

_then(c, list, resource, _) := _base(resource, object.get(_proposed_at[_field(c, list, resource)], "value", "0"))

_then(c, list, resource, now) := now if not _proposed_at[_field(c, list, resource)]

# Of two changes of a field the first counts.
_proposed_at := object.union_n([{change.path: change} | some change in array.reverse(proposed)])

_base("cpu", text) := quantity.milli(text)

_base("memory", text) := quantity.bytes(text)

_breaks(resource, request, limit) if {
	max([request, limit]) > workload.pod_level[resource].limit
	workload.pod_level[resource].limit > 0
}

_breaks(resource, request, limit) if {
	some item in _items("Container")
	_outside(resource, item, request, limit)
}

_items(type) := [item |
	some range in workload.context.limit_ranges
	some item in range.spec.limits
	item.type == type
]

# LimitRanger's own three tests (minConstraint, maxConstraint, limitRequestRatioConstraint).
_outside(resource, item, request, limit) if {
	most := _base(resource, item.max[resource])
	most > 0
	max([request, limit]) > most
}

_outside(resource, item, request, limit) if {
	least := _base(resource, item.min[resource])
	min(array.concat([request], [limit | limit > 0])) < least
}

_outside(resource, item, request, limit) if {
	ratio := quantity.milli(item.maxLimitRequestRatio[resource])
	ratio > 0
	limit * 1000 > ratio * request
}

# A sum may grow by one change and shrink by another that is then not made: growth alone counts.
_pod_breaks(resource, then, now) if {
	some item in _items("Pod")
	_outside(resource, item, _grown(then.requests, now.requests), _grown(then.limits, now.limits))
}

_pod_breaks(resource, then, now) if {
	bound := [bound | some key in ["request", "limit"]; bound := workload.pod_level[resource][key]; bound > 0][0]
	_grown(then.requests, now.requests) > bound
}

_pod_breaks(resource, then, now) if {
	some quota in workload.context.resource_quotas
	cpu.quota_selects(quota.spec)
	some key, list in _counted(resource)
	left := _left(quota, resource, key)
	total := _grown(then[list], now[list])
	total > nodes.together(now[list])
	total > left
}

# No node takes a Pod that asks for more than the largest has.
_pod_breaks(resource, then, now) if {
	grown := _grown(then.requests, now.requests)
	grown > nodes.together(now.requests)
	grown > nodes.largest[resource] - _overhead(resource)
}

_pod_breaks(resource, _, _) if {
	_base(resource, _own_request(resource)) > nodes.largest[resource] - _overhead(resource)
}

# The Pod's own request is what is counted of it, whatever its containers ask for.
_pod_breaks(resource, _, _) if {
	some quota in workload.context.resource_quotas
	cpu.quota_selects(quota.spec)
	some key, list in _counted(resource)
	list == "requests"
	_base(resource, _own_request(resource)) > _left(quota, resource, key)
}

# _own_request is what a change makes of the Pod's own request.
_own_request(resource) := change.value if {
	some change in proposed
	change.path == array.concat(workload.spec_path, ["resources", "requests", resource])
}

# A Pod without any resources is of no concern to a quota for those that have some, which
# may refuse it for what it still lacks.
_pod_breaks(_, _, _) if {
	some quota in workload.context.resource_quotas
	"NotBestEffort" in _scopes(quota.spec)
	every c in workload.containers {
		{c.cpu_request, c.cpu_limit, c.memory_request, c.memory_limit} == {0}
	}
}

_scopes(spec) := union({
	{scope | some scope in spec.scopes},
	{term.scopeName | some term in spec.scopeSelector.matchExpressions},
})

# A quota counts what the Pod's sandbox takes beside its containers.
_left(quota, resource, key) := hard - (max([0, _used(quota, resource, key)]) + _overhead(resource)) if {
	hard := _base(resource, quota.spec.hard[key])
}

_overhead(resource) := max([0, _base(resource, object.get(workload.pod_spec, ["overhead", resource], "0"))])

_counted(resource) := {
	resource: "requests",
	concat(".", ["requests", resource]): "requests",
	concat(".", ["limits", resource]): "limits",
}

_used(quota, resource, key) := _base(resource, object.get(quota, ["status", "used", key], "0"))

_grown(then, now) := nodes.together([max([x, now[i]]) | some i, x in then])
