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
#   facts: [T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Give every container, init containers too, a limits.cpu, so that the Pod's limits come
#     to the tenant's headroom.dev/cpu-allocation (on the workload or its Namespace).
package headroom.rules.cpu["tenant-cpu-limit"]

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
		"message": concat(" ", [
			"There is no CPU limit: the container takes whatever CPU is idle on the node, and other tenants do without it.",
			"In a tenant's Pod the limits are what is paid for.",
		]),
		"expected": _expected(wanted),
		"figures": {"allocation_millicores": cpu.allocation.milli, "wanted_limit_millicores": wanted},
		"fix": _fix(c, wanted),
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
		"message": sprintf("The Pod's CPU limit is %s (%s), and the tenant pays for %s (%s): %s.", [
			quantity.format_cpu(limit.milli),
			limit.text,
			quantity.format_cpu(allocated),
			cpu.allocation.text,
			sprintf(_effects[limit.milli < allocated], [quantity.format_cpu(abs(limit.milli - allocated))]),
		]),
		"expected": sprintf("CPU limits that come to %s for the Pod", [quantity.format_cpu(allocated)]),
		"figures": {"pod_limit_millicores": limit.milli, "allocation_millicores": allocated},
		"fix": _of_the_only(c, allocated),
	}
}

_fix(_, 0) := []

_fix(c, wanted) := fix.with_limit(c, wanted, 0) if wanted > 0

# How several containers share an allocation is the tenant's to say.
_of_the_only(c, allocated) := fix.with_limit(c, allocated, 0) if {
	count(workload.containers) == 1
	c.cpu_limit_source != "pod"
} else := []

_effects[true] := "%s of CPU is paid for and cannot be used"

_effects[false] := "%s of CPU can be used that nobody pays for"

_expected(wanted) := sprintf("limits.cpu%s, so that the Pod's limits come to %s, the allocation", [
	concat("", {sprintf(": %s", [quantity.format_cpu(wanted)]) | wanted > 0}),
	quantity.format_cpu(cpu.allocation.milli),
]) if {
	cpu.allocation.milli > 0
} else := "limits.cpu; headroom.dev/cpu-allocation would say how much the Pod may have"
