# METADATA
# title: Node.js uses less than half of its limit for its heap
# description: |
#   Without a flag Node.js 20 and later bounds its heap to half of the memory limit, and to 2 GiB at most; 20 to 23 to
#   4 GiB from a limit of 15 GiB on (R1). Under a limit of 8 GiB the program ends with V8's "heap out of memory" at a
#   quarter of it. This speaks where that bound is known and less than half of the limit. Buffers, WebAssembly, threads
#   and further processes take memory beside that heap, and may be what the limit is for.
# related_resources:
# - ref: https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib
#   description: Node.js, --max-old-space-size
# custom:
#   id: HR507
#   severity: info
#   harm: cost
#   facts: [R1]
#   fixable: false
#   remediation: |
#     Set --max-old-space-size to 75 % of limits.memory in NODE_OPTIONS if the program needs that heap. Else lower the
#     limit to what was measured.
package headroom.rules.runtimes["node-heap-narrow"]

import data.headroom.ceiling
import data.headroom.runtime.node

report contains finding if {
	some narrow in node.narrow
	limit := narrow.c.memory_limit
	finding := {
		"container": narrow.c.name,
		"path": ceiling.resources(narrow.c),
		"message": sprintf("Node.js %v takes at most %v of the %v MiB of limits.memory for its heap, without a flag.", [
			narrow.feature,
			narrow.mib,
			ceiling.mib(limit),
		]),
		"why": "At that size it ends with heap out of memory; only buffers and threads can use the rest.",
		"expected": sprintf("--max-old-space-size=%v in NODE_OPTIONS (75 %% of limits.memory)%s", [
			ceiling.room(limit, 0.75, 0),
			_smaller(limit),
		]),
		"figures": {"heap_mib": narrow.mib, "limit_bytes": limit},
	}
}

# Below 15 GiB a limit of 4 GiB has the same heap.
_smaller(limit) := ", or limits.memory of 4Gi, which gives the same heap" if limit < 16106127360

_smaller(limit) := "" if limit >= 16106127360
