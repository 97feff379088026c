# METADATA
# title: JVM region without an upper bound
# description: |
#   Metaspace has no limit by default, and direct memory may grow to the size of the heap
#   (measured). A leak in either is then the kernel's to end, with exit code 137 and no trace; with
#   a cap it is an OutOfMemoryError that names the region. Without the caps the memory budget
#   (HR303) is an estimate and not a bound.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize in the java command's manual
# custom:
#   id: HR307
#   severity: warning
#   facts: [M4]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure both, and set -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize with room to spare
#     (256m each is a start). A cap kills a process that needs more, so headroom sets one only
#     where inject.headroom.dev/<container> asks for metaspace or direct.
package headroom.rules.memory["jvm-region-unbounded"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.memory
import data.headroom.runtime.jvm

report contains finding if {
	some id, j in jvm.jvms
	j.c.role != "init"
	not jvm.blind(j)
	not jvm.unread(j)
	missing := [region | some region in _regions; not j.flags[region.flag]]
	not_set := _not_set(missing)
	budget := memory.budgets[id]
	terms := budget.terms
	caps := advice.region_caps(j, missing, budget)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": sprintf("%s, so the budget has no upper bound: %s.", [
			not_set,
			concat("; ", [_assumption(region, j, terms[region.term]) | some region in missing]),
		]),
		"expected": concat(" and ", caps),
		"figures": {region.key: terms[region.term].mib | some region in missing; _known(region, j)},
		"fix": fix.region_caps(j, missing, caps),
	}
}

# term is the region's place in the budget.
_regions := [
	{"flag": "MaxMetaspaceSize", "cap": "metaspace", "term": 1, "key": "metaspace_mib"},
	{"flag": "MaxDirectMemorySize", "cap": "direct", "term": 3, "key": "direct_mib"},
]

_not_set(missing) := sprintf("-XX:%s is not set", [missing[0].flag]) if count(missing) == 1

_not_set(missing) := sprintf("-XX:%s and -XX:%s are not set", [missing[0].flag, missing[1].flag]) if count(missing) == 2

_assumption(region, _, term) := sprintf("metaspace counts as %v MiB (%s)", [term.mib, term.source]) if {
	region.cap == "metaspace"
}

_assumption(region, j, term) := sprintf("direct memory may grow to %v MiB, as much as the heap", [term.mib]) if {
	region.cap == "direct"
	_known(region, j)
}

_assumption(region, j, _) := "direct memory may grow to as much as the heap, which is not known" if {
	not _known(region, j)
}

# Without a memory limit, or without container support, the node decides on the heap.
_known(region, _) if region.cap == "metaspace"

_known(_, j) if j.heap.bytes != 0
