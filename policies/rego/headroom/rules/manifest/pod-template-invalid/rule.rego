# METADATA
# title: Pod template that cannot be read
# description: |
#   A workload whose containers cannot be found: `containers` is a text, a map or empty, an entry
#   of it or something on the way to it is not a map, or the pod template stands where the kind
#   does not look for it. The API server refuses such an object of a kind of Kubernetes; what it
#   does with a custom resource depends on the definition, and its operator finds no containers
#   either. They were not judged, and a check that says nothing of it would pass for a sound
#   one. A workload that has no pod template at all is no finding, since patches look like that:
#   it is listed among what was skipped.
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
	some problem in _problems
	finding := {
		"container": "",
		"path": problem.path,
		"message": sprintf("%s %s; %s.", [words.field(problem.path), problem.why, _consequence(problem.path)]),
		"expected": problem.expected,
		"figures": {},
	}
}

# What a custom resource may hold is said by its definition, which may let everything pass: but the API server
# reads the version and the metadata of every object alike. Containers stand below neither.
_consequence(path) := "the API server refuses it; annotations and labels that cannot be read were taken as none" if {
	"metadata" in path
} else := "the API server refuses it" if {
	path == ["apiVersion"]
} else := "no container can be read from it, and none there was judged" if {
	workload.known
} else := "the API server refuses it, and its containers were not judged"
