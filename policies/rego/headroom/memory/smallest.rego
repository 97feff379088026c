package headroom.memory

import data.headroom.config
import data.headroom.runtime.jvm

# smallest_limit_mib is the smallest limit, in steps of 64 MiB up to 1 TiB, under which the flags
# as they are pass; 0 for none. Not all above it need pass: with more memory the JVM may choose
# another collector, and another rule for its heap.
smallest_limit_mib(j) := min(found) if {
	found := [mib | some span in _spans(j); mib := _first(object.union(j, {"gc": span.gc}), span)]
	count(found) > 0
} else := 0

step_mib := 64

most_mib := 1048576

# _spans are the ranges of limits, in MiB, in which one collector and one rule for the heap hold.
_spans(j) := [{"from": from, "to": edges[i + 1], "gc": gc} |
	edges := sort({1, most_mib + 1, jvm.server_memory / 1048576, _end_of_little(j)})
	some i, from in edges
	i < count(edges) - 1
	gc := jvm.collector(j.chosen, j.sources, j.flags, j.processors, from * 1048576, j.version)
]

# The first limit that is no longer little memory to the JVM.
_end_of_little(j) := min([most_mib, mebibytes(jvm.end_of_little(j.flags, j.numbers))])

_heap_under(j, limit_mib) := jvm.max_heap(j.flags, j.numbers, memory) if {
	memory := jvm.seen_memory({"memory_limit": limit_mib * 1048576}, j.flags, j.numbers)
}

# In a span the heap is a share of the limit, and not less than at its start: both lines of the
# sum are solved for both. What is left is rounding, to whole MiB and whole 2 MiB of heap.
_first(j, span) := [mib |
	lines := _solved(j, span.from)
	least_left := min({line.left | some line in lines})
	least_left > 0
	needs := max({needed | some line in lines; needed := line.needs / line.left})
	first := max([ceil(span.from / step_mib), floor(needs / step_mib)])
	last := min([ceil((needs + (6 / least_left)) / step_mib), first + 63, floor((span.to - 1) / step_mib)])
	some steps in numbers.range(first, last)
	steps <= last
	mib := steps * step_mib
	fits(j, mib, _heap_under(j, mib).bytes)
][0]

_solved(j, from) := [solved |
	least := _heap_under(j, from)
	least.bytes > 0
	some heap in [{"share": 0, "mib": mebibytes(least.bytes)}, {"share": _share(j, from), "mib": 0}]
	some line in _lines(j)
	solved := {
		"needs": line.base + (line.slope * heap.mib),
		"left": (1 - config.settings.memory.headroom) - (line.slope * heap.share),
	}
]

# The share of the limit that is the heap; 0 where a size decides.
_share(j, from) := share.percent / 100 if {
	not j.flags.MaxRAM
	memory := from * 1048576
	share := jvm.max_heap(object.remove(j.flags, {"InitialHeapSize"}), j.numbers, memory)
} else := 0
