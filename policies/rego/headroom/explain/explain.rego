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
import data.headroom.runtimes
import data.headroom.words
import data.headroom.workers
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

_explanation(c) := _worded(object.union(_common(c), _of_runtime(c, [j | j := jvm.by_id[c.id]])))

# A resource without a pod template has fields of its own, which every text names.
_worded(explanation) := explanation if {
	not workload.restated
} else := json.unmarshal(workload.worded(json.marshal(explanation)))

_common(c) := {
	"detail": detail.result[c.id],
	"role": c.role,
	"path": workload.located(c.path),
	"class": classify.classes[c.id],
	"class_evidence": class_evidence(c),
	"weaker": weaker(c),
	"runtime": runtime(c),
	"runtime_evidence": runtime_evidence(c),
	"resources": resources(c),
	"quota": quota(c),
	"pool": pool(c),
	"workers": pool_burst(c),
	"sizes": sizes(c),
	"counts": counts(c),
}

_of_runtime(c, []) := {
	"flags": [],
	"properties_hidden": 0,
	"options_hidden": 0,
	"jvm": null,
	"burst": null,
	"passing": passing_of_any(c),
	"unknown": unknown_of_any(c),
}

_of_runtime(c, [j]) := {
	"flags": flags(j),
	"properties_hidden": properties_hidden(j),
	"options_hidden": options_hidden(j),
	"jvm": jvm_line(j),
	"burst": gc_burst(j),
	"passing": passing_of_jvm(j),
	"unknown": array.concat(unknown_of_any(c), unknown_of_jvm(j)),
}

# runtime is what runs in a container, as the verdicts have it; "jvm?" is a guess.
runtime(c) := runtimes.running[c.id].id

# runtime_evidence is what shows it.
runtime_evidence(c) := runtimes.running[c.id].evidence if {
	runtime(c) != ""
} else := found if {
	found := [pool.source | some pool in workers.pools; pool.c.id == c.id][0]
} else := "nothing in the manifest shows what runs here"

# skipped are the containers that no rule judges: {container, skipped}. Of a Windows Pod those
# are all, and the ephemeral ones of any.
skipped := array.concat(_of_the_pod, _ephemeral)

_of_the_pod := [{"container": _name(raw), "skipped": workload.skip_reason} |
	some list in ["containers", "initContainers"]
	some raw in workload.pod_spec[list]
	is_object(raw)
]

_ephemeral := [{"container": _name(raw), "skipped": skip.reason} |
	some raw in workload.pod_spec.ephemeralContainers
	is_object(raw)
	some skip in workload.skipped
	skip.what == concat(" ", ["ephemeral container", _name(raw)])
]

_name(raw) := words.shown(raw.name) if {
	is_string(raw.name)
} else := ""
