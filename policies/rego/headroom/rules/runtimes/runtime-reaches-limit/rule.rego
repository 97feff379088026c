# METADATA
# title: What the runtime may take reaches the memory limit
# description: |
#   A runtime, a cache or a database is told how large it may become, and counts what it has against that,
#   not against the container's limit. Where its own bound is the limit or more, the kernel kills the
#   process before it frees, evicts or spills anything: exit code 137, and no error of its own. A bound
#   above 90 % of the limit leaves little for what is not counted, and is an info. Each runtime's page in
#   docs/facts says what was measured.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#   description: Exceeding a container's memory limit
# custom:
#   id: HR504
#   severity: error
#   harm: OOMKilled
#   size: "% of the limit"
#   certain: true
#   facts: [J14, J16, R1, R10, R21, R22, R44, R60, R62, R64, R66, R68, R70, R71, R72]
#   fixable: false
#   remediation: |
#     Set what the runtime may take to the share of limits.memory that the finding names, or raise the
#     limit. What is not counted needs room too: code, stacks, buffers, connections, page cache.
package headroom.rules.runtimes["runtime-reaches-limit"]

import data.headroom.ceiling
import data.headroom.quantity
import data.headroom.runtimes

report contains finding if {
	some found in runtimes.reached
	finding := {
		"container": found.c.name,
		"path": found.path,
		"message": sprintf("%s, and the memory limit is %v MiB.", [
			ceiling.equation(found),
			ceiling.mib(found.c.memory_limit),
		]),
		"why": sprintf("The container %s be OOMKilled before %s.", [
			{true: "will", false: "can"}[found.certain],
			found.before,
		]),
		"expected": found.expected,
		"figures": {"bytes": found.bytes, "limit_bytes": found.c.memory_limit},
		"size": quantity.percent(found.bytes, found.c.memory_limit),
		"severity": _severity(found),
		"follows": ["resize-needs-restart"],
	}
}

# What all of them may take at once, if each takes the most, is possible alone.
_severity(found) := "info" if {
	found.possible
} else := {true: "error", false: "warning"}[found.certain]

# What a bound does not count has little room beside it.
report contains finding if {
	some found in runtimes.near
	finding := {
		"container": found.c.name,
		"path": found.path,
		"message": sprintf("%s, and the memory limit of %v MiB leaves %v MiB beside that.", [
			ceiling.equation(found),
			ceiling.mib(found.c.memory_limit),
			ceiling.mib(found.left),
		]),
		"why": "Code, stacks, buffers and connections need room, too. Where they need more, the container is OOMKilled.",
		"expected": found.expected,
		"figures": {"bytes": found.bytes, "limit_bytes": found.c.memory_limit},
		"size": quantity.percent(found.bytes, found.c.memory_limit),
		"severity": "info",
		"outcome": "possible",
	}
}

# What one worker takes is the application's: it is to be measured where each has little.
report contains finding if {
	some share in runtimes.shared
	pool := share.pool
	finding := {
		"container": pool.container,
		"path": pool.path,
		"message": sprintf("%v workers (%s) share limits.memory of %v MiB: each has %v MiB of it.", [
			pool.workers,
			pool.source,
			ceiling.mib(pool.c.memory_limit),
			ceiling.mib(share.each),
		]),
		"why": "Where one takes more, they are OOMKilled; 64 MiB is little for a server.",
		"expected": concat(" ", [
			sprintf("worker= in the annotation runtime.headroom.dev/%s with what one holds, as measured;", [pool.container]),
			"that says how many fit",
		]),
		"figures": {"count": pool.workers, "limit_bytes": pool.c.memory_limit},
		"severity": "info",
		"outcome": "possible",
	}
}

# A bound that the runtime does not take leaves another in force, and a share of the node's memory is no bound.
report contains finding if {
	some refused in runtimes.refused
	finding := {
		"container": refused.c.name,
		"path": refused.path,
		"message": refused.message,
		"why": refused.why,
		"expected": refused.expected,
		"figures": {"percent": refused.percent},
		"severity": object.get(refused, "severity", "warning"),
	}
}
