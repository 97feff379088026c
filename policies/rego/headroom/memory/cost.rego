package headroom.memory

import data.headroom.workload

# raise_cost is what it costs to raise the requests of a workload to its limits (HR302). It has what one
# Pod asks for before and after, in bytes, and how much more all of its Pods ask for. replicas is there
# where the manifest gives a number.
raise_cost := object.union(
	{
		"pod_request_bytes": before,
		"pod_request_after_bytes": after,
		"more_bytes": (after - before) * object.get(_replicas, "replicas", 1),
	},
	_replicas,
) if {
	[before, after] := _pod_requests
}

# far_apart says that a limit is over twice its request: so much is seldom used, and raising the request by it may
# leave a Pod without a node.
far_apart(request, limit) if limit > 2 * request

# least_limit is the least memory limit that can be meant, in bytes: container runtimes refuse limits of 4 to 6 MiB and
# less.
least_limit := 4194304

# least_request is the least that is meant, in bytes: less has lost its unit, and reserves nothing (HR306).
least_request := 1048576

# pods is how many Pods a workload has, 1 where the manifest does not say it.
pods := max([1, object.get(_replicas, "replicas", 1)])

# cost_words says it of one container, short.
cost_words(more) := sprintf("+%s a Pod, %v Pods: %s more reserved", [
	about(more),
	_replicas.replicas,
	about(more * _replicas.replicas),
]) if {
	_replicas.replicas > 1
} else := sprintf("+%s a Pod", [about(more)])

default _replicas := {}

_replicas := {"replicas": replicas} if {
	replicas := workload.manifest.spec.replicas
	is_number(replicas)
	replicas >= 0
}

_pod_requests := [pod.request, max([pod.request, pod.limit])] if {
	pod := workload.pod_level.memory
	pod.request > 0
} else := [
	sum([_addable(c.memory_request) | some c in _lasting]),
	sum([_addable(_raised(c)) | some c in _lasting]),
]

_lasting := [c | some c in workload.containers; c.role != "init"]

_raised(c) := max([c.memory_request, c.memory_limit]) if c.memory_request > 0

_raised(c) := 0 if c.memory_request <= 0

# sum() of earlier OPAs wraps around at 64 bits (open-policy-agent/opa#8987). What is cut here is more
# than any node has, which HR001 reports.
_addable(bytes) := min([bytes, 9007199254740991]) # 2^53 - 1
