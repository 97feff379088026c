# METADATA
# title: Class on the workload but not on its pod template
# description: |
#   Kubernetes copies the annotations of the pod template to its Pods, and those of the
#   workload nowhere. What only the workload says does not reach the Pod: a webhook, a scheduler or
#   a person with kubectl sees the Pod alone and judges it as something else. If the two differ,
#   the template wins.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/#pod-templates
#   description: Pod templates
# custom:
#   id: HR103
#   severity: warning
#   harm: style
#   fixable: true
#   kyverno: false
#   remediation: |
#     Move the annotation to the pod template; where the two differ, decide which one is
#     meant.
package headroom.rules.classification["class-not-on-template"]

import data.headroom.fix
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some key, value in workload.workload_annotations
	_names_a_class(key)
	on_template := object.get(workload.template_annotations, key, null)
	value != on_template
	finding := object.union(_finding(key, value, on_template), {"container": ""})
}

_names_a_class("headroom.dev/workload-class") := true

_names_a_class(key) if startswith(key, "class.headroom.dev/")

_finding(key, value, null) := {
	"path": path,
	"message": sprintf("%s is %s on the %s, but not on its pod template: its Pods do not get the class.", [
		words.shown(key),
		words.quoted(value),
		workload.kind,
	]),
	"expected": sprintf("%s: %s on the pod template", [words.shown(key), words.shown(value)]),
	"fix": [fix.set(path, value)],
} if {
	is_string(value)
	path := array.concat(workload.template_path, ["metadata", "annotations", key])
}

_finding(key, value, on_template) := {
	"path": ["metadata", "annotations", key],
	"message": sprintf("%s is %s on the %s, but %s on its pod template: its Pods get that of the template.", [
		words.shown(key),
		words.quoted(value),
		workload.kind,
		words.quoted(on_template),
	]),
	"expected": "the class on the pod template alone, or the same in both places",
} if {
	on_template != null
}
