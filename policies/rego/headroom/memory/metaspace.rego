package headroom.memory

import data.headroom.runtime.jvm

# metaspace holds class metadata, without an upper bound unless MaxMetaspaceSize sets one.
metaspace(j, heap_bytes) := _under_cap(j, "MaxMetaspaceSize", _classes(j, heap_bytes))

# What was measured tells. Else the number of classes does, where it is known: 5.8 kB each and 14 MB (Paketo's
# calculator).
_classes(j, heap_bytes) := seen_region(j, "metaspace", "metaspace", mebibytes(j.facts.metaspace)) if {
	j.facts.metaspace
} else := {
	"name": "metaspace",
	"mib": estimate,
	"least_mib": estimate,
	"bound_mib": estimate,
	"source": jvm.fact_text(j, "classes"),
	"flag": "",
	"grade": jvm.fact_grade(j, "classes"),
} if {
	estimate := mebibytes((j.facts.classes * bytes_of_a_class) + bytes_of_no_class)
} else := object.union(region(j, "metaspace", heap_bytes), {
	"name": "metaspace",
	"bound_mib": max([unbounded_metaspace_mib, 2 * object.get(family_of(j).takes, "metaspace", 0)]),
	"flag": "",
})

bytes_of_a_class := 5800

bytes_of_no_class := 14000000

# What is counted as the bound of what has none.
unbounded_metaspace_mib := 256
