package headroom.advice

import data.headroom.memory

# limit_way names the smallest limit that passes. A heap that is a share grows with it, and may
# leave none, or one out of all proportion: then it is the limit for a heap of the same size, as it
# is where -Xms alone decides. "" where there is none.
limit_way(j, limit_mib) := sprintf("limits.memory of %vMi", [mib]) if {
	mib := memory.smallest_limit_mib(j)
	mib > 0
	in_proportion(j, mib, limit_mib)
} else := sprintf("-Xmx%vm and limits.memory of %vMi", [heap_mib, mib]) if {
	heap_mib := memory.mebibytes(j.heap.bytes)
	mib := memory.smallest_limit_mib(with_flags(j, [sprintf("-Xmx%vm", [heap_mib])]))
	mib > 0
} else := ""

in_proportion(j, _, _) if j.flags.MaxHeapSize

in_proportion(j, mib, limit_mib) if {
	j.heap.percent > 0
	mib <= 2 * limit_mib
}
