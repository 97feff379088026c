# METADATA
# title: Pod template of a kind that headroom does not judge
# description: |
#   headroom knows how Kubernetes' own kinds run their Pods, and those of many operators: which of
#   them are batch, where their containers stand, whose Pods a CronJob owns. Of another kind (a
#   company's own resource, a bare PodTemplate) it knows none of that, and says so rather than let
#   the file pass as if its containers had been looked at. A misspelt kind (deployment,
#   Deploymnt) is such a kind, too.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/
#   description: Workloads
# custom:
#   id: HR002
#   severity: info
#   fixable: false
#   kyverno: false
#   remediation: |
#     Say in headroom.yaml where the kind has its pod templates (`kinds`). Or lint what the
#     controller makes of it: `kubectl get pods -o yaml | headroom lint -`, or headroom's webhook,
#     which judges the Pods themselves whatever created them.
package headroom.rules.manifest["pod-template-unknown"]

import data.headroom.advice
import data.headroom.words
import data.headroom.workload

report contains finding if {
	workload.foreign
	paths := _templates
	finding := {
		"container": "",
		"path": paths[0],
		"message": sprintf("%s is none of the kinds that headroom knows how to judge, and carries %s: %s.", [
			_kind,
			_carried(paths),
			"nobody has looked at its containers",
		]),
		"expected": advice.judged_kind,
		"figures": {"pod_templates": count(paths)},
	}
}

_kind := words.shown(trim_space(concat(" ", [workload.api_version, workload.kind])))

_carried([[]]) := "a Pod's containers"

_carried([path]) := sprintf("a pod template at %s", [_at(path)]) if path != []

_carried(paths) := sprintf("%d pod templates, the first at %s", [count(paths), _at(paths[0])]) if count(paths) > 1

_at(path) := words.shown(words.field(path))
