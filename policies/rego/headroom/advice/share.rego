package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# heap_share is the heap of a JVM without a heap setting. It is what the fix writes, if there is a
# fix, else a heap by its size. If no heap fits that the JVM could run with, it is a limit for one.
heap_share(j, 0) := sprintf("limits.memory, then the share of it that HR303 has room for, at most %s", [heap_in_place(
	j,
	memory.configured_share.flag,
)]) if {
	not jvm.off(j.flags, "UseContainerSupport")
} else := "limits.memory and -Xmx: without container support a percentage is one of the node's memory"

heap_share(j, limit_mib) := heap_in_place(j, concat(" and ", share.flags)) if {
	memory.sees_limit(j)
	share := memory.fitting_share(j, limit_mib)
	share.percent >= memory.least_share
	memory.fits(j, memory.room_mib(limit_mib), object.get(j.numbers, "InitialHeapSize", 0))
} else := size_text(j, min([heap_mib, memory.configured_heap_mib(limit_mib)])) if {
	limit_mib > 0
	heap_mib := largest_heap(j, memory.room_mib(limit_mib))
	heap_mib > 0
} else := sprintf("%s and %s", [
	heap_in_place(j, sprintf("-XX:MaxRAMPercentage=%v.0", [memory.least_share])),
	_limit_text(j, mib),
]) if {
	limit_mib > 0
	mib := memory.sufficient_limit_mib(j)
	in_proportion(j, mib, limit_mib)
	mib * 1048576 >= memory.share_counts_from
} else := same_heap_way(j) if {
	limit_mib > 0
}
