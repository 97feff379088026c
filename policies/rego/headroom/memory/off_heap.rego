package headroom.memory

import data.headroom.runtime.jvm

# off_heap are the terms of what a program keeps outside the heap by a setting of its own, which counts in full. The
# heap of another JVM does so at the low end too, as that of the JVM itself.
off_heap(j) := object.get(_off_heap, j.c.id, []) if {
	j.c.id
} else := []

_off_heap[j.c.id] := [{
	"name": kept.name,
	"mib": mib,
	"least_mib": _least_of(kept, mib),
	"bound_mib": mib,
	"source": kept.source,
	"flag": "",
	"grade": kept.grade,
} |
	some kept in jvm.kept_outside(j.c, j.sources)
	mib := mebibytes(kept.bytes)
] if {
	some j in jvm.jvms
}

_least_of(kept, mib) := mib if kept.heap

_least_of(kept, _) := 0 if not kept.heap
