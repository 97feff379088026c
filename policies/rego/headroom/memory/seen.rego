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

# facts_of is what is known of the JVM in a container beside its flags, 0 where that is not known.
facts_of(c) := {key: object.get(jvm.by_id[c.id].facts, key, 0) | some key in jvm.seen_facts} if {
	jvm.by_id[c.id]
} else := {key: 0 | some key in jvm.seen_facts}
