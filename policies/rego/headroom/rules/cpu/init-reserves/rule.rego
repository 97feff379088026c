# METADATA
# title: Init container reserves for the life of its Pod
# description: |
#   The scheduler reserves the larger of two sums for a Pod: what its containers request together, and what any init
#   container requests beside the sidecars before it. An init container ends before the others start, and its request
#   stays reserved until the Pod ends: one of 2 CPU before an application of 100m makes each replica cost 2 CPU. From
#   twice the containers' sum on this is an info, from five times and one CPU or 1 GiB more a warning.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/init-containers/#resource-sharing-within-containers
#   description: Resource sharing between init containers and containers
# custom:
#   id: HR211
#   severity: warning
#   harm: cost
#   facts: [T20]
#   fixable: false
#   remediation: |
#     Let the init container request no more than the containers do together. Without a limit it may use more where the
#     node has it; what it then takes longer delays the start alone.
package headroom.rules.cpu["init-reserves"]

import data.headroom.quantity

report contains finding if {
	some excess in _reserved
	severity := _severity(excess)
	finding := {
		"container": excess.c.name,
		"path": array.concat(excess.c.path, ["resources", "requests", excess.resource]),
		"message": sprintf("This init container makes its Pod reserve %s %s; the containers together ask for %s.", [
			_amount(excess.resource, excess.asked),
			_word[excess.resource],
			_beside(excess),
		]),
		"why": _why(excess),
		"expected": _expected(excess),
		"figures": {"asked": excess.asked, "beside": excess.beside},
		"severity": severity,
	}
}

_beside(excess) := "nothing" if {
	excess.beside == 0
} else := _amount(excess.resource, excess.beside)

_why(excess) := "It ends before they start, but the Pod keeps that reserved." if {
	excess.beside == 0
} else := sprintf("It ends before they start, but the Pod keeps %v times what they ask for reserved.", [
	round((excess.asked * 10) / excess.beside) / 10,
])

_expected(excess) := sprintf("requests.%s for the containers, and no more for %s", [
	excess.resource,
	excess.c.name,
]) if {
	excess.beside == 0
} else := sprintf("requests.%s of at most %s for %s%s", [
	excess.resource,
	_amount(excess.resource, max([_least[excess.resource], _room(excess)])),
	excess.c.name,
	_may_use[excess.resource],
])

_severity(excess) := "warning" if {
	excess.asked >= 5 * excess.beside
	excess.asked - excess.beside >= _much[excess.resource]
} else := "info" if {
	excess.asked >= 2 * excess.beside
	excess.asked - excess.beside >= _little[excess.resource]
}

_much := {"cpu": 1000, "memory": 1073741824}

_little := {"cpu": 100, "memory": 134217728}

# What is left of the containers' sum beside the sidecars that run by then.
_room(excess) := excess.beside - (excess.asked - _request_of(excess.c, excess.resource))

_least := {"cpu": 1, "memory": 1048576}

_word := {"cpu": "CPU", "memory": "of memory"}

_may_use := {"cpu": ", which may use more where the node has it", "memory": ", if it needs no more"}

_amount("cpu", milli) := quantity.format_cpu(milli)

_amount("memory", bytes) := quantity.format_memory(bytes)
