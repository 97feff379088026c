package headroom.memory

import data.headroom.config
import data.headroom.runtime.jvm

# stacks are threads x stack size. A manifest does not show the number of threads: it
# comes from the annotation, else from the config (M2: healthy is under 250).
stacks(j) := {
	"name": "stacks",
	"mib": mebibytes(count_of.threads * size.bytes),
	"source": count_of.source,
	"flag": size.flag,
	"assumed": count_of.assumed,
	"threads": count_of.threads,
	"stack_kib": bits.rsh(size.bytes, 10),
} if {
	count_of := threads(j)
	size := jvm.stack_size(j.flags)
}

threads(j) := {"threads": j.facts.threads, "source": "annotation", "assumed": false} if {
	j.facts.threads
} else := {"threads": config.settings.jvm.threads, "source": "assumed", "assumed": true}
