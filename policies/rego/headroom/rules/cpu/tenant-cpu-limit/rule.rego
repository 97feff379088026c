# METADATA
# title: Tenant's CPU limit is not its allocation
# description: |
#   In a multi-tenant Pod the limit is not there for the workload but for its neighbours and
#   the bill: it is what the tenant pays for. A container without one takes whatever is idle;
#   a Pod whose limits come to more than the allocation uses CPU that is not paid for, and
#   one whose limits come to less cannot use what is paid. Sidecars count like every other
#   container. Init containers run one after another before the rest, so the largest of them
#   counts and not their sum. What the Namespace allocates bounds every Pod of it, whatever its
#   class; a workload may ask for less, not for more.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/security/multi-tenancy/
#   description: Multi-tenancy
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
#   description: How the resources of init containers combine
# custom:
#   id: HR207
#   severity: error
#   harm: neighbours
#   size: "millicores off the allocation"
#   certain: true
#   facts: [T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Give every container, init containers and sidecars too, a limits.cpu, so that the Pod's
#     limits come to the tenant's headroom.dev/cpu-allocation (on the workload or its Namespace).
#     More than the Namespace allocates is for its owner to give.
package headroom.rules.cpu["tenant-cpu-limit"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.fix
import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

report contains finding if {
	cpu.held
	some c in workload.containers
	c.cpu_limit == 0
	cpu.counts(c)
	not workload.pod_level.cpu.limit > 0
	wanted := cpu.left_of_allocation(c)
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": "limits.cpu is not set.",
		"why": concat(" ", [
			"The container takes whatever CPU is idle on the node, and the other tenants starve:",
			"a tenant pays by its limits, so one is needed.",
		]),
		"expected": advice.allocated_limit(c, wanted),
		"figures": {"allocation_millicores": cpu.allocation.milli, "wanted_limit_millicores": wanted},
		"fix": _what_is_left(c, wanted),
		"follows": _row_asks_too(c),
	}
}

# The row of a container that is no tenant's asks for a limit as well, and says which.
_what_is_left(c, wanted) := fix.allocated(c, wanted) if cpu.is_tenant(c)

_what_is_left(c, _) := [] if not cpu.is_tenant(c)

_row_asks_too(c) := [] if cpu.is_tenant(c)

_row_asks_too(c) := ["batch-cpu-limit", "cron-cpu", "sidecar-cpu"] if not cpu.is_tenant(c)

report contains finding if {
	cpu.held
	allocated := cpu.allocation.milli
	allocated > 0
	limit := cpu.pod_limit
	limit.milli > 0
	_off(limit.milli, allocated)
	finding := {
		"container": limit.container,
		"path": limit.path,
		"message": sprintf("The Pod's CPU limit is %s (%s); the tenant pays for %s (%s): %s.", [
			quantity.format_cpu(limit.milli),
			limit.text,
			quantity.format_cpu(allocated),
			cpu.allocation.text,
			sprintf(_effects[limit.milli < allocated], [quantity.format_cpu(abs(limit.milli - allocated))]),
		]),
		"expected": sprintf(_wanted, [quantity.format_cpu(allocated)]),
		"figures": {"pod_limit_millicores": limit.milli, "allocation_millicores": allocated},
		"fix": _whole,
		"size": max([0, limit.milli - allocated]),
		"harm": _harms[limit.milli < allocated],
	}
}

# A tenant pays by its limits; any other Pod may have less.
_off(limit, allocated) if limit > allocated

_off(limit, allocated) if {
	cpu.tenants
	limit < allocated
}

_wanted := "CPU limits of %s in total for the Pod" if {
	cpu.tenants
} else := "CPU limits of at most %s in total for the Pod"

_whole := fix.all_allocated(workload.containers[0]) if {
	cpu.is_tenant(workload.containers[0])
} else := []

# What the Namespace allocates cannot be read, or is nothing.
report contains finding if {
	cpu.grants_nothing
	workload.judged
	count(workload.containers) > 0
	finding := {
		"container": "",
		"path": workload.spec_path,
		"message": sprintf("The Namespace's headroom.dev/cpu-allocation is %s, which allocates no CPU to its Pods.", [
			words.quoted(workload.namespace_annotations["headroom.dev/cpu-allocation"]),
		]),
		"expected": "a CPU quantity in headroom.dev/cpu-allocation of the Namespace, which its owner writes",
		"figures": {"pod_limit_millicores": cpu.pod_limit.milli, "allocation_millicores": 0},
		"size": cpu.pod_limit.milli,
		"harm": "style",
	}
}

# What the limits should come to is not known: said once, unless a container lacks its limit, which says so too.
report contains finding if {
	cpu.tenants
	cpu.allocation.text == ""
	cpu.pod_limit.milli > 0
	finding := {
		"container": "",
		"path": workload.spec_path,
		"message": sprintf("The Pod's CPU limit is %s (%s).", [quantity.format_cpu(cpu.pod_limit.milli), cpu.pod_limit.text]),
		"why": concat(" ", [
			"Whether the tenant pays for that is not known:",
			"neither the workload nor its Namespace, where it is in the input, has headroom.dev/cpu-allocation.",
		]),
		"expected": "headroom.dev/cpu-allocation: the CPU that the tenant pays for, per Pod",
		"figures": {"pod_limit_millicores": cpu.pod_limit.milli, "allocation_millicores": 0},
		"severity": "info",
		"harm": "style",
	}
}

# CPU that is paid for and cannot be used is money; beyond the allocation, neighbours pay.
_harms := {true: "cost", false: "neighbours"}

_effects[true] := "%s of CPU is paid for and cannot be used"

_effects[false] := "%s of CPU can be used that is not paid for"
