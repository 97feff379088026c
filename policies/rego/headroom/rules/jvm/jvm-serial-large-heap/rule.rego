# METADATA
# title: Serial collector with the heap of a server
# description: |
#   The Serial collector stops the application and works with one thread, however large the heap is. A JVM takes it by
#   itself where it counts one processor, as under a CPU limit of one core, or less than 1792 MiB of memory (J5):
#   it is meant for small programs. With a heap of more than that a JVM on two processors would take G1, which keeps
#   pauses short by collecting in parts. Measured with 2 GiB and 150 MB of live data: P99 80 ms with Serial, 22 ms with
#   G1 and one thread. Where a flag asks for Serial this is an info.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/gctuning/available-collectors.html
#   description: The collectors, and what each is for
# custom:
#   id: HR414
#   severity: warning
#   harm: pauses
#   facts: [J5]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Set -XX:+UseG1GC, which needs about 4 % of the heap for itself, or let the JVM count two processors
#     (-XX:ActiveProcessorCount=2, or a CPU limit of more than one core).
package headroom.rules.jvm["jvm-serial-large-heap"]

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not j.secret
	_gc_known(j)
	j.gc == "Serial"
	j.heap.bytes > jvm.server_memory
	not _goes_with_its_limit(j)
	finding := {
		"container": j.container,
		"path": object.get(j.flags, ["UseSerialGC", "path"], jvm.flag_path(j)),
		"message": concat(" ", array.concat(
			[sprintf("The heap may grow to %v MiB, and the Serial collector, %s, works on it with one thread.", [
				memory.mebibytes(j.heap.bytes),
				_chosen(j),
			])],
			jvm.unless_stronger(j, ""),
		)),
		"why": "All threads of the application wait for that one: measured with 2 GiB, P99 is 80 ms, and 22 ms with G1.",
		"expected": advice.collector_of_a_server(j),
		"figures": {"heap_mib": memory.mebibytes(j.heap.bytes), "processors": j.processors},
		"severity": _severity(j),
	}
}

# A program's own start script may choose another.
_gc_known(j) if count(j.chosen) > 0

_gc_known(j) if {
	jvm.gc_known(j)
	j.script == {}
}

_severity(j) := "info" if {
	j.flags.UseSerialGC.value == "+"
} else := "warning"

# HR202 takes the limit away that lets it count one processor, and tells it a larger count.
_goes_with_its_limit(j) if {
	jvm.passing_size(j)
	count(j.chosen) == 0
}

_chosen(j) := sprintf("as %s asks for it", [jvm.origin(j, "UseSerialGC")]) if {
	j.flags.UseSerialGC.value == "+"
} else := sprintf("which the JVM picks itself under a limits.memory of %v MiB", [limit]) if {
	j.processors == 0
	limit := memory.mebibytes(j.c.memory_limit)
} else := sprintf("which the JVM picks itself on the %s it counts (%s)", [
	jvm.plural(j.processors, "processor"),
	j.processors_source,
])
