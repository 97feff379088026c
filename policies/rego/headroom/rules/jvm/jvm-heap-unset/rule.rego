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
#   facts: [J6]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:MaxRAMPercentage=50.0 in JAVA_TOOL_OPTIONS, with the decimal point: Java 8 does not
#     start on 50. Below 250 MiB it has no effect; set -Xmx there.
package headroom.rules.jvm["jvm-heap-unset"]

import data.headroom.advice
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
		"expected": _wanted(j, memory.budgets[id].limit_mib),
		"figures": {"heap_mib": memory.mebibytes(j.heap.bytes), "limit_mib": memory.budgets[id].limit_mib},
		"fix": [fix.flags(j.c, [share]) | share := _share(j, memory.budgets[id].limit_mib)],
	}
}

_message(j) := sprintf("%s, and there is no memory limit: %s", [_unset, _of_the_node]) if {
	j.c.memory_limit <= 0
} else := sprintf("%s, and %s hides the limit: %s", [
	_unset,
	jvm.origin(j, "UseContainerSupport"),
	_of_the_node,
]) if {
	j.heap.bytes == 0
} else := sprintf("%s: %s gives a heap of %v MiB from a limit of %v MiB.", [
	_why(j),
	_default(j.heap),
	memory.mebibytes(j.heap.bytes),
	memory.mebibytes(j.c.memory_limit),
])

_of_the_node := "the maximum heap is a quarter of the node's memory."

_unset := "Neither -Xmx nor -XX:MaxRAMPercentage is set"

_why(j) := sprintf("%s has no effect on less than 250 MiB, and -Xmx is not set", [jvm.origin(j, flag)]) if {
	flag := [flag | some flag in ["MaxRAMPercentage", "MaxRAMFraction"]; j.flags[flag]][0]
} else := _unset

_default(heap) := "-Xms" if heap.flag == "InitialHeapSize"

_default(heap) := sprintf("the default of %v %%", [heap.percent]) if heap.flag != "InitialHeapSize"

# Under 250 MiB, MinRAMPercentage decides.
_small := 262144000

# With a decimal point, which Java 8 wants, also where the config says 75.
_percentage := sprintf("-XX:MaxRAMPercentage=%d.%d", [floor(_tenths / 10), _tenths % 10])

_tenths := round(config.settings.jvm.maxRAMPercentage * 10)

# What the fix writes, where there is one to write.
_wanted(j, 0) := sprintf("limits.memory, then the share of it that HR303 has room for, at most %s", [_percentage]) if {
	not jvm.off(j.flags, "UseContainerSupport")
} else := "limits.memory and -Xmx: without container support a percentage is one of the node's memory"

_wanted(j, limit_mib) := concat(", or ", array.concat([share], _with_a_cap(j, limit_mib))) if {
	_sees_limit(j)
	[share, percent] := _fitting(j, limit_mib)
	percent >= _least_share
	memory.fits(j, _room_mib(limit_mib), object.get(j.numbers, "InitialHeapSize", 0))
} else := _largest_heap(j, limit_mib, caps) if {
	limit_mib > 0
	caps := advice.heap_caps(j, _room_mib(limit_mib))
} else := "a larger limits.memory, and -Xmx: no heap fits under this limit" if {
	limit_mib > 0
	j.heap.bytes == 0
} else := advice.wanted_memory(j, _room_mib(limit_mib)) if {
	limit_mib > 0
}

_with_a_cap(j, limit_mib) := [sprintf("%s with %s", [share, advice.caps_text(caps)]) |
	caps := advice.direct_cap(j)
	[share, percent] := _fitting(advice.with_flags(j, caps), limit_mib)
	percent > _fitting(j, limit_mib)[1]
]

_largest_heap(j, limit_mib, caps) := concat(" with ", array.concat([heap], with_caps)) if {
	with_caps := [advice.caps_text(caps) | count(caps) > 0]
	capped := advice.with_flags(j, caps)
	largest := memory.largest_heap_mib(capped, _room_mib(limit_mib))
	heap := advice.heap_text(capped, limit_mib, min([largest, max([2, 2 * floor((limit_mib * _tenths) / 2000)])]))
}

# Below this the default gives more.
_least_share := 25

_sees_limit(j) if {
	j.c.memory_limit >= _small
	not jvm.off(j.flags, "UseContainerSupport")
}

# The configured share, or the largest that the budget has room for; never less than the 25 %
# that the JVM takes by itself. What headroom injects thus never has to be lowered again.
_share(j, limit_mib) := share if {
	_sees_limit(j)
	not fix.limit_changes(j.c)
	not fix.capped_first(j.c)
	not _shared(j)
	[share, percent] := _fitting(j, limit_mib)
	percent >= _least_share
	jvm.may_inject(j, [share])
	not fix.worsens(j, [share])
}

_fitting(j, limit_mib) := [[share, percent] |
	some [share, percent] in [[_percentage, _tenths / 10], _largest(j, limit_mib)]
	memory.fits(j, _room_mib(limit_mib), floor((j.c.memory_limit * percent) / 100))
][0]

_largest(j, limit_mib) := [sprintf("-XX:MaxRAMPercentage=%d.0", [percent]), percent] if {
	heap_mib := memory.largest_heap_mib(j, _room_mib(limit_mib))
	percent := min([floor(_tenths / 10), floor((heap_mib * 100) / limit_mib)])
}

_room_mib(limit_mib) := limit_mib - _in_memory_mib

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
