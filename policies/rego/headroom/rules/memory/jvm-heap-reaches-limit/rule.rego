# METADATA
# title: Heap reaches the memory limit
# description: |
#   The heap is not all that a JVM needs: metaspace, compiled code, stacks and the JVM's own data come
#   on top, 800 MiB in a usual service (M1). With a maximum heap of the whole limit or more, the kernel
#   kills the process before the collector knows of any shortage: there is no OutOfMemoryError and no
#   heap dump, only exit code 137 (measured with -Xmx512m at 512 MiB). Where a source that was not read
#   may set another heap, this is a warning that names the source. `-Xmx` behind `java` gives way to
#   `_JAVA_OPTIONS` alone, a variable to the stronger ones, a share to any `-Xmx`. A Secret in `envFrom`
#   may hold each of them, unless its prefix or an entry of `env` rules it out.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
#   description: Exceeding a container's memory limit
# custom:
#   id: HR304
#   severity: error
#   harm: OOMKilled
#   size: "% of the limit"
#   certain: true
#   facts: [M1, M6]
#   fixable: false
#   kyverno: true
#   remediation: |
#     Set the heap to about half of the limit, -XX:MaxRAMPercentage=50.0, or raise the limit to
#     about twice the heap. HR303 says what the other regions need.
package headroom.rules.memory["jvm-heap-reaches-limit"]

import data.headroom.advice
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

report contains finding if {
	some j in array.concat(jvm.jvms, jvm.certain_others)
	j.c.memory_limit > 0
	j.heap.bytes >= j.c.memory_limit
	budget := memory.budget(j)
	finding := {
		"container": j.container,
		"path": memory.heap_path(j),
		"message": concat(" ", array.concat(
			[sprintf("The maximum heap is %v MiB, %s; the memory limit is %v MiB.", [
				budget.terms[0].mib,
				_source(j),
				budget.limit_mib,
			])],
			jvm.unless_stronger(j, j.heap.flag),
		)),
		"why": _why(j),
		"expected": advice.wanted_memory(j, budget.limit_mib),
		"figures": memory.figures(j, budget),
		"size": quantity.percent(j.heap.bytes, j.c.memory_limit),
		"severity": jvm.firm(j, j.heap.flag, jvm.certainty(j)),
		"outcome": _outcome(j),
		"follows": ["resize-needs-restart"],
	}
}

_source(j) := jvm.origin(j, j.heap.flag)

_source(j) := "the JVM's default" if not j.flags[j.heap.flag]

# A variable that start scripts hand to java, and arguments of a script, may go elsewhere.
_assumed(j) if jvm.firm(j, j.heap.flag, jvm.certainty(j)) == "warning"

_assumed(j) if {
	some s in j.sources
	s.assumed
	s.name == j.flags[j.heap.flag].source
}

default _outcome(_) := "certain"

_outcome(j) := "possible" if _assumed(j)

_why(j) := _whys[_outcome(j)]

_whys := {
	"certain": "The container will be OOMKilled once the heap fills.",
	"possible": "If java is started with this flag, the container is OOMKilled once the heap fills.",
}
