# METADATA
# title: Explanations
# description: |
#   Why the verdicts on each container are what they are: its class and what was weaker, where
#   each value comes from, every flag of a JVM and why it counts or does not, and what would
#   pass. The arithmetic is that of the rules. For one workload at a time; no rule reads it, and
#   it is compiled when it is first asked.
package headroom.explain

import data.headroom.classify
import data.headroom.detail
import data.headroom.runtime.jvm
import data.headroom.workload

# result has one entry for each container, in the order of detail.result, and then one for each
# that is skipped, with the reason.
result := array.concat([_explanation(c) | some c in workload.containers], skipped) if {
	not workload.several
} else := [entry |
	some review in workload.reviews
	some entry in result_of(review)
]

# result_of is that of one of several objects.
result_of(review) := found if {
	found := array.concat([_explanation(c) | some c in workload.containers], skipped) with input as review
}

_explanation(c) := object.union(_common(c), _of_runtime(c, [j | some j in jvm.jvms; j.c.id == c.id]))

_common(c) := {
	"detail": detail.result[c.id],
	"role": c.role,
	"path": array.concat(workload.path_prefix, c.path),
	"class": classify.classes[c.id],
	"class_evidence": class_evidence(c),
	"weaker": weaker(c),
	"runtime": runtime(c),
	"runtime_evidence": runtime_evidence(c),
	"resources": resources(c),
	"quota": quota(c),
	"pool": pool(c),
	"workers": pool_burst(c),
}
