package headroom.process

import data.headroom.quantity

# amount is what a resourceFieldRef gives. The kubelet divides and rounds up
# (k8s.io/kubectl/pkg/util/resource); a divisor of "0" counts as not set.
amount(c, ref) := {
	"value": ceil(given / divisor),
	"node": _node(ref, given),
	"divided": divisor != _unit[ref.resource],
} if {
	field := _fields[ref.resource]
	given := _target(c, ref)[field]
	given >= 0
	divisor := _divisor(ref)
}

_fields := {
	"limits.cpu": "cpu_limit",
	"limits.memory": "memory_limit",
	"requests.cpu": "cpu_request",
	"requests.memory": "memory_request",
}

# One core in millicores, one byte in bytes.
_unit := {"limits.cpu": 1000, "limits.memory": 1, "requests.cpu": 1000, "requests.memory": 1}

# A containerName that no container has leaves this undefined.
_target(c, ref) := c if {
	object.get(ref, "containerName", "") == ""
} else := [other | some other in c.beside.resources; other.name == ref.containerName][0]

default _node(_, _) := false

_node(ref, 0) if startswith(ref.resource, "limits.")

_divisor(ref) := given if {
	given := _base(ref.resource, object.get(ref, "divisor", "0"))
	given > 0
} else := _unit[ref.resource]

_base(resource, text) := quantity.milli(text) if endswith(resource, ".cpu")

_base(resource, text) := quantity.bytes(text) if endswith(resource, ".memory")
