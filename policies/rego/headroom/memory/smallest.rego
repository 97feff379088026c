package headroom.memory

import data.headroom.runtime.jvm

# smallest_limit_mib is the smallest limit, in steps of 64 MiB up to 1 TiB, under which the flags
# as they are pass; 0 for none. Not all above it need pass: with more memory the JVM may choose
# another collector, and another rule for its heap.
smallest_limit_mib(j) := min(found) if {
	found := [mib | some span in _spans(j); mib := _first(object.union(j, {"gc": span.gc, "direct_in_full": true}), span)]
	count(found) > 0
} else := 0

step_mib := 64

most_mib := 1048576

default passes_under(_, _) := false

# passes_under says whether the flags as they are pass under a limit.
passes_under(j, limit_mib) if {
	heap := heap_under(j, limit_mib)
	heap.bytes > 0
	gc := jvm.collector(j.chosen, j.sources, j.flags, j.processors, limit_mib * 1048576, j.version)
	fits(object.union(j, {"gc": gc, "direct_in_full": true}), limit_mib, heap.bytes)
}

# In a span the heap is a share of the limit, and not less than at its start: the lines of the
# sum are solved for both. What is left is rounding, to whole MiB and whole 2 MiB of heap.
_first(j, span) := min([mib |
	some lines in _lines(j)
	some margin in margins
	mib := _first_of(j, span, lines, margin)
])

_first_of(j, span, lines, margin) := [mib |
	solved := _solved(j, span.from, lines, margin)
	least_left := min({line.left | some line in solved})
	least_left > 0
	needs := max({needed | some line in solved; needed := line.needs / line.left})
	first := max([ceil(span.from / step_mib), floor(needs / step_mib)])
	last := min([ceil((needs + (8 / least_left)) / step_mib), first + 63, floor((span.to - 1) / step_mib)])
	first <= last
	some steps in numbers.range(first, last)
	mib := steps * step_mib
	fits(j, mib, heap_under(j, mib).bytes)
][0]

_solved(j, from, lines, margin) := [solved |
	at_start := heap_under(j, from)
	at_start.bytes > 0
	some heap in [{"share": 0, "mib": mebibytes(at_start.bytes)}, {"share": _share(j, from), "mib": 0}]
	some line in lines
	solved := {
		"needs": (line.base + (line.slope * heap.mib)) + margin.less,
		"left": margin.share - (line.slope * heap.share),
	}
]

# The share of the limit that is the heap; 0 where a size decides, where compressed pointers bound it, or where the JVM
# sees no limit.
_share(j, from) := 0 if {
	heap_under(j, from).compressed
} else := jvm.share_of_limit(j).percent / 100 if {
	jvm.share_of_limit(j)
} else := share.percent / 100 if {
	not j.flags.MaxRAM
	memory := jvm.seen_memory({"memory_limit": from * 1048576}, j.flags, j.numbers)
	memory != 0
	share := jvm.max_heap(object.remove(j.flags, {"InitialHeapSize"}), j.numbers, memory)
} else := 0
