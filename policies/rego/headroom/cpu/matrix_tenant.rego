package headroom.cpu

import data.headroom.classify
import data.headroom.config
import data.headroom.quantity
import data.headroom.workload

# is_tenant says that a container's limit is part of what a tenant pays for. Init
# containers of such a Pod have no row, and need their limit all the same.
is_tenant(c) if row[c.id].limit == "allocation"

is_tenant(c) if {
	c.role == "init"
	tenants
}

# tenants is true where there is any such container, or would be an init container.
tenants if config.settings.matrix[classify.pod_class].limit == "allocation"

tenants if "allocation" in asked_of_limits

# held says that the Pod's CPU limit is bounded: it is a tenant's, or its Namespace says how much a
# Pod may have, whatever its class.
held if tenants

held if _granted >= 0

# counts says that a container of such a Pod needs its limit. One whose class should have none is
# HR104's: where the Namespace does not allow that class, the Pod is refused.
counts(c) if {
	held
	not row[c.id].limit == "none"
}

# allocation is the CPU that the tenant pays for, per Pod: {milli (0 where nothing readable
# says so; HR105 reports what cannot be read), text}. What the Namespace says bounds what the workload
# asks for, which may be less.
allocation := {"milli": _granted, "text": sprintf("%s; the workload's own, %s, is more and does not count", [
	_of_the_namespace,
	quantity.format_cpu(_asked),
])} if {
	_asked > _granted
	_granted > 0
} else := {"milli": _granted, "text": _of_the_namespace} if {
	_granted == 0
} else := {"milli": _asked, "text": _allocation_key} if {
	_asked > 0
} else := {"milli": _granted, "text": _of_the_namespace} if {
	_granted > 0
} else := {"milli": 0, "text": _allocation_key} if {
	_asked == 0
} else := {"milli": 0, "text": ""}

# grants_nothing is true if the Namespace's amount is empty or unreadable: an unreadable bound is no
# permission.
grants_nothing if _granted == 0

_granted := max([0, quantity.milli(value)]) if value := workload.namespace_annotations[_allocation_key]

_asked := max([0, quantity.milli(value)]) if value := workload.annotations[_allocation_key]

_allocation_key := "headroom.dev/cpu-allocation"

_of_the_namespace := concat("", [_allocation_key, " of the Namespace"])

# pod_limit is the Pod's CPU limit: its own, else the sum of those that run beside each other. If an
# init container may take more before them, its limit counts: they run one after another. {milli,
# text, container, path}: where it is decided. milli is 0 where a container has no limit, so that
# nothing bounds the Pod.
pod_limit := {
	"milli": workload.pod_level.cpu.limit,
	"text": "limits.cpu of the Pod",
	"container": "",
	"path": array.concat(workload.spec_path, ["resources", "limits", "cpu"]),
} if {
	workload.pod_level.cpu.limit > 0
} else := object.union(sums[count(sums) - 1][2], {"milli": sums[count(sums) - 1][0]}) if {
	count(running) > 0
	every c in workload.containers {
		c.cpu_limit > 0
	}
	sums := sort(array.concat([_running_sum], _init_sums))
} else := {"milli": 0, "text": "", "container": "", "path": workload.spec_path}

# Sorted by the sum, then by the second element: of equal sums the lasting one counts.
_running_sum := [
	sum([addable(c.cpu_limit) | some c in running]),
	1,
	object.union({"text": _terms(running)}, _decided_by([c | some c in running; is_tenant(c)])),
]

# While an init container runs, the native sidecars before it run too.
_init_sums := [
[milli, 0, object.union({"text": text}, _decided_by([c]))] |
	some c in workload.containers
	c.role == "init"
	earlier := [s | some s in running; s.role == "sidecar"; s.index < c.index]
	milli := addable(c.cpu_limit) + sum([addable(s.cpu_limit) | some s in earlier])
	text := sprintf("%s while it runs", [_terms(array.concat([c], earlier))])
]

# addable is a part of a sum: sum() of earlier OPAs wraps around at 64 bits (open-policy-agent/opa#8987).
# What is cut here is more than any node has, which HR001 reports.
addable(milli) := min([milli, 9007199254740991]) # 2^53 - 1

_terms(containers) := concat(" + ", [term |
	some c in containers
	term := sprintf("%s %s", [c.name, quantity.format_cpu(c.cpu_limit)])
])

_decided_by([c]) := {"container": c.name, "path": limit_path(c)}

_decided_by(containers) := {"container": "", "path": workload.spec_path} if count(containers) != 1

# left_of_allocation is what the allocation leaves for the only container without a limit;
# 0 where that is not known.
left_of_allocation(c) := max([0, allocation.milli - sum([addable(other.cpu_limit) | some other in running])]) if {
	c.role != "init"
	c.cpu_limit == 0
	every other in running {
		_has_limit(other, c.id)
	}
} else := 0

_has_limit(other, id) if other.id == id

_has_limit(other, _) if other.cpu_limit > 0
