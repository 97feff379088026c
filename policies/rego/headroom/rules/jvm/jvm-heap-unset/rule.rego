# METADATA
# title: Maximum heap not set
# description: |
#   Without -Xmx and -XX:MaxRAMPercentage the maximum heap is a quarter of the limit, and half of
#   it below 250 MiB (measured on JDK 8 to 28). Most of the memory that the container asks for
#   then lies idle, while the collector runs more often than it would have to. The rest of the
#   limit is not the heap's either: metaspace, compiled code, direct memory and stacks need it
#   (HR303).
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:MaxRAMPercentage in the java command's manual
# custom:
#   id: HR406
#   severity: warning
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:MaxRAMPercentage=50.0 in JAVA_TOOL_OPTIONS, with the decimal point: Java 8 does not
#     start on 50. Below 250 MiB it has no effect; set -Xmx there.
package headroom.rules.jvm["jvm-heap-unset"]

import data.headroom.config
import data.headroom.cpu
import data.headroom.fix
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workload

report contains finding if {
	some id, j in jvm.jvms
	j.c.role != "init"
	not j.secret
	not j.heap.set
	not j.flags.MaxRAM
	not jvm.heap_is_scripts(j)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": _message(j),
		"expected": _wanted(j),
		"figures": {"heap_mib": memory.mebibytes(j.heap.bytes), "limit_mib": memory.budgets[id].limit_mib},
		"fix": [fix.flags(j.c, [share]) | share := _share(j, memory.budgets[id].limit_mib)],
	}
}

_message(j) := concat("", [
	"Neither -Xmx nor -XX:MaxRAMPercentage is set, and there is no memory limit: ",
	"the maximum heap is a quarter of the node's memory.",
]) if {
	j.heap.bytes == 0
} else := sprintf("Neither -Xmx nor -XX:MaxRAMPercentage is set: %s gives a heap of %v MiB from a limit of %v MiB.", [
	_default(j.heap),
	memory.mebibytes(j.heap.bytes),
	memory.mebibytes(j.c.memory_limit),
])

_default(heap) := "-Xms" if heap.flag == "InitialHeapSize"

_default(heap) := sprintf("the default of %v %%", [heap.percent]) if heap.flag != "InitialHeapSize"

# Under 250 MiB, MinRAMPercentage decides.
_small := 262144000

# With a decimal point, which Java 8 wants, also where the config says 75.
_percentage := sprintf("-XX:MaxRAMPercentage=%d.%d", [floor(_tenths / 10), _tenths % 10])

_tenths := round(config.settings.jvm.maxRAMPercentage * 10)

_wanted(j) := "-Xmx: below 250 MiB, MaxRAMPercentage has no effect" if {
	j.c.memory_limit > 0
	j.c.memory_limit < _small
} else := _percentage

# The configured share, or the largest that the budget has room for; never less than the 25 %
# that the JVM takes by itself. What headroom injects thus never has to be lowered again.
_share(j, limit_mib) := share if {
	j.c.memory_limit >= _small
	not jvm.off(j.flags, "UseContainerSupport")
	not fix.limit_changes(j.c)
	not fix.capped_first(j.c)
	not _shared(j)
	share := [share |
		some [share, percent] in [[_percentage, _tenths / 10], _largest(j, limit_mib)]
		memory.fits(j, limit_mib - _in_memory_mib, floor((j.c.memory_limit * percent) / 100))
		percent >= 25
	][0]
	jvm.may_inject(j, [share])
	not fix.worsens(j, [share])
}

_largest(j, limit_mib) := [sprintf("-XX:MaxRAMPercentage=%d.0", [percent]), percent] if {
	heap_mib := memory.largest_heap_mib(j, limit_mib - _in_memory_mib)
	percent := min([floor(_tenths / 10), floor((heap_mib * 100) / limit_mib)])
}

# The budget is that of one JVM with a limit to itself. A script that starts two gives each
# its share, and where the Pod has a limit, other containers take theirs of the same memory.
_shared(_) if {
	workload.pod_level.memory.limit > 0
	count(cpu.running) > 1
}

_shared(j) if {
	text := [word | some list in ["command", "args"]; word := j.c.raw[list][_]; is_string(word)]
	starts := [start | some word in text; some start in regex.find_n(`(?:^|[^A-Za-z0-9_.-])java(?:\s|$)`, word, -1)]
	count(starts) > 1
}

# Files on a memory-backed volume are charged to the container that writes them.
_in_memory_mib := sum([memory.mebibytes(size) |
	some volume in workload.pod_spec.volumes
	volume.emptyDir.medium == "Memory"
	size := quantity.bytes(volume.emptyDir.sizeLimit)
	size > 0
])
