# METADATA
# title: Pod template that the API server refuses
# description: |
#   A workload whose containers cannot be found: `containers` is a map or empty, an entry of it
#   is no map, or the pod template stands where the kind does not look for it. The API server
#   refuses such an object; until then nobody has judged its containers, and a check that
#   says nothing of it would pass for a sound one. A workload that has no pod template at all
#   is no finding, since patches look like that: it is listed among what was skipped.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/#pod-templates
#   description: Pod templates
# custom:
#   id: HR003
#   severity: error
#   harm: start
#   certain: true
#   fixable: false
#   kyverno: false
#   remediation: |
#     Write the containers as a list, each entry with its name and image:
#     `containers: [{name: app, image: …}]`. A CronJob keeps its pod template one step deeper
#     than the others, at spec.jobTemplate.spec.template. `kubectl apply --dry-run=server`
#     tells what else is wrong with the object.
package headroom.rules.manifest["pod-template-invalid"]

import data.headroom.words
import data.headroom.workload

report contains finding if {
	workload.template_path
	not workload.well_formed
	some problem in _problems
	finding := {
		"container": "",
		"path": problem.path,
		"message": sprintf("%s %s; the API server refuses it, and nobody has looked at the containers.", [
			words.field(problem.path),
			problem.why,
		]),
		"expected": problem.expected,
		"figures": {},
	}
}
