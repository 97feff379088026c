# METADATA
# title: Class not set
# description: |
#   Which CPU limit is right depends on what the container does: none for a service that
#   answers people (T7), twice the average for a batch job, its peak for a cron job, its
#   allocation for a tenant. Without a class no CPU rule applies, and whether the
#   container's CPU limit is right is not known.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR101
#   severity: warning
#   harm: style
#   facts: [T7, T15]
#   fixable: false
#   kyverno: true
#   remediation: |
#     Annotate the pod template with headroom.dev/workload-class, or a single container with
#     class.headroom.dev/<container>. A whole namespace can be given a class with
#     headroom.dev/default-class, everything else with defaultClass in headroom.yaml.
package headroom.rules.classification["class-missing"]

import data.headroom.classify
import data.headroom.config
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	classify.classes[c.id] == "unclassified"
	finding := {
		"container": c.name,
		"path": array.concat(workload.template_path, ["metadata", "annotations", "headroom.dev/workload-class"]),
		"message": "Class not set: CPU limits were not checked.",
		"expected": sprintf("annotation headroom.dev/workload-class on the pod template: %s", [_class]),
		"figures": _figures,
	}
}

_class := sprintf("%s (%s)", [classify.suggestion.class, classify.suggestion.evidence]) if {
	classify.suggestion.class
} else := sprintf("one of %s", [words.listed(config.classes)])

_figures := object.union({"labels": classify.telling_labels}, _suggested)

_suggested := {
	"suggested_class": classify.suggestion.class,
	"evidence": classify.suggestion.evidence,
	"sure": classify.suggestion.sure,
} if {
	classify.suggestion.class
} else := {}
