package headroom.fix

import data.headroom.cpu
import data.headroom.runtime.jvm

# withheld says why flags which a rule would write for a JVM are not written, and what makes the reason go away. It is
# "" where nothing that was not read is the reason.
withheld(slug, container) := text if {
	some j in jvm.judged
	j.container == container
	j.sure
	_would_write(slug, j)
	text := _not_read(j)
} else := ""

_would_write("jvm-heap-unset", j) if j.c.memory_limit > 0

_would_write("jvm-processors", j) if cpu.average[j.c.id].milli > 0

_would_write("latency-cpu-limit", j) if not jvm.counts_for_sure(j)

_not_read(j) := sprintf("%s may hold flags. %s", [hidden[0], _as_text]) if {
	hidden := [jvm.whose(u) | some u in j.unknown; u.unreadable]
	count(hidden) > 0
} else := "what the image sets is not known. headroom images lock reads it" if {
	jvm.injectable_once_read(j)
}

_as_text := "As plain text, or as a ConfigMap beside the manifest, they can be read"
