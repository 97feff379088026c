package headroom.workload

import data.headroom.inside
import data.headroom.quantity

# containers are the containers of the pod template: those that run beside each other
# first, then the init containers. Windows and mirror Pods have none to judge. Each is
#   {id, name, list, index, path, role, raw, beside,
#    cpu_request, cpu_limit (millicores), memory_request, memory_limit (bytes),
#    cpu_request_source, … memory_limit_source}
# id is the place in this array. role is "app", "sidecar" (a native one) or "init".
# 0 means not set, -1 that it is set and cannot be read. beside is what tells the values of variables and
# files: maps of the context, volumes of the Pod, resources of all containers.
containers := [_container(id, entry) | some id, entry in _completed_entries] if {
	not skip_reason
} else := []

_entries := _gathered if {
	composed
} else := [[list, i, _completed(raw), array.concat(spec_path, [list, i])] |
	some list in ["containers", "initContainers"]
	is_array(pod_spec[list])
	some i, raw in pod_spec[list]
	is_object(raw)
] if {
	entry.given
} else := [[list, i, raw, array.concat(spec_path, [list, i])] |
	some list in ["containers", "initContainers"]
	is_array(pod_spec[list])
	some i, raw in pod_spec[list]
	is_object(raw)
]

# As the kubelet starts them, where the configs of images are known.
_completed_entries := _entries if {
	not inside.known
} else := [[list, i, inside.completed(raw), path] | some [list, i, raw, path] in _entries]

_container(id, [list, index, raw, path]) := object.union(_resources(raw), {
	"id": id,
	"name": _name(raw),
	"list": list,
	"index": index,
	"path": path,
	"role": _role(list, raw),
	"raw": raw,
	"beside": _beside,
})

_beside := {
	"config_maps": context.config_maps,
	"volumes": object.get(pod_spec, "volumes", []),
	"resources": _resources_of_all,
}

# A variable may take those of another container, by name.
_resources_of_all := [] if {
	not _take_from_others
} else := [object.union(_resources(raw), {"name": _name(raw)}) | some [_, _, raw, _] in _completed_entries]

_take_from_others if {
	some [_, _, raw, _] in _completed_entries
	raw.env[_].valueFrom.resourceFieldRef.containerName
}

_name(raw) := raw.name if {
	is_string(raw.name)
} else := ""

_role("containers", _) := "app"

_role("beside", _) := "app"

_role("init", _) := "init"

_role("initContainers", raw) := "sidecar" if raw.restartPolicy == "Always"

_role("initContainers", raw) := "init" if not raw.restartPolicy == "Always"

# Fast path: most containers set all four values, or all but the CPU limit where nothing else
# sets one.
_resources(raw) := {
	"cpu_request": quantity.milli(cpu),
	"cpu_request_source": "container",
	"cpu_limit": 0,
	"cpu_limit_source": "",
	"memory_request": quantity.bytes(memory),
	"memory_request_source": "container",
	"memory_limit": quantity.bytes(memory_limit),
	"memory_limit_source": "container",
} if {
	{"requests": {"cpu": cpu, "memory": memory}, "limits": {"memory": memory_limit}} := raw.resources
	not null in [cpu, memory, memory_limit]
	not _others_speak
} else := {
	"cpu_request": quantity.milli(cpu),
	"cpu_request_source": "container",
	"cpu_limit": quantity.milli(cpu_limit),
	"cpu_limit_source": "container",
	"memory_request": quantity.bytes(memory),
	"memory_request_source": "container",
	"memory_limit": quantity.bytes(memory_limit),
	"memory_limit_source": "container",
} if {
	{"requests": {"cpu": cpu, "memory": memory}, "limits": {"cpu": cpu_limit, "memory": memory_limit}} := raw.resources
	not null in [cpu, memory, cpu_limit, memory_limit]
	not limit_ranged
} else := {
	"cpu_request": cpu_request.value,
	"cpu_request_source": cpu_request.source,
	"cpu_limit": cpu_limit.value,
	"cpu_limit_source": cpu_limit.source,
	"memory_request": memory_request.value,
	"memory_request_source": memory_request.source,
	"memory_limit": memory_limit.value,
	"memory_limit_source": memory_limit.source,
} if {
	own_cpu_limit := _own(raw, "limits", "cpu")
	own_memory_limit := _own(raw, "limits", "memory")
	cpu_limit := _limit(own_cpu_limit, "cpu")
	memory_limit := _limit(own_memory_limit, "memory")
	own_cpu_request := _own(raw, "requests", "cpu")
	own_memory_request := _own(raw, "requests", "memory")
	cpu_request := _request(own_cpu_request, own_cpu_limit, "cpu")
	memory_request := _request(own_memory_request, own_memory_limit, "memory")
}

