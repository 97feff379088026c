# METADATA
# title: JVM memory budget
# description: |
#   What a JVM comes to use, region by region, against its container's limit (M1):
#   heap + metaspace + code cache + direct memory + threads x stack + native, and what a program keeps
#   outside the heap by a setting of its own. Each term has three figures in MiB: mib, what is expected;
#   least_mib, the low end; bound_mib, what the flags, or the JVM by itself, would allow. It says where
#   the expected one comes from, and how well it is known (package evidence).
package headroom.memory

import data.headroom.evidence
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
	"total_mib": sum_of.value,
	"least_mib": sum_of.least,
	"bound_mib": sum_of.most,
	"grade": sum_of.grade,
	"limit_mib": limit,
	"left_mib": limit - sum_of.value,
	"headroom": (limit - sum_of.value) / max([limit, 1]),
	"complete": (limit * j.heap.bytes) > 0,
} if {
	# Whole MiB of the limit: the part of one that is cut off would not help.
	limit := bits.rsh(max([j.c.memory_limit, 0]), 20)
	terms := terms_at(j, j.heap.bytes)
	sum_of := evidence.total([figure(term) | some term in terms])
}

# with_heap is the sum as evidence has it with a heap of so many MiB that is set.
with_heap(j, mib) := evidence.total(array.concat(
	[{"value": mib, "least": mib, "most": mib, "unit": "MiB", "source": "", "grade": "declared"}],
	[figure(term) | some term in terms_at(j, mib * 1048576); term.name != "heap"],
))

# figure is a term, or a budget, as evidence has it.
figure(term) := {
	"value": object.get(term, "mib", object.get(term, "total_mib", 0)),
	"least": term.least_mib,
	"most": term.bound_mib,
	"unit": "MiB",
	"source": object.get(term, "source", ""),
	"grade": term.grade,
}

# terms_at are the terms of the sum with a heap of that many bytes.
terms_at(j, heap_bytes) := array.concat(
	[
		heap(j),
		metaspace(j, heap_bytes),
		code_cache(j, heap_bytes),
		direct(j, heap_bytes),
		stacks(j),
		native(j, heap_bytes),
	],
	off_heap(j),
)

# _under_cap is a region that a flag may bound: no figure of it is more than the cap.
_under_cap(j, flag, region) := object.union(region, {
	"bound_mib": cap,
	"flag": flag,
	"grade": "declared",
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
	"grade": "declared",
} if {
	j.numbers[flag] > 0
	cap := mebibytes(j.numbers[flag])
} else := region
