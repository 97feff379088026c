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
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure both, and set -XX:MaxMetaspaceSize and -XX:MaxDirectMemorySize with room to spare
#     (256m each is a start). A cap kills a process that needs more, so headroom sets one only
#     where inject.headroom.dev/<container> asks for metaspace or direct.
package headroom.rules.memory["jvm-region-unbounded"]

import data.headroom.fix
import data.headroom.memory
import data.headroom.runtime.jvm

report contains finding if {
	some id, j in jvm.jvms
	j.c.role != "init"
	not jvm.blind(j)
	missing := [region | some region in _regions; not j.flags[region.flag]]
	count(missing) > 0
	terms := memory.budgets[id].terms
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": sprintf("%s, so the budget has no upper bound: %s.", [
			_not_set(missing),
			concat("; ", [_assumption(region, terms[region.term]) | some region in missing]),
		]),
		"expected": concat(" and ", [sprintf("-XX:%s=256m", [region.flag]) | some region in missing]),
		"figures": {region.key: terms[region.term].mib | some region in missing},
		"fix": [fix.flags(j.c, _flags(missing)) | _fixable(j, missing)],
	}
}

# term is the region's place in the budget.
_regions := [
	{"flag": "MaxMetaspaceSize", "cap": "metaspace", "term": 1, "key": "metaspace_mib"},
	{"flag": "MaxDirectMemorySize", "cap": "direct", "term": 3, "key": "direct_mib"},
]

_not_set(missing) := sprintf("-XX:%s is not set", [missing[0].flag]) if count(missing) == 1

_not_set(missing) := sprintf("-XX:%s and -XX:%s are not set", [missing[0].flag, missing[1].flag]) if count(missing) == 2

_assumption(region, term) := sprintf("metaspace counts as %v MiB (%s)", [term.mib, term.source]) if {
	region.cap == "metaspace"
}

_assumption(region, term) := sprintf("direct memory may grow to %v MiB, as much as the heap", [term.mib]) if {
	region.cap == "direct"
}

_flags(missing) := [sprintf("-XX:%s=256m", [region.flag]) | some region in missing]

_fixable(j, missing) if {
	every region in missing { region.cap in jvm.requested(j) }
	jvm.may_inject(j, _flags(missing))
	not fix.worsens(j, _flags(missing))
} else := false
