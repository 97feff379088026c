package headroom.memory

import data.headroom.config

# What would pass. The sum is linear in the heap but for the floor of the native term, so
# both of its lines are solved, and the answer is checked against the sum itself.

# allowed is what a budget may take of a limit, the headroom left free (M1).
allowed(limit_mib) := limit_mib * (1 - config.settings.memory.headroom)

default fits(_, _, _) := false

fits(j, limit_mib, heap_bytes) if total_mib(j, heap_bytes) <= allowed(limit_mib)

# total_mib is the sum with a heap of that many bytes.
total_mib(j, heap_bytes) := mebibytes(heap_bytes) + sum([term.mib |
	some term in terms_at(j, heap_bytes)
	term.name != "heap"
])

# The lines: total = base + slope x heap, in MiB.
_lines(j) := [
	{"base": fixed + least_native, "slope": follows},
	{"base": fixed + growing.base, "slope": follows + growing.slope},
] if {
	terms := terms_at(j, 0)
	fixed := sum([term.mib | some term in terms; not term.name in {"heap", "native"}])
	follows := 1 + count([term | some term in terms; term.name == "direct"; term.flag == ""])
	least_native := terms[5].mib
	growing := _growing(j, terms[5])
}

# What the native term grows by, where the collector decides it.
_growing(j, term) := {"base": own_mib + books.base, "slope": books.percent / 100} if {
	term.source == "assumed"
	books := bookkeeping[j.gc]
} else := {"base": term.mib, "slope": 0}

# largest_heap_mib is the largest heap that passes under a limit, an even number; 0 for none.
largest_heap_mib(j, limit_mib) := max(array.concat([0], [heap_mib |
	room := min([h | some line in _lines(j); h := (allowed(limit_mib) - line.base) / line.slope])
	some back in [0, 2, 4]
	heap_mib := bits.lsh(bits.rsh(floor(room), 1), 1) - back
	fits(j, limit_mib, heap_mib * 1048576)
]))
