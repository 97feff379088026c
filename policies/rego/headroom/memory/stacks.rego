package headroom.memory

import data.headroom.config
import data.headroom.runtime.jvm

# stacks are threads x stack size, of which a thread uses little (M7). A manifest does not show the
# number of threads: it comes from the annotation, else from the config (M2: healthy is under 250).
stacks(j) := {
	"name": "stacks",
	"mib": mib,
	"least_mib": _least_stacks(mib, count_of.assumed),
	"bound_mib": mebibytes(count_of.threads * size.bytes),
	"source": count_of.source,
	"flag": size.flag,
	"assumed": count_of.assumed,
	"threads": count_of.threads,
	"stack_kib": bits.rsh(used_of_stack(size.bytes), 10),
} if {
	count_of := threads(j)
	size := jvm.stack_size(j.flags)
	mib := mebibytes(count_of.threads * used_of_stack(size.bytes))
}

used_of_stack(bytes) := min([bytes, stack_kib * 1024])

_least_stacks(mib, true) := min([mib, least.stacks])

_least_stacks(mib, false) := mib

threads(j) := {"threads": j.facts.threads, "source": "annotation", "assumed": false} if {
	j.facts.threads
} else := {"threads": config.settings.jvm.threads, "source": "config", "assumed": false} if {
	config.settings.jvm.threads != config.defaults.jvm.threads
} else := {"threads": config.settings.jvm.threads, "source": "assumed", "assumed": true}
