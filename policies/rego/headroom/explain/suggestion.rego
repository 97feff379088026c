package headroom.explain

import data.headroom.classify
import data.headroom.config
import data.headroom.words
import data.headroom.workload

# The same annotation elsewhere, with another value.
_other_places(c) := [sprintf("Annotation %s of %s would say %s.", [e.key, place, words.shown(annotations[e.key])]) |
	e := classify.evidence[c.id]
	e.annotated
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
