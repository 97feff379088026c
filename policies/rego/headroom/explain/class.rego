package headroom.explain

import data.headroom.classify
import data.headroom.cpu
import data.headroom.words
import data.headroom.workload

# class_evidence is what decides on the class, in words.
class_evidence(c) := sprintf("%s of %s", [e.text, _owner_of(e.key)]) if {
	e := classify.evidence[c.id]
	e.annotated
} else := classify.evidence[c.id].text

# The template wins over the workload, and both over what a Pod goes back to.
_owner_of(key) := "the Pod" if {
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
