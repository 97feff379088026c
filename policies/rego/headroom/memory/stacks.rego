package headroom.memory

import data.headroom.config
import data.headroom.runtime.jvm

# stacks are threads x stack size, of which a thread uses little (M7). A manifest does not show the
# number of threads: it comes from the annotation, else from the config (M2: healthy is under 250). A larger pool for
# requests than servers have by themselves counts beside it (J17).
stacks(j) := {
	"name": "stacks",
	"mib": mib,
	"least_mib": _least_stacks(mib, count_of),
	"bound_mib": mebibytes(count_of.threads * size.bytes),
	"source": count_of.source,
	"flag": size.flag,
	"grade": count_of.grade,
	"threads": count_of.threads,
	"stack_kib": bits.rsh(used_of_stack(size.bytes), 10),
} if {
	count_of := threads(j)
	size := jvm.stack_size(j.flags)
	mib := mebibytes(count_of.threads * used_of_stack(size.bytes))
}

used_of_stack(bytes) := min([bytes, stack_kib * 1024])

# Threads that are declared use some of their stacks each.
_least_stacks(mib, count_of) := min([mib, least.stacks]) if {
	count_of.grade == "assumed"
} else := min([mib, mebibytes((count_of.threads * least_stack_kib) * 1024)])

threads(j) := {
	"threads": j.facts.threads,
	"source": jvm.fact_text(j, "threads"),
	"grade": jvm.fact_grade(j, "threads"),
} if {
	j.facts.threads
} else := {"threads": config.settings.jvm.threads, "source": "config", "grade": "declared"} if {
	config.settings.jvm.threads != config.defaults.jvm.threads
} else := {
	"threads": (usual.threads + pool.threads) - measured_pool,
	"source": sprintf("%v %s, and %v more by %s", [
		usual.threads,
		usual.source,
		pool.threads - measured_pool,
		pool.text,
	]),
	"grade": "assumed",
} if {
	# How many of them a server comes to start is not known.
	pool := jvm.serving_threads(j)
	pool.threads > measured_pool
	usual := _usual_threads(j)
} else := _usual_threads(j)

_usual_threads(j) := {"threads": family.takes.threads, "source": family.text, "grade": "known"} if {
	family := family_of(j)
	family.takes.threads
} else := {"threads": config.settings.jvm.threads, "source": "assumed", "grade": "assumed"}

# measured_pool is how many threads the pools of the servers that were measured could have (M8): the default of Tomcat,
# of Jetty and of Quarkus (J17).
measured_pool := 200
