# METADATA
# title: JVM heap that is too small, as measured
# description: |
#   After a collection of its old generation the heap still holds more than 70 % of its maximum, or collections stopped
#   the program for more than a tenth of any ten minutes. What is live stays, and a collector that has little room
#   beside it runs again and again: the time in collections grows as one over what is free. At the end the program gets
#   an OutOfMemoryError, and the kernel sees nothing of it. The JVM tells both by its own metrics; headroom audit reads
#   them where Prometheus has them, and an annotation says what is live: jvm.headroom.dev/<container>: live=300Mi.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/gctuning/factors-affecting-garbage-collection-performance.html
#   description: Total heap, and why it decides how often collections run
# custom:
#   id: HR609
#   severity: warning
#   harm: pauses
#   certain: true
#   size: "% of the heap"
#   facts: [M2]
#   remediation: |
#     Raise the heap, and limits.memory with it: the finding names both where they are known. Where memory grows all the
#     time it is a leak, and no heap is enough: a heap dump shows what holds it.
package headroom.rules.measured["jvm-heap-too-small"]

import data.headroom.advice
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	live := memory.live(j)
	live.bytes > live.heap_bytes * memory.most_live
	percent := quantity.percent(live.bytes, live.heap_bytes)
	finding := {
		"container": j.container,
		"path": memory.heap_path(j),
		"message": sprintf("After collections the heap still holds %v MiB of %v, %v %% (%s); 70 %% is the most.%s", [
			quantity.mib(live.bytes),
			quantity.mib(live.heap_bytes),
			percent,
			live.text,
			_collections(j, live.pod),
		]),
		"why": _why,
		"expected": advice.with_heap(j, advice.heap_for_live(j).mib),
		"figures": object.union(
			{"live_mib": quantity.mib(live.bytes), "heap_mib": quantity.mib(live.heap_bytes)},
			{"collections_percent": share | share := round(memory.collections_in(j, live.pod) * 1000) / 10},
		),
		"size": percent,
		"severity": _severity(live),
	}
}

report contains finding if {
	some j in jvm.judged
	share := memory.collections(j)
	share > memory.most_collections
	not _full(j)
	finding := {
		"container": j.container,
		"path": memory.heap_path(j),
		"message": sprintf("Collections stopped the program for %v %% of ten minutes (%s); 10 %% is the most.%s", [
			round(share * 1000) / 10,
			measured.runtime_of(j.container).text,
			_throttled(j.container),
		]),
		"why": _why,
		"expected": _larger(j),
		"figures": {"collections_percent": round(share * 1000) / 10, "heap_mib": quantity.mib(memory.heap_of(j))},
		"size": round(share * 1000) / 10,
		"severity": "warning",
	}
}

_full(j) if {
	live := memory.live(j)
	live.bytes > live.heap_bytes * memory.most_live
}

_why := "The less of a heap is free, the more often it is collected; at the end comes an OutOfMemoryError."

# Nine tenths are live: it is about to end.
_severity(live) := "error" if {
	live.bytes >= live.heap_bytes * 0.9
} else := "warning"

_collections(j, pod) := sprintf(" Collections took %v %% of ten minutes.", [round(share * 1000) / 10]) if {
	share := memory.collections_in(j, pod)
	share >= 0.01
} else := ""

# A quota stops the collector's threads, too.
_throttled(name) := " Its Pods were throttled as well, which makes them longer (HR602)." if {
	measured.containers[name].ratio > 0.05
} else := ""

_larger(j) := advice.with_heap(j, wanted.mib) if {
	wanted := advice.heap_for_live(j)
	wanted.mib * 1048576 > memory.heap_of(j)
} else := advice.with_heap(j, ceil((memory.heap_of(j) * 3) / 2097152))
