package headroom.memory

import data.headroom.config
import data.headroom.runtime.jvm

# What would pass. The sum is linear in the heap but for the floor of the native term and the
# ceiling of direct memory. So each of its lines is solved, and the answer is checked against the
# sum itself.

# allowed is what a budget may take of a limit, the headroom left free (M1).
allowed(limit_mib) := limit_mib * (1 - config.settings.memory.headroom)

default fits(_, _, _) := false

fits(j, limit_mib, heap_bytes) if total_mib(j, heap_bytes) <= allowed(limit_mib)

# total_mib is what is expected with a heap of that many bytes.
total_mib(j, heap_bytes) := mebibytes(heap_bytes) + sum([term.mib |
	some term in terms_at(j, heap_bytes)
	term.name != "heap"
])

# The lines: total = base + slope x heap, in MiB. The sum is the larger of the two in a list, and
# the smallest that a list comes to.
_lines(j) := [[
	{"base": fixed + least_native, "slope": line.slope},
	{"base": fixed + growing.base, "slope": line.slope + growing.slope},
] |
	terms := terms_at(j, 0)
	others := sum([term.mib | some term in terms; term.name in {"metaspace", "code cache", "stacks"}])
	least_native := terms[5].mib
	growing := _growing(j, terms[5])
	some line in _direct_lines(j)
	fixed := others + line.base
]

# Direct memory is as much as the heap, up to what is usual; or what a flag says.
_direct_lines(j) := [{"base": direct(j, 0).mib, "slope": 1}] if {
	not _follows_heap(j)
} else := [{"base": 0, "slope": 2}, {"base": direct(j, most_mib * 1048576).mib, "slope": 1}]

_follows_heap(j) if direct(j, 0).mib < direct(j, most_mib * 1048576).mib

# What the native term grows by, where the collector decides it.
_growing(j, term) := {"base": own_mib + books.base, "slope": books.percent / 100} if {
	term.source == "assumed"
	books := bookkeeping[j.gc]
} else := {"base": term.mib, "slope": 0}

# largest_heap_mib is the largest heap that passes under a limit, in whole regions of the collector, and an
# even number; 0 for none.
largest_heap_mib(j, limit_mib) := max(array.concat([0], [heap_mib |
	some lines in _lines(j)
	room := min([h | some line in lines; h := (allowed(limit_mib) - line.base) / line.slope])
	step := jvm.region_mib(j, floor(room))
	some back in [0, 1, 2]
	heap_mib := step * (floor(room / step) - back)
	fits(j, limit_mib, heap_mib * 1048576)
]))

# least_heap_mib is the smallest heap that is advice: a quarter of the limit, which the JVM takes by
# itself, and 128 MiB, but where it has less already. No server was seen to run with less (M7).
least_heap_mib(j, limit_mib) := max([ceil(limit_mib / 4), min([least_server_mib, _heap_mib(j)])])

_heap_mib(j) := mebibytes(j.heap.bytes) if {
	j.heap.bytes > 0
} else := least_server_mib

least_server_mib := 128
