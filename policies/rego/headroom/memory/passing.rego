package headroom.memory

import data.headroom.config
import data.headroom.quantity
import data.headroom.runtime.jvm

# What would pass. The sum is made of straight lines in the heap. Regions grow with a small one, up to what is usual or
# to a cap, and native memory from a floor. Each line is solved, and the answer is checked against the sum itself.

# allowed is what a budget may take of a limit, the headroom left free (M1): a share of it, and at most an amount.
allowed(limit_mib) := max([mib | some line in margins; mib := (limit_mib * line.share) - line.less])

# margins are the two lines of which the higher is allowed.
margins := [
	{"share": 1 - config.settings.memory.headroom, "less": 0},
	{"share": 1, "less": most_headroom_mib},
]

# most_headroom_mib is as much as has to stay free of any limit.
most_headroom_mib := quantity.bytes(config.settings.memory.headroomAtMost) / 1048576 if {
	quantity.bytes(config.settings.memory.headroomAtMost) >= 0
} else := quantity.bytes(config.defaults.memory.headroomAtMost) / 1048576

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
	{"base": fixed + floor_of.base, "slope": slope + floor_of.slope},
	{"base": fixed + growing.base, "slope": slope + growing.slope},
] |
	stacks_mib := sum([term.mib | some term in array.concat([stacks(j)], off_heap(j))])
	growing := _growing(j)
	some metaspace_line in _metaspace_lines(j)
	some code_line in _code_lines(j)
	some direct_line in _direct_lines(j)
	fixed := ((stacks_mib + metaspace_line.base) + code_line.base) + direct_line.base
	slope := ((1 + metaspace_line.slope) + code_line.slope) + direct_line.slope
	some floor_of in _native_floors(j)
]

_metaspace_lines(j) := _region_lines("metaspace", metaspace(j, _least_bytes).mib, metaspace(j, _most_bytes).mib)

_code_lines(j) := _region_lines("code cache", code_cache(j, _least_bytes).mib, code_cache(j, _most_bytes).mib)

# A heap of some bytes, since one of none is not known.
_least_bytes := 1

_most_bytes := most_mib * 1048576

# A region that does not grow with the heap has one line.
_region_lines(_, from, most) := [{"base": most, "slope": 0}] if from == most

_region_lines(name, from, most) := [{"base": least[name], "slope": growth(name)}, {"base": most, "slope": 0}] if {
	from != most
}

# Direct memory grows with a small heap, or as far as the heap allows what is known of it.
_direct_lines(j) := _region_lines("direct", direct(j, _least_bytes).mib, direct(j, _most_bytes).mib) if {
	not family_of(j).takes.direct
} else := [{"base": direct(j, _most_bytes).mib, "slope": 0}] if {
	direct(j, _least_bytes).mib == direct(j, _most_bytes).mib
} else := [{"base": 0, "slope": 1}, {"base": direct(j, _most_bytes).mib, "slope": 0}]

# What native memory is at the least that is expected of it, and what it grows by where the collector decides it.
_native_floors(j) := _region_lines("native", usual_mib("native", _least_bytes), usual_mib("native", _most_bytes)) if {
	native(j, 0).grade == "assumed"
} else := [_growing(j)]

_growing(j) := {"base": own_mib + books.base, "slope": books.percent / 100} if {
	native(j, 0).grade == "assumed"
	books := bookkeeping[j.gc]
} else := {"base": family_of(j).takes.native + books.base, "slope": books.percent / 100} if {
	native(j, 0).grade == "known"
	books := bookkeeping[j.gc]
} else := {"base": native(j, 0).mib, "slope": 0}

# largest_heap_mib is the largest heap that passes under a limit, in whole regions of the collector, and an
# even number; 0 for none.
largest_heap_mib(j, limit_mib) := max(array.concat([0], [heap_mib |
	some lines in _lines(j)
	room := min([h | some line in lines; h := (allowed(limit_mib) - line.base) / line.slope])
	step := jvm.region_mib(j, floor(room))
	some back in [0, 1, 2, 3]
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
