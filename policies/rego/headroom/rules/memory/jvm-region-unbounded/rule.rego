# METADATA
# title: JVM region without an upper bound
# description: |
#   Metaspace has no limit by default, and direct memory may grow to the size of the heap (measured).
#   Without a cap a leak in either ends in an OOM kill: exit code 137, and no trace. With a cap it ends
#   in an OutOfMemoryError that names the region. HR303 does not count caps, so that setting one does
#   not make HR303 worse. No flag bounds the memory of a native library such as RocksDB: a JVM with
#   every cap set was OOMKilled (M7). Where an image or the command line shows such a library this is a
#   warning, until native= in the annotation says what it takes.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize in the java command's manual
# custom:
#   id: HR307
#   severity: info
#   harm: OOMKilled
#   facts: [M4, M7]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure both under load, say what they took, metaspace=90Mi direct=60Mi in
#     jvm.headroom.dev/<container>, and set -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize as the
#     finding then names them. A cap ends a process that needs more, so headroom sets one only where
#     inject.headroom.dev/<container> asks for metaspace or direct: 256m where nothing was measured, and
#     none on direct memory that is known to grow with the load. Native memory: measure it, too (the
#     working set less what NMT reports), and declare it: native=300Mi.
package headroom.rules.memory["jvm-region-unbounded"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.memory
import data.headroom.runtime.jvm
import data.headroom.words

report contains finding if {
	some id, j in jvm.jvms
	j.c.role != "init"
	not jvm.blind(j)
	not jvm.unread(j)
	missing := [region | some region in _regions; not j.flags[region.flag]; not jvm.set_out_of_sight(j, region.flag)]
	native := memory.unbounded(j)
	count(missing) + count(native) > 0
	budget := memory.budgets[id]
	caps := advice.region_caps(j, missing, budget)
	finding := object.union(_severity(native), {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": concat(" ", array.concat(_flags_text(j, missing, budget), _native_text(native, budget))),
		"why": "Past its limit the container is OOMKilled.",
		"expected": advice.region_way(j, missing, budget, native),
		"figures": {region.key: budget.terms[region.term].bound_mib | some region in missing; _known(region, j)},
		"fix": [change | count(caps) > 0; some change in fix.region_caps(j, missing, caps)],
	})
}

# What no flag bounds has killed; what a flag could bound seldom does.
_severity("") := {}

_severity(native) := {"severity": "warning"} if native != ""

# term is the region's place in the budget.
_regions := [
	{"flag": "MaxMetaspaceSize", "cap": "metaspace", "term": 1, "key": "metaspace_mib"},
	{"flag": "MaxDirectMemorySize", "cap": "direct", "term": 3, "key": "direct_mib"},
]

_flags_text(_, [], _) := []

_flags_text(j, missing, budget) := [sprintf("%s not set: %s%s.", [
	_not_set(missing),
	_bound(missing[count(missing) - 1], j, budget.terms[missing[count(missing) - 1].term]),
	_sum_text(j, budget),
])] if {
	count(missing) > 0
}

_not_set(missing) := sprintf("-XX:%s is", [missing[0].flag]) if count(missing) == 1

_not_set(missing) := sprintf("-XX:%s and -XX:%s are", [missing[0].flag, missing[1].flag]) if count(missing) == 2

_bound(region, _, _) := "metaspace has no bound" if region.cap == "metaspace"

_bound(region, j, term) := sprintf("direct memory may grow to %v MiB, as much as the heap", [term.bound_mib]) if {
	region.cap == "direct"
	_known(region, j)
}

_bound(region, j, _) := "direct memory may grow to as much as the heap (not known)" if {
	not _known(region, j)
}

# All regions seldom grow to what is allowed at once; what happens then is said where it is more than there is.
_sum_text(j, budget) := sprintf("; all memory together may reach %v MiB, limit %v MiB", [
	budget.bound_mib,
	budget.limit_mib,
]) if {
	memory.unbounded(j) == ""
	budget.complete
	budget.bound_mib > budget.limit_mib
} else := ""

_native_text("", _) := []

_native_text(native, budget) := [sprintf(
	"%s: no flag bounds this memory, on top of %v MiB expected%s.",
	[words.capital(native), budget.total_mib, _of_limit(budget)],
)] if {
	native != ""
}

_of_limit(budget) := sprintf(" of %v MiB", [budget.limit_mib]) if {
	budget.limit_mib > 0
} else := ""

# Without a memory limit, or without container support, the node decides on the heap.
_known(region, _) if region.cap == "metaspace"

_known(_, j) if j.heap.bytes != 0
