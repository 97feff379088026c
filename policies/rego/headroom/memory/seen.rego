package headroom.memory

import data.headroom.runtime.jvm

# seen_region is a region of which the most that it took is known, in whole MiB: from the JVM itself, or from an
# annotation. None gives memory back.
seen_region(j, name, fact, mib) := {
	"name": name,
	"mib": mib,
	"least_mib": mib,
	"bound_mib": mib,
	"source": jvm.fact_text(j, fact),
	"flag": "",
	"grade": jvm.fact_grade(j, fact),
}
