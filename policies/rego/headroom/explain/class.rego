package headroom.explain

import data.headroom.classify
import data.headroom.config
import data.headroom.cpu
import data.headroom.words
import data.headroom.workload

# class_evidence is what decides on the class, in words.
class_evidence(c) := sprintf("%s of %s", [e.text, _owner_of(e.key)]) if {
	e := classify.evidence[c.id]
} else := classify.evidence[c.id].text

# The template wins over the workload, and both over what a Pod goes back to.
_owner_of(key) := sprintf("the %s", [workload.kind]) if {
	_ = workload.template_annotations[key]
	workload.template_path == []
} else := "the pod template" if {
	_ = workload.template_annotations[key]
} else := "the object that it belongs to" if {
	count(workload.context.owners) > 0
} else := "the workload"

# weaker is what would have said the class had the stronger not been there, the strongest first;
# of an unclassified container, what would classify it.
weaker(c) := _ways if {
	classify.classes[c.id] == "unclassified"
} else := array.concat(_suggestion(c), array.concat(_other_places(c), [_would_say(e) |
	reasons := array.concat(_own_reasons(c), pod_reasons)
	some i, e in reasons
	not e in array.slice(reasons, 0, i)
	e != classify.evidence[c.id]
]))

_would_say(e) := cpu.sentence(sprintf("%s would say %s.", [_subject(e), _said(e)]))

_subject(e) := sprintf("owner kind %s", [trim_prefix(e.text, "it belongs to a ")]) if {
	e.source == "owner kind"
} else := concat(" ", ["being", e.text]) if {
	e.source in {"native sidecar", "sidecar list"}
} else := "the config's defaultClass" if {
	e.source == "config default"
} else := e.text

_said(e) := sprintf("%s, which is no class", [words.quoted(e.value)]) if {
	e.class == "unknown"
} else := e.class

# The same annotation elsewhere, with another value.
_other_places(c) := [sprintf("Annotation %s of %s would say %s.", [e.key, place, words.shown(annotations[e.key])]) |
	e := classify.evidence[c.id]
	some [place, annotations] in [
		["the workload", workload.workload_annotations],
		["the object that it belongs to", workload.owner_annotations],
	]
	is_string(annotations[e.key])
	annotations[e.key] != e.value
]

_suggestion(c) := [sprintf("%s is no class; %s.", [words.quoted(e.value), _nearest(e.value)]) |
	e := classify.evidence[c.id]
	e.class == "unknown"
]

_nearest(value) := sprintf("perhaps %s was meant", [near]) if {
	is_string(value)
	near := words.nearest(value, config.classes)
	near != ""
} else := sprintf("classes are %s", [words.listed(config.classes)])

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
		with data.headroom.workload.like as ""
		with data.headroom.workload.owner_kind as ""
}

_no_namespace := found if {
	found := classify.pod_evidence with data.headroom.workload.annotations as {}
		with data.headroom.workload.kind as ""
		with data.headroom.workload.like as ""
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

_template := sprintf("the %s", [workload.kind]) if workload.template_path == []

_template := "the pod template" if workload.template_path != []
