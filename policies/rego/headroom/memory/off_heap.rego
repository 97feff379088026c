package headroom.memory

import data.headroom.runtime.jvm

# off_heap are the terms of what a program keeps outside the heap by a setting of its own, which counts in full.
off_heap(j) := object.get(_off_heap, j.c.id, []) if {
	j.c.id
} else := []

_off_heap[j.c.id] := [{
	"name": kept.name,
	"mib": mib,
	"least_mib": 0,
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
