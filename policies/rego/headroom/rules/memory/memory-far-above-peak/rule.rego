# METADATA
# title: Memory limit far above the measured peak
# description: |
#   Memory that is requested and never used keeps other Pods from the node, and a limit far above
#   the peak lets a leak grow for as long before anybody sees it. A peak may be 80 % of the limit
#   (M2); this speaks where the limit is more than twice what that takes, as 12Gi where 2Gi are used.
#   A JVM whose heap is a share of its limit is not judged: its heap would shrink with it.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR308
#   severity: info
#   harm: cost
#   facts: [M2]
#   remediation: |
#     Lower limits.memory, and requests.memory with it, to the measured peak divided by 0.8. Measure
#     over a time that has the highest load in it, or a leak would be found at the worst moment.
package headroom.rules.memory["memory-far-above-peak"]

import data.headroom.advice
import data.headroom.memory
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	some name, measured in memory.peak
	measured.bytes > 0
	some c in workload.containers
	c.name == name
	c.role != "init"
	c.memory_limit_source != "pod"
	wanted := advice.memory_enough(c, measured.bytes)
	wanted > 0
	c.memory_limit > 2 * wanted
	finding := {
		"container": name,
		"path": memory.limit_path(c),
		"message": sprintf("%s.", [memory.peak_words(c)]),
		"why": "Memory is reserved that is not used, and a leak is noticed only when all of it is gone.",
		"expected": sprintf("requests.memory and limits.memory: %s", [quantity.format_memory(wanted)]),
		"figures": {"peak_bytes": measured.bytes, "limit_bytes": c.memory_limit, "wanted_bytes": wanted},
	}
}
