# METADATA
# title: Autoscaler that fights what runs
# description: |
#   An autoscaler works by what it sees: use, requests, limits. Where that does not follow the load, or another one
#   changes it, it does harm:
#
#   - A VerticalPodAutoscaler sets limits.memory by what was used. A heap that -Xmx fixes follows no limit: under less
#     it is OOMKilled as it grows, and of more it gets nothing. minAllowed.memory of what the JVM may come to use is a
#     way out.
#   - In place, a limit changes under a running JVM, whose heap keeps its size whatever flags made it.
#   - A HorizontalPodAutoscaler that counts by a share of the request, and a VerticalPodAutoscaler that changes this
#     request, move each other. The VerticalPodAutoscaler's own documentation excludes it.
#   - Of a multi-tenant container the CPU limit is what the tenant pays for; a VerticalPodAutoscaler moves it with the
#     request.
#   - Of any other container with a CPU limit it moves the limit with the request, unless controlledValues is
#     RequestsOnly. An average use that is low makes a limit that throttles bursts: an info.
#   - A HorizontalPodAutoscaler by memory adds replicas of a JVM and takes none away: a heap is seldom given back
#     (J13).
#
#   Containers that a policy turns off, resources that are not in controlledResources, limits under RequestsOnly and
#   an updateMode of Off are left out. It shows only where the autoscaler is in the same input, or in the cluster that
#   is audited.
# related_resources:
# - ref: https://github.com/kubernetes/autoscaler/blob/master/vertical-pod-autoscaler/docs/known-limitations.md
#   description: Known limitations of VerticalPodAutoscaler
# - ref: https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
#   description: Horizontal Pod Autoscaling
# custom:
#   id: HR608
#   severity: warning
#   harm: OOMKilled
#   facts: [M1, T15, J13]
#   fixable: false
#   remediation: |
#     Let the VerticalPodAutoscaler control only what the workload can follow (controlledResources of its
#     containerPolicies), size a JVM by -XX:MaxRAMPercentage, and scale by one metric that follows the load.
package headroom.rules.running["autoscaler-fights-class"]

import data.headroom.advice
import data.headroom.autoscalers

report contains finding if {
	some fight in autoscalers.fights
	finding := {
		"container": fight.container,
		"path": fight.path,
		"message": autoscalers.seen(fight.kind, fight),
		"why": autoscalers.why[fight.kind],
		"expected": advice.peace(fight.kind, fight),
		"harm": _harm[fight.kind],
		"severity": object.get(_severity, fight.kind, "warning"),
		"figures": {"needed_mib": object.get(fight, "mib", 0)},
	}
}

_severity := {"moved limit": "info"}

_harm := {
	"fixed heap": "OOMKilled",
	"heap in place": "OOMKilled",
	"same resource": "cost",
	"allocation": "starved",
	"moved limit": "throttled",
	"heap counted": "cost",
}
