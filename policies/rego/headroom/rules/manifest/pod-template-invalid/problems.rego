package headroom.rules.manifest["pod-template-invalid"]

import data.headroom.words
import data.headroom.workload

# _problems are {path, why, expected}.
_problems contains {
	"path": misfit.path,
	"why": sprintf("is %s, not %s", [words.quoted(misfit.value), _wanted[misfit.wanted].not]),
	"expected": _expected(misfit),
} if {
	some misfit in workload.unread
}

_problems contains {
	"path": path,
	"why": sprintf("is a pod template; a %s has its containers at %s", [workload.kind, _place]),
	"expected": sprintf("the containers at %s", [_place]),
} if {
	workload.template_path
	not workload.known
	not workload.pod_spec.containers
	count(workload.unread) == 0
	path := _misplaced
}

_wanted := {
	"text": {"not": "a text", "expected": "a group and version of Kubernetes, as apps/v1"},
	"map": {"not": "a map", "expected": _expected_map},
	"list": {"not": "a list", "expected": "a list, each entry a map"},
	"containers": {
		"not": "a list with a container in it",
		"expected": "a list of containers, each a map with its name and image",
	},
	"container": {"not": "a map", "expected": "a container: a map with its name and image"},
}

# No container stands below the metadata.
_expected(misfit) := "a map" if {
	misfit.wanted == "map"
	"metadata" in misfit.path
} else := _wanted[misfit.wanted].expected

default _expected_map := "a map"

_expected_map := sprintf("a map, with the containers at %s", [_place]) if not workload.known

_place := words.field(array.concat(workload.spec_path, ["containers"]))

# Where other kinds have their pod template, or have its spec for a Pod.
_misplaced := path if {
	some path in [["spec", "template"], ["spec", "jobTemplate", "spec", "template"], ["template"]]
	is_object(object.get(workload.manifest, array.concat(path, ["spec", "containers", 0]), null))
}
