package headroom.rules.manifest["pod-template-invalid"]

import data.headroom.words
import data.headroom.workload

# _problems are {path, why, expected}. Of what is wrong on the way to the containers, only the
# first is a problem: what stands below it is not read.
_problems := {problem} if {
	some length in numbers.range(1, count(workload.spec_path))
	path := array.slice(workload.spec_path, 0, length)
	value := object.get(workload.manifest, path, null)
	value != null
	not is_object(value)
	problem := {
		"path": path,
		"why": sprintf("is %s, not a map", [words.quoted(value)]),
		"expected": sprintf("a map, with the containers at %s", [_wanted]),
	}
} else := {{
	"path": path,
	"why": sprintf("is a pod template; a %s has its containers at %s", [workload.kind, _wanted]),
	"expected": sprintf("the containers at %s", [_wanted]),
}} if {
	not workload.pod_spec.containers
	path := _misplaced
} else := lists | entries if {
	lists := {_no_list(list) | some list, _ in _unlisted}
	entries := {{
		"path": array.concat(workload.spec_path, [list, i]),
		"why": sprintf("is %s, not a map", [words.quoted(entry)]),
		"expected": "a container: a map with its name and image",
	} |
		some list in ["containers", "initContainers"]
		is_array(workload.pod_spec[list])
		some i, entry in workload.pod_spec[list]
		not is_object(entry)
	}
}

# _unlisted are the lists that are none. An empty one is as good as none, but for init
# containers.
_unlisted["containers"] := value if {
	value := workload.pod_spec.containers
	_unlisted_value(value)
}

_unlisted["containers"] := [] if workload.pod_spec.containers == []

_unlisted["initContainers"] := value if {
	value := workload.pod_spec.initContainers
	value != null
	_unlisted_value(value)
}

_unlisted_value(value) if not is_array(value)

_no_list(list) := {
	"path": array.concat(workload.spec_path, [list]),
	"why": sprintf("is %s, not a list with a container in it", [words.quoted(_unlisted[list])]),
	"expected": "a list of containers, each a map with its name and image",
}

_wanted := concat(".", array.concat(workload.spec_path, ["containers"]))

# Where other kinds have their pod template, or have its spec for a Pod.
_misplaced := path if {
	some path in [["spec", "template"], ["spec", "jobTemplate", "spec", "template"], ["template"]]
	is_object(object.get(workload.manifest, array.concat(path, ["spec", "containers", 0]), null))
}
