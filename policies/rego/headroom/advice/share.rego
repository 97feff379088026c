package headroom.advice

import data.headroom.evidence
import data.headroom.memory
import data.headroom.runtime.jvm

# heap_share is the heap of a JVM without a heap setting. It is what the fix writes, if there is a
# fix, else a heap by its size. If no heap fits that the JVM could run with, it is what to measure first, or a limit.
heap_share(j, 0) := sprintf("limits.memory, then the share of it that HR303 has room for, at most %s", [heap_in_place(
	j,
	memory.configured_share.flag,
)]) if {
	not jvm.off(j.flags, "UseContainerSupport")
} else := "limits.memory and -Xmx: without container support a percentage is one of the node's memory"

heap_share(j, limit_mib) := sprintf("the heap that %s leaves: measure that, and say it with %s", [
	memory.unbounded(j),
	sprintf("native= in jvm.headroom.dev/%s", [j.container]),
]) if {
	limit_mib > 0
	memory.unbounded(j) != ""
} else := concat(" ", array.concat(
	[heap_in_place(j, concat(" and ", share.flags))],
	_more(j, limit_mib, share),
)) if {
	limit_mib > 0
	share := share_with_room(j, limit_mib)
} else := size_text(j, heap_mib) if {
	limit_mib > 0
	heap_mib := _heap_with_room(j, limit_mib)
	heap_mib > 0
	_may_be_told(j, heap_mib, limit_mib)
} else := concat(", ", array.concat(assumed, [_then(j, limit_mib)])) if {
	limit_mib > 0
	not evidence.numbered(memory.figure(memory.budget(j)))
	assumed := what_is_assumed(j)
	count(assumed) > 0
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

# More than the share fits beside what is expected, and not beside the most of it.
_more(j, limit_mib, share) := [sprintf("(more may fit once %s are annotated)", [jvm.listed(facts)]) |
	expected_mib := min([memory.largest_heap_mib(j, memory.room_mib(limit_mib)), memory.configured_heap_mib(limit_mib)])
	expected_mib * 100 >= limit_mib * (share.percent + 1)
	facts := _facts_assumed(j)
	count(facts) > 0
]

_heap_with_room(j, limit_mib) := min([
	largest_heap(j, memory.room_mib(limit_mib)),
	memory.configured_heap_mib(limit_mib),
])

# A heap is told as a number where what is beside it is known, or has room at its high end.
_may_be_told(j, heap_mib, _) if evidence.numbered(memory.with_heap(j, heap_mib))

_may_be_told(j, heap_mib, limit_mib) if {
	memory.high_end_mib(j, heap_mib * 1048576) <= memory.room_mib(limit_mib)
}

# What comes after the measuring: no heap fits before the limit is raised, or one does.
_then(j, limit_mib) := sprintf("then set %s and limits.memory", [heap_in_place(j, "-Xmx")]) if {
	_heap_with_room(j, limit_mib) == 0
} else := sprintf("then set the heap with %s", [heap_in_place(j, "-XX:MaxRAMPercentage")]) if {
	memory.sees_limit(j)
} else := sprintf("then set the heap with %s", [heap_in_place(j, "-Xmx")])

# share_with_room is the share of a limit that the budget has room for, and with which the JVM could run.
share_with_room(j, limit_mib) := share if {
	memory.sees_limit(j)
	share := memory.fitting_share(j, limit_mib)
	share.percent >= memory.least_share
	memory.fits(j, memory.room_mib(limit_mib), object.get(j.numbers, "InitialHeapSize", 0))
}

# heap_instead is the heap that a script takes in place of its share of the node's memory, of what a limit has room for.
# The young generation that it asks for with that is a quarter, as its own would be.
heap_instead(j, of_node, room_mib) := concat(", ", array.concat(
	what_is_assumed(j),
	[sprintf("then set %s", [concat(" and ", of_node.instead)])],
)) if {
	room_mib >= memory.least_server_mib
	not evidence.numbered(memory.with_heap(j, room_mib))
} else := concat(" and ", array.concat(
	[jvm.size_in(j, of_node.instead[0], heap_mib)],
	[sprintf("%s=%vm", [name, floor(heap_mib / 4)]) | some i, name in of_node.instead; i > 0],
)) if {
	room_mib >= memory.least_server_mib
	heap_mib := min([room_mib, of_node.node.most])
} else := sprintf("a higher limits.memory, then %s at half of it", [concat(" and ", of_node.instead)])
