# METADATA
# title: Heap that is near its bound, as measured
# description: |
#   What the heap holds for good is more than 80 % of what it may have. Node.js and .NET end with an error of their own
#   at their bound, whatever room the container has; Go collects without end near GOMEMLIMIT. Before that collections
#   take the program's time. Where a runtime does not tell what is live, what its heap held at the lowest of an hour
#   stands for it, which may have garbage in it: prom-client has it as nodejs_heap_space_size_used_bytes, .NET as
#   dotnet_gc_last_collection_heap_size_bytes, Go's client as go_memstats_heap_alloc_bytes. A JVM's heap is HR609.
# related_resources:
# - ref: https://nodejs.org/api/cli.html#--max-old-space-sizesize-in-mib
#   description: The bound of V8's old space
# - ref: https://go.dev/doc/gc-guide#Memory_limit
#   description: Go's memory limit, and what comes near it
# custom:
#   id: HR612
#   severity: warning
#   harm: pauses
#   certain: true
#   size: "% of the bound"
#   facts: [R1, R10]
#   remediation: |
#     Raise the bound to what the finding names, and limits.memory with it. Where memory grows all the time it is a leak
#     (HR614), and no bound is enough: a heap snapshot shows what holds it.
package headroom.rules.measured["heap-near-bound"]

import data.headroom.measured
import data.headroom.quantity
import data.headroom.runtimes
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	c.role != "init"
	heap := runtimes.heaps[c.id]
	held := runtimes.held(c)
	held.bytes > heap.bytes * _most
	_may_be(held, heap)
	percent := quantity.percent(held.bytes, heap.bytes)
	finding := {
		"container": c.name,
		"path": heap.path,
		"message": sprintf("The heap holds %v MiB %s, %v %% of the %v that it may have (%s; %s); 80 %% is the most.", [
			quantity.mib(held.bytes),
			held.text,
			percent,
			quantity.mib(heap.bytes),
			heap.text,
			measured.runtime_of(c.name).text,
		]),
		"why": "Near its bound a heap is collected again and again; at the bound the program ends, or does little else.",
		"expected": concat("", [_larger(heap, _wanted(held, heap)), " or more", _with_limit(c, heap, _wanted(held, heap))]),
		"figures": {"held_mib": quantity.mib(held.bytes), "bound_mib": quantity.mib(heap.bytes)},
		"size": percent,
		"severity": _severity[heap.said],
		"outcome": _outcome[heap.said],
	}
}

# A file of the image, or a script, may set another bound than the runtime's own. An exporter may add up several
# processes, as that of Node.js's cluster does. What the heap holds shows it. Go may go beyond its limit.
_may_be(_, heap) if heap.soft

_may_be(held, heap) if held.bytes <= heap.bytes

_may_be(held, heap) if {
	heap.said
	held.bytes <= heap.bytes * _rounding
}

_rounding := 1.1

_severity := {true: "warning", false: "info"}

_outcome := {true: "certain", false: "possible"}

_larger(heap, mib) := sprintf(heap.larger, [mib * 1048576, mib]) if contains(heap.larger, "%X")

_larger(heap, mib) := sprintf(heap.larger, [mib]) if not contains(heap.larger, "%X")

# Three quarters of the limit are the most for a bound: what is beside the heap counts too.
_with_limit(c, heap, mib) := sprintf(", and limits.memory of %vMi or more", [ceil(mib / 0.75)]) if {
	not startswith(heap.larger, "limits.memory")
	c.memory_limit > 0
	mib * 1048576 > c.memory_limit * 0.75
} else := ""

_most := 0.8

# Three fifths of it hold what is there.
_wanted(held, heap) := ceil(((held.bytes / 0.6) / heap.share) / 1048576)
