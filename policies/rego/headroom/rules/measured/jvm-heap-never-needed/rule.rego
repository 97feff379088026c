# METADATA
# title: JVM heap that is never needed, as measured
# description: |
#   For a week the heap never held more than 20 % of its maximum after a collection, and collections took little time.
#   A JVM fills what it has before it collects, so that the container's memory does not show this: what is never needed
#   is reserved in every replica. A heap of five times what is live leaves collections as rare as they need to be.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/gctuning/factors-affecting-garbage-collection-performance.html
#   description: Total heap, and why it decides how often collections run
# custom:
#   id: HR610
#   severity: info
#   harm: cost
#   size: "MiB"
#   facts: [M2]
#   remediation: |
#     Lower the heap to what the finding says, then limits.memory and requests.memory to what headroom size says. A
#     report or a load of once a month may not be in the week: look first.
package headroom.rules.measured["jvm-heap-never-needed"]

import data.headroom.advice
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.words

report contains finding if {
	some j in jvm.judged
	live := memory.live(j)
	live.seen
	live.bytes < live.heap_bytes * memory.least_live
	memory.collections(j) <= advice.wanted_collections
	seen := measured.runtime_of(j.container)
	seen.days >= _week
	mib := _enough(j, live)
	freed := quantity.mib(live.heap_bytes) - mib
	freed >= _worthwhile_mib
	finding := {
		"container": j.container,
		"path": memory.heap_path(j),
		"message": sprintf("After collections the heap never held more than %v MiB of %v in %s, %v %% (%s).", [
			quantity.mib(live.bytes),
			quantity.mib(live.heap_bytes),
			words.span(seen.days * 86400),
			quantity.percent(live.bytes, live.heap_bytes),
			live.text,
		]),
		"expected": sprintf("%s: %v MiB less in each Pod", [advice.with_heap(j, mib), freed]),
		"figures": {
			"live_mib": quantity.mib(live.bytes),
			"heap_mib": quantity.mib(live.heap_bytes),
			"freed_mib": freed,
		},
		"size": freed,
	}
}

# A day less than seven may be what the first sample is short of.
_week := 6.5

_worthwhile_mib := 128

# Five times what is live, and what the time in collections asks for.
_enough(j, live) := max([
	advice.heap_for_live(j).mib,
	ceil((live.bytes / memory.least_live) / 2097152) * 2,
])
