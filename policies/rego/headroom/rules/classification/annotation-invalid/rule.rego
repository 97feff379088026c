# METADATA
# title: headroom annotation that cannot be read
# description: |
#   An annotation of headroom's that headroom cannot read: it has an unknown key, a container
#   that does not exist, or a value that is no quantity, date, rule or runtime. Its meaning is not
#   known, so verdicts fall back on what is assumed, and a misspelt measurement is ignored. A placeholder, such as
#   `${AVERAGE}`, is a warning: something fills it in before the manifest is applied.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations
# custom:
#   id: HR105
#   severity: error
#   harm: style
#   fixable: false
#   kyverno: false
#   remediation: |
#     Correct the key or the value as the message says. Keys for one container end in its
#     name, as in cpu-average.headroom.dev/app; values are always text: quote numbers.
package headroom.rules.classification["annotation-invalid"]

import data.headroom.words
import data.headroom.workload

report contains finding if {
	some [entry, why, expected] in complaints
	finding := {
		"container": _container(entry),
		"path": object.get(entry, "path", workload.annotation_path(entry.key)),
		"message": words.ended(sprintf("%s %s", [words.shown(entry.key), why])),
		"expected": expected,
	}
}

report contains finding if {
	some entry in entries
	_to_be_filled(entry)
	finding := {
		"container": _container(entry),
		"path": workload.annotation_path(entry.key),
		"message": sprintf("%s is the placeholder %s: its value is not known here, and was not judged.", [
			words.shown(entry.key),
			words.quoted(entry.value),
		]),
		"expected": "the manifest as it is applied: fill it in first (kustomize, envsubst, a template), and lint the result",
		"severity": "warning",
	}
}

# A finding names the container that the key ends in.
default _container(_) := ""

_container(entry) := entry.name if {
	entry.domain in container_domains
	entry.name in containers
}

# containers are the names that a key may end in. A Pod that is not judged has them too.
containers := {c.name |
	some list in ["containers", "initContainers"]
	some c in workload.pod_spec[list]
	is_string(c.name)
}
