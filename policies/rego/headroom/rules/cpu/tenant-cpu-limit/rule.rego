# METADATA
# title: Tenant's CPU limit is not its allocation
# description: |
#   In a multi-tenant Pod the limit is not there for the workload but for its neighbours and
#   the bill: it is what the tenant pays for. A container without one takes whatever is idle;
#   a Pod whose limits come to more than the allocation uses CPU that nobody pays for, and
#   one whose limits come to less cannot use what is paid. Init containers run one after
#   another before the rest, so the largest of them counts and not their sum.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/security/multi-tenancy/
#   description: Multi-tenancy
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
#   description: How the resources of init containers combine
# custom:
#   id: HR207
#   severity: error
#   harm: starved
#   facts: [T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Give every container, init containers too, a limits.cpu, so that the Pod's limits come
#     to the tenant's headroom.dev/cpu-allocation (on the workload or its Namespace).
package headroom.rules.cpu["tenant-cpu-limit"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.fix
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	cpu.tenants
	some c in workload.containers
	c.cpu_limit == 0
	cpu.is_tenant(c)
	not workload.pod_level.cpu.limit > 0
	wanted := cpu.left_of_allocation(c)
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": "limits.cpu is not set.",
		"why": concat(" ", [
			"The container takes whatever CPU is idle on the node, and the other tenants starve:",
			"in a tenant's Pod the limits are what is paid for.",
		]),
		"expected": advice.allocated_limit(c, wanted),
		"figures": {"allocation_millicores": cpu.allocation.milli, "wanted_limit_millicores": wanted},
		"fix": fix.allocated(c, wanted),
	}
}

report contains finding if {
	cpu.tenants
	allocated := cpu.allocation.milli
	allocated > 0
	limit := cpu.pod_limit
	limit.milli > 0
	limit.milli != allocated
	some c in workload.containers
	cpu.is_tenant(c)
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
		"expected": sprintf("CPU limits that come to %s for the Pod", [quantity.format_cpu(allocated)]),
		"figures": {"pod_limit_millicores": limit.milli, "allocation_millicores": allocated},
		"fix": fix.all_allocated(c),
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
	}
}

_effects[true] := "%s of CPU is paid for and cannot be used"

_effects[false] := "%s of CPU can be used that nobody pays for"
