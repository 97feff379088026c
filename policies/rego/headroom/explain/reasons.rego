package headroom.explain

import data.headroom.classify
import data.headroom.config
import data.headroom.words
import data.headroom.workload

# Reasons are found by asking for the evidence again with the stronger ones taken away, so that
# there is one opinion only on what they are.

# _own_reasons are those of the container itself: its annotation, and what it is without one.
_own_reasons(c) := [e |
	some e in array.concat(
		[classify.container_annotation[c.name]],
		[_without_annotation(c, concat("", ["class.headroom.dev/", c.name]))],
	)
	e.class != "unclassified"
] if {
	classify.container_annotation[c.name]
} else := []

_without_annotation(c, key) := found if {
	fewer := object.remove(workload.annotations, [key])
	found := classify.evidence[c.id] with data.headroom.workload.annotations as fewer
}

# pod_reasons are those that speak for every container that is no sidecar.
pod_reasons := [e | some e in [classify.pod_evidence, _no_annotation, _no_owner, _no_namespace]; e.source != ""]

_no_annotation := found if {
	found := classify.pod_evidence with data.headroom.workload.annotations as {}
}

_no_owner := found if {
	found := classify.pod_evidence with data.headroom.workload.annotations as {}
		with data.headroom.workload.kind as ""
		with data.headroom.workload.owner_kind as ""
}

_no_namespace := found if {
	found := classify.pod_evidence with data.headroom.workload.annotations as {}
		with data.headroom.workload.kind as ""
		with data.headroom.workload.owner_kind as ""
		with data.headroom.workload.namespace_annotations as {}
}

# What would classify an unclassified container.
_ways := [
	sprintf("Annotation headroom.dev/workload-class on %s would say it: %s.", [
		_template,
		words.listed(config.classes),
	]),
	"So would headroom.dev/default-class on its Namespace, and defaultClass in headroom.yaml.",
]

_template := "the Pod" if workload.template_path == []

_template := "the pod template" if workload.template_path != []