# Whether a container may get values that it does not state.
_others_speak if limit_ranged

_others_speak if pod_spec.resources

# What LimitRanger has filled in is the namespace's, not the container's: a Pod gets the
# verdict that its workload got, where the same field is empty.
_own(raw, list, resource) := null if {
	[list, resource, raw.name] in filled_in
	_base(resource, raw.resources[list][resource]) == limit_range[resource][_singular[list]]
} else := _milli(object.get(raw, ["resources", list, "cpu"], null)) if {
	resource == "cpu"
} else := _bytes(object.get(raw, ["resources", list, "memory"], null))

_singular := {"limits": "limit", "requests": "request"}

# The own value, in base units; null where the field is not set. An explicit null is
# not set either.
_milli(null) := null

_milli(x) := quantity.milli(x) if x != null

_bytes(null) := null

_bytes(x) := quantity.bytes(x) if x != null

# What the API server makes of a limit that is not set: the LimitRange's default, and
# above it the Pod's own limit bounds the container. A limit of 0 is set: it is left alone.
_limit(own, _) := {"value": own, "source": "container"} if own != null

_limit(null, resource) := {"value": limit_range[resource].limit, "source": "limit-range"} if {
	limit_range[resource].limit > 0
} else := {"value": pod_level[resource].limit, "source": "pod"} if {
	pod_level[resource].limit > 0
} else := {"value": 0, "source": ""}

# A request is defaulted from the container's own limit, 0 included, before a LimitRange
# fills it: the first happens as the Pod is read, the second as it is admitted.
_request(own, _, _) := {"value": own, "source": "container"} if own != null

_request(null, own_limit, resource) := {"value": own_limit, "source": "limit"} if {
	own_limit != null
} else := {"value": limit_range[resource].request, "source": "limit-range"} if {
	limit_range[resource].request > 0
} else := {"value": pod_level[resource].request, "source": "pod"} if {
	pod_level[resource].request > 0
} else := {"value": 0, "source": ""}

# pod_level is spec.resources of the Pod, 0 where it says nothing.
pod_level := {"cpu": {"limit": 0, "request": 0}, "memory": {"limit": 0, "request": 0}} if {
	not pod_spec.resources
} else := {
	"cpu": {"limit": _or_zero(cpu_limit), "request": _pod_request("cpu", cpu_request, cpu_limit)},
	"memory": {"limit": _or_zero(memory_limit), "request": _pod_request("memory", memory_request, memory_limit)},
} if {
	cpu_limit := _milli(object.get(pod_spec, ["resources", "limits", "cpu"], null))
	cpu_request := _milli(object.get(pod_spec, ["resources", "requests", "cpu"], null))
	memory_limit := _bytes(object.get(pod_spec, ["resources", "limits", "memory"], null))
	memory_request := _bytes(object.get(pod_spec, ["resources", "requests", "memory"], null))
}

# Without a request of its own, a Pod asks for what its containers ask for, and for its
# limit only if none of them asks for anything (Kubernetes: defaultPodRequests).
_pod_request(_, request, _) := request if request != null

_pod_request(resource, null, limit) := 0 if {
	some field in ["requests", "limits"]
	some [_, _, raw, _] in _entries
	object.get(raw, ["resources", field, resource], null) != null
} else := _or_zero(limit)

_or_zero(null) := 0

_or_zero(x) := x if x != null
