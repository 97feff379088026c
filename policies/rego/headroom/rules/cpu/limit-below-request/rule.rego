# METADATA
# title: Limit below its request
# description: |
#   A request asks for what a limit then forbids, so the API server refuses the Pod. Where
#   the limit comes from a LimitRange the Deployment is accepted and its Pods are not: it
#   stays at zero replicas, and only its ReplicaSet's events say why. A limit of 0 that is
#   written out is a limit here too: no limit is one that is left out.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# - ref: https://kubernetes.io/docs/concepts/policy/limit-range/
#   description: A LimitRange's default limit may be below a container's request
# custom:
#   id: HR208
#   severity: error
#   harm: start
#   certain: true
#   fixable: false
#   kyverno: true
#   remediation: |
#     Raise the limit to the request or lower the request, whichever was meant. For no CPU
#     limit, leave limits.cpu out.
package headroom.rules.cpu["limit-below-request"]

import data.headroom.advice
import data.headroom.cpu

report contains finding if {
	some pair in cpu.inverted
	finding := {
		"container": pair.container,
		"path": pair.path,
		"message": sprintf("limits.%s is %s, below requests.%s, %s: %s.%s", [
			pair.resource,
			pair.limit,
			pair.resource,
			pair.request,
			_effects[pair.source],
			advice.limit_of_zero(pair),
		]),
		"expected": advice.limit_over_request(pair),
		"figures": cpu.pair_figures(pair),
	}
}

_effects := {
	"container": "the API server refuses the Pod",
	"limit-range": "the namespace's LimitRange sets the limit, and the API server refuses every Pod of this template",
	"pod": "the limit is the whole Pod's, and the API server refuses the Pod",
}
