# METADATA
# title: Namespace does not let the workload do without a CPU limit
# description: |
#   What the manifest leaves out, the namespace may put back: a LimitRange gives a container
#   without a CPU limit its default, or its max if that is all it has, and the container is
#   throttled by a limit that is not in the manifest. A ResourceQuota on limits.cpu
#   refuses a Pod with a container that has none, and so does a LimitRange that bounds the
#   ratio of limit to request: the Deployment is accepted and stays at zero replicas.
#   The quota refuses a Pod whose class is not known, too, and one whose init container has no limit.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/policy/limit-range/
#   description: LimitRange
# - ref: https://kubernetes.io/docs/concepts/policy/resource-quotas/
#   description: ResourceQuota
# custom:
#   id: HR209
#   severity: warning
#   harm: throttled
#   facts: [T15]
#   fixable: false
#   kyverno: false
#   remediation: |
#     In the LimitRange keep defaultRequest.cpu and drop default.cpu and max.cpu; in the
#     ResourceQuota count requests.cpu rather than limits.cpu. Or move the workload to a
#     namespace for its class.
package headroom.rules.cpu["namespace-fights-class"]

import data.headroom.advice
import data.headroom.classify
import data.headroom.cpu
import data.headroom.workload

# What gives a limit throttles; what refuses a Pod without one keeps it from starting.
_harm := {"limits": "throttled", "refuses": "start"}

report contains finding if {
	fight := cpu.fight
	finding := {
		"container": "",
		"path": workload.spec_path,
		"message": sprintf("%s; %s (%s) should have none.", [
			cpu.fight_words(fight),
			concat(", ", [c.name | some c in cpu.unlimited]),
			concat(" and ", {classify.classes[c.id] | some c in cpu.unlimited}),
		]),
		"expected": advice.namespace[fight.kind],
		"harm": _harm[fight.does],
		"figures": {name: fight.milli | name := "limit_millicores"; fight.does == "limits"},
	}
}

# The API server refuses such a Pod whatever its class is.
report contains {
	"container": "",
	"path": workload.spec_path,
	"message": sprintf("%s; %s has none.", [
		cpu.fight_words(cpu.refusal),
		concat(", ", [c.name | some c in cpu.undecided]),
	]),
	"expected": sprintf("%s, or limits.cpu on each container", [advice.namespace[cpu.refusal.kind]]),
	"harm": _harm[cpu.refusal.does],
	"figures": {},
} if {
	cpu.refusal != null
}
