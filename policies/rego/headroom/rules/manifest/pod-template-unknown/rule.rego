# METADATA
# title: Containers of a kind that headroom does not judge
# description: |
#   headroom knows how Kubernetes' own kinds run their Pods, and those of many operators: which of
#   them are batch, where their containers stand, whose Pods a CronJob owns. Of another kind (a
#   company's own resource) it knows none of that, and says so rather than let
#   the file pass as if its containers had been looked at. A misspelt kind (deployment,
#   Deploymnt) is such a kind, too. Policies (Kyverno's, Gatekeeper's) have patterns of containers, and none that run.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/
#   description: Workloads
# custom:
#   id: HR002
#   severity: info
#   harm: style
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
	not _judges
	paths := _carriers
	finding := {
		"container": "",
		"path": paths[0],
		"message": sprintf("%s %s %s: its containers were not judged%s", [_kind, _why, _carried(paths), _meant]),
		"expected": _expected,
		"figures": {"pod_templates": count(paths)},
	}
}

# What judges or changes other objects has patterns of containers, and none of its own.
_judges if {
	some group in ["kyverno.io", "gatekeeper.sh", "wgpolicyk8s.io", "kubewarden.io", "jspolicy.com"]
	regex.match(sprintf(`^(?:[a-z0-9.-]+\.)?%s/`, [group]), workload.api_version)
}

_expected := "what it renders, linted: helm template or kustomize build, piped into headroom lint -" if {
	workload.kind in {"Application", "ApplicationSet", "HelmRelease"}
} else := advice.judged_kind

# A group may be cut, the name of a kind is not: it has at most 63 characters.
_kind := trim_space(concat(" ", [words.shown(workload.api_version), words.shown_to(workload.kind, 63)]))

# An API version that is known has few kinds.
_meant := sprintf("; did you mean %s?", [nearest]) if {
	nearest := words.nearest(workload.kind, workload.kinds)
	nearest != ""
} else := "."

_why := "is not a kind that headroom knows, and carries" if not workload.known

_why := "has no pod template that shows all that will run, and carries" if workload.known

_carried([[]]) := "a Pod's containers"

_carried([path]) := sprintf("%s at %s", [_what(path).one, _place(path)]) if path != []

_carried(paths) := sprintf("%d %s, the first at %s", [count(paths), _what(paths[0]).many, _place(paths[0])]) if {
	count(paths) > 1
}

_what(path) := {"one": "resources", "many": "resources"} if {
	_has_resources(object.get(workload.manifest, path, {}))
} else := {"one": "a pod template", "many": "pod templates"}

_place(path) := words.shown(words.field(path))
