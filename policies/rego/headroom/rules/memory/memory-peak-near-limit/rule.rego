# METADATA
# title: Measured memory peak near the limit
# description: |
#   A container is healthy while its memory stays under 80 % of its limit (M2). Above that, one burst of
#   requests, one larger heap after a full collection or one library's cache is enough for an OOM kill.
#   The peak is the measured one, or the one that the annotation memory-peak.headroom.dev/<container>
#   declares; memory.peak in headroom.yaml is the share. The message says so where less than 10 % of the
#   limit is left.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#   description: Containers that exceed their memory limit
# custom:
#   id: HR305
#   severity: warning
#   harm: OOMKilled
#   size: "% of the limit"
#   facts: [M2]
#   remediation: |
#     Raise limits.memory, and requests.memory with it, to at least the peak divided by the
#     share; or find what needs so much.
package headroom.rules.memory["memory-peak-near-limit"]

import data.headroom.advice
import data.headroom.config
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	some name, seen in memory.peak
	peak := seen.bytes
	permille := round(config.settings.memory.peak * 1000)
	some c in workload.containers
	c.name == name
	c.role != "init"
	c.memory_limit >= 1
	permille >= 1
	peak * 1000 > c.memory_limit * permille
	finding := {
		"container": name,
		"path": memory.limit_path(c),
		"message": sprintf("%s: %v %%, and %v %% is the most that leaves room. %s", [
			memory.peak_words(c),
			round((peak * 1000) / c.memory_limit) / 10,
			permille / 10,
			concat("", [_little(c, peak), memory.kill_words(c)]),
		]),
		"expected": advice.memory_for_peak(c, peak, permille),
		"figures": {"peak_bytes": peak, "limit_bytes": c.memory_limit, "most_permille": permille},
		"size": quantity.percent(peak, c.memory_limit),
		"follows": _follows(name),
	}
}

# 80 % is where M2 warns; the last tenth is said beside.
_little(c, peak) := "Less than 10 % of the limit is left. " if {
	peak * 10 > c.memory_limit * 9
} else := ""

# Where the container was killed, HR603 says it, and what HR603 itself follows.
_follows(name) := ["jvm-headroom", "jvm-heap-reaches-limit", "runtime-reaches-limit", "oom-killed"] if {
	measured.containers[name].oom_kills > 0
} else := []
