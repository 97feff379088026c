package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# heap_share is the heap of a JVM that has none set: what the fix writes, where there is one to
# write.
heap_share(j, 0) := sprintf("limits.memory, then the share of it that HR303 has room for, at most %s", [
	memory.configured_share.flag,
]) if {
	not jvm.off(j.flags, "UseContainerSupport")
} else := "limits.memory and -Xmx: without container support a percentage is one of the node's memory"

heap_share(j, limit_mib) := concat(", or ", array.concat([share.flag], _with_a_cap(j, limit_mib, share))) if {
	memory.sees_limit(j)
	share := memory.fitting_share(j, limit_mib)
	share.percent >= memory.least_share
	memory.fits(j, memory.room_mib(limit_mib), object.get(j.numbers, "InitialHeapSize", 0))
} else := _largest_heap(j, limit_mib, caps) if {
	limit_mib > 0
	caps := heap_caps(j, memory.room_mib(limit_mib))
} else := "a larger limits.memory, and -Xmx: no heap fits under this limit" if {
	limit_mib > 0
	j.heap.bytes == 0
} else := wanted_memory(j, memory.room_mib(limit_mib)) if {
	limit_mib > 0
}

_with_a_cap(j, limit_mib, share) := [sprintf("%s with %s", [larger.flag, caps_text(caps)]) |
	caps := direct_cap(j)
	larger := memory.fitting_share(with_flags(j, caps), limit_mib)
	larger.percent > share.percent
]

_largest_heap(j, limit_mib, caps) := concat(" with ", array.concat([heap], with_caps)) if {
	with_caps := [caps_text(caps) | count(caps) > 0]
	capped := with_flags(j, caps)
	largest := memory.largest_heap_mib(capped, memory.room_mib(limit_mib))
	heap := _heap_text(capped, limit_mib, min([largest, memory.configured_heap_mib(limit_mib)]))
}

# A flag for a heap of so many MiB: a whole percentage where it decides, else -Xmx.
_heap_text(j, limit_mib, heap_mib) := sprintf("-XX:MaxRAMPercentage=%v.0", [percent]) if {
	jvm.seen_memory(j.c, j.flags, j.numbers) > 0
	percent := floor((heap_mib * 100) / limit_mib)
	share := memory.heap_at_percentage(j, limit_mib, percent)
	share.flag == "MaxRAMPercentage"
	share.bytes <= heap_mib * 1048576
} else := size_text(j, heap_mib)
