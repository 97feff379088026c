package headroom.rules.manifest["pod-template-unknown"]

import data.headroom.workload

# _carriers are the paths of the templates, or of what has resources for containers, nearest to the
# top, found level by level. The object may be a megabyte of anything. So the search goes seven
# levels deep (an embedded CronJob: spec.forProvider.manifest.spec.jobTemplate.spec.template). It
# looks at no more than 64 lists and maps of each one and 2000 of a level, and stops at the first
# that has any. The object itself counts only where it says that it is a Pod: `spec.containers` of a
# Prometheus, say, are no template but changes to one.
_carriers := [[]] if {
	workload.kind == "Pod"
	_is_template(workload.manifest)
} else := found if {
	found := _among(_level_1)
	found != []
} else := found if {
	found := _among(_level_2)
	found != []
} else := found if {
	found := _among(_level_3)
	found != []
} else := found if {
	found := _among(_level_4)
	found != []
} else := found if {
	found := _among(_level_5)
	found != []
} else := found if {
	found := _among(_level_6)
	found != []
} else := _among(_below(_level_6))

_among(level) := [path | some [path, node] in level; _tells(node)]

_tells(node) if _is_template(node)

_tells(node) if _has_resources(node)

_has_resources(node) if {
	some list in ["requests", "limits"]
	some resource in ["cpu", "memory"]
	node.resources[list][resource] != null
}

_is_template(node) if {
	some field in ["name", "image"]
	is_string(node.spec.containers[0][field])
}

_level_1 := _children([], object.remove(workload.manifest, ["metadata", "status"])) if is_object(workload.manifest)

_level_2 := _below(_level_1)

_level_3 := _below(_level_2)

_level_4 := _below(_level_3)

_level_5 := _below(_level_4)

_level_6 := _below(_level_5)

_below(level) := array.slice([child | some [path, node] in level; some child in _children(path, node)], 0, 2000)

_children(path, node) := array.slice(
	[[array.concat(path, [key]), child] | some key, child in node; type_name(child) in {"array", "object"}],
	0, 64,
)
