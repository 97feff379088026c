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
#   fixable: false
#   kyverno: true
#   remediation: |
#     Raise the limit to the request or lower the request, whichever was meant. For no CPU
#     limit, leave limits.cpu out.
package headroom.rules.cpu["limit-below-request"]

import data.headroom.cpu
import data.headroom.quantity

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
			_hint(pair),
		]),
		"expected": sprintf(_wanted[pair.source], [pair.resource, pair.request]),
		"figures": _figures(pair, _unit(pair.resource)),
	}
}

_effects := {
	"container": "the API server refuses the Pod",
	"limit-range": "the limit is the namespace's LimitRange's, and the API server refuses every Pod of this template",
	"pod": "the limit is the whole Pod's, and the API server refuses the Pod",
}

_wanted := {
	"container": "limits.%s of at least %s, or a lower request",
	"limit-range": "a LimitRange that puts no limits.%s below %s on it, or a lower request",
	"pod": "limits.%s of at least %s for the Pod, or a lower request",
}

_hint(pair) := " A limit of 0 is not the same as none: for no limit, leave it out." if pair.limit == "0"

_hint(pair) := "" if pair.limit != "0"

_figures(pair, "millicores") := {
	"limit_millicores": quantity.milli(pair.limit),
	"request_millicores": quantity.milli(pair.request),
}

_figures(pair, unit) := {
	concat("_", ["limit", unit]): quantity.bytes(pair.limit),
	concat("_", ["request", unit]): quantity.bytes(pair.request),
} if {
	unit != "millicores"
}

_unit(resource) := "millicores" if {
	resource == "cpu"
} else := "bytes" if {
	regex.match(`^(memory|ephemeral-storage|hugepages-.*)$`, resource)
} else := "count"
