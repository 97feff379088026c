# METADATA
# title: Class that does not exist
# description: |
#   An annotation, or a default, names a class that neither headroom nor the config has.
#   It is not read as something similar and no weaker evidence takes its place: until the
#   name is right, no CPU rule judges the container. A placeholder, such as `${CLASS}`, is a warning: something
#   fills it in before the manifest is applied.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations
# custom:
#   id: HR102
#   severity: error
#   harm: style
#   certain: true
#   fixable: false
#   kyverno: true
#   remediation: |
#     Write one of the classes that the message lists. A class of your own is a row of
#     `matrix` in headroom.yaml.
package headroom.rules.classification["class-unknown"]

import data.headroom.classify
import data.headroom.config
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some named in _unknown
	is_string(named.value)
	finding := {
		"container": named.container,
		"path": named.path,
		"message": words.ended(sprintf("%s is %s", [named.what, _said(named.value)])),
		"why": "No CPU rule judges these containers.",
		"severity": _severity(named.value),
		"outcome": _outcomes[_severity(named.value)],
		"expected": sprintf("one of %s", [words.listed(config.classes)]),
	}
}

# What names a class that does not exist: {container, what, value, path}.
_unknown contains {
	"container": "",
	"what": object.get(evidence, "key", evidence.text),
	"value": evidence.value,
	"path": evidence.path,
} if {
	evidence := classify.pod_evidence
	evidence.class == "unknown"
	workload.judged
}

_unknown contains {
	"container": c.name,
	"what": evidence.key,
	"value": evidence.value,
	"path": evidence.path,
} if {
	some c in workload.containers
	evidence := classify.container_annotation[c.name]
	evidence.class == "unknown"
}

# A Namespace object's own default.
_unknown contains {
	"container": "",
	"what": "headroom.dev/default-class",
	"value": value,
	"path": workload.annotation_path("headroom.dev/default-class"),
} if {
	workload.kind == "Namespace"
	value := workload.annotations["headroom.dev/default-class"]
	not value in config.classes
}

_said(value) := concat("", [
	"the placeholder ", words.quoted(value),
	": its value is not known here, and was not judged",
]) if {
	words.placeholder(value)
} else := concat("", [words.quoted(value), ", which is no class", _meant(value)])

_severity(value) := "warning" if {
	words.placeholder(value)
} else := "error"

_outcomes := {"error": "certain", "warning": "possible"}

_meant(value) := words.did_you_mean(words.nearest(value, config.classes))
