# METADATA
# title: JVM memory budget
# description: |
#   What a JVM comes to use, region by region, against its container's limit (M1):
#   heap + metaspace + code cache + direct memory + threads x stack + native. Each term has three
#   figures in MiB: mib, what is expected; least_mib, the low end; bound_mib, what the flags, or the
#   JVM by itself, would allow. It says where the expected one comes from: flag, JVM default,
#   annotation, config or assumed.
package headroom.memory

import data.headroom.runtime.jvm

# budgets are aligned with jvm.jvms. limit_mib is 0 where there is no limit, and heap 0
# where the manifest does not tell it; such a budget is not complete and is not judged.
budgets := [budget(j) | some j in jvm.jvms]

# told are the budgets by the id of their container; each term says in words where it comes from.
told := {j.c.id: object.union(budgets[i], {"terms": terms}) |
	some i, j in jvm.jvms
	terms := [object.union(term, {"text": source_text(j, term)}) | some term in budgets[i].terms]
}

budget(j) := {
	"container": j.container,
	"terms": terms,
	"total_mib": total,
	"least_mib": sum([term.least_mib | some term in terms]),
	"bound_mib": sum([term.bound_mib | some term in terms]),
	"limit_mib": limit,
	"left_mib": limit - total,
	"headroom": (limit - total) / max([limit, 1]),
	"complete": (limit * j.heap.bytes) > 0,
} if {
	# Whole MiB of the limit: the part of one that is cut off would not help.
	limit := bits.rsh(max([j.c.memory_limit, 0]), 20)
	terms := terms_at(j, j.heap.bytes)
	total := sum([term.mib | some term in terms])
}

# terms_at are the terms of the sum with a heap of that many bytes.
terms_at(j, heap_bytes) := [
	heap(j),
	metaspace(j),
	code_cache(j),
	direct(j, heap_bytes),
	stacks(j),
	native(j, heap_bytes),
]

# _under_cap is a region that a flag may bound: no figure of it is more than the cap.
_under_cap(j, flag, region) := object.union(region, {
	"bound_mib": cap,
	"flag": flag,
}) if {
	j.numbers[flag] > 0
	cap := mebibytes(j.numbers[flag])
	cap > region.mib
} else := {
	"name": region.name,
	"mib": cap,
	"least_mib": min([region.least_mib, cap]),
	"bound_mib": cap,
	"source": "flag",
	"flag": flag,
	"assumed": false,
} if {
	j.numbers[flag] > 0
	cap := mebibytes(j.numbers[flag])
} else := region
