package headroom.memory

import data.headroom.runtime.jvm

# _spans are the ranges of limits, in MiB, in which one collector and one rule for the heap hold.
_spans(j) := [{"from": from, "to": edges[i + 1], "gc": gc} |
	edges := sort({1, most_mib + 1, jvm.server_memory / 1048576, _end_of_little(j), _end_of_growth(j)})
	some i, from in edges
	memory := jvm.server_class_memory({"memory_limit": bits.lsh(from, 20)}, j.flags)
	gc := jvm.collector(j.chosen, j.sources, j.flags, j.processors, memory, j.version)
]

# The smallest limit under which the JVM uses MaxRAMPercentage and not MinRAMPercentage (J6).
_end_of_little(j) := min([most_mib, mebibytes(jvm.end_of_little(j.flags, j.numbers))])

# _end_of_growth is the limit from which compressed pointers bound the heap, and more memory makes it no larger (J6).
_end_of_growth(j) := min([most_mib, ceil((mebibytes(heap.bytes) * 100) / heap.percent) + 1]) if {
	heap := heap_under(j, most_mib)
	heap.compressed
	heap.percent > 0
} else := most_mib

# heap_under is the heap (see jvm.max_heap) of the flags as they are under a limit, rounded as the
# collector does.
heap_under(j, limit_mib) := jvm.fitted(heap, j.flags, numbers, j.gc, j.version) if {
	numbers := object.union(j.numbers, _of_script(j, limit_mib * 1048576))
	memory := jvm.seen_memory({"memory_limit": limit_mib * 1048576}, j.flags, j.numbers)
	heap := jvm.compressed(jvm.max_heap(j.flags, numbers, memory), j.flags, numbers, j.gc, j.version)
}

# What a start script makes of another limit.
_of_script(j, bytes) := {"MaxHeapSize": jvm.share_mib(jvm.share_of_limit(j), bytes) * 1048576} if {
	jvm.share_of_limit(j)
} else := {}
