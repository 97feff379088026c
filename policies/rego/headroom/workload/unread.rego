package headroom.workload

# unread is what stands on the way to containers and cannot be read, each as {path, value, wanted}. wanted is
# "text", "map", "list", "containers" (a list with one at least), or "container". What stands below it is not
# looked at. What is not there at all is a patch (see skipped.rego).
unread contains misfit if {
	_speaks_for_all
	some misfit in (_of_metadata | (_of_own_kind | _of_known_kind))
}

# Of an object that describes several Pods, the first review speaks for all.
_speaks_for_all if not input.spot

_speaks_for_all if not _is_review

_speaks_for_all if input.left_out >= 0

_carries_pods if template_path

_carries_pods if known

# The API server reads the metadata of every kind alike.
_of_metadata := {misfit |
	_carries_pods
	some path in [["metadata"], ["metadata", "annotations"], ["metadata", "labels"]]
	some misfit in _no_map(manifest, path)
} | {{"path": ["apiVersion"], "value": manifest.apiVersion, "wanted": "text"} |
	kind in _carriers
	not is_string(manifest.apiVersion)
}

# Kubernetes' own kinds cannot do without a template: null is no patch of them.
_of_own_kind := ({misfit |
	not known
	way := array.concat(template_path, ["spec"])
	some n in numbers.range(1, count(way))
	path := array.slice(way, 0, n)
	value := object.get(manifest, path, {})
	not is_object(value)
	misfit := {"path": path, "value": value, "wanted": "map"}
} | {misfit |
	not known
	way := array.concat(template_path, ["spec"])
	some misfit in _of_lists(object.get(manifest, way, {}), way, false)
}) | {misfit |
	not known
	some name in ["annotations", "labels"]
	some misfit in _no_map(manifest, array.concat(template_path, ["metadata", name]))
}

# A path leads to what is not there, to null, to a map, or to what cannot be read. Below the latter, nothing is there.
_no_map(holder, path) := {{"path": path, "value": value, "wanted": "map"} |
	value := object.get(holder, path, null)
	value != null
	not is_object(value)
}

# _of_lists are those of a Pod's spec, whose path is way.
_of_lists(spec, way, partial) := {misfit |
	some list, wanted in {"containers": "containers", "initContainers": "list"}
	value := _listed(spec, list, partial)
	not _has_entries(value, wanted, partial)
	misfit := {"path": array.concat(way, [list]), "value": value, "wanted": wanted}
} | {misfit |
	some list in ["containers", "initContainers"]
	is_array(spec[list])
	some i, value in spec[list]
	not is_object(value)
	misfit := {"path": array.concat(way, [list, i]), "value": value, "wanted": "container"}
}

_listed(spec, "initContainers", _) := spec.initContainers if spec.initContainers != null

_listed(spec, "containers", partial) := spec.containers if {
	_ = spec.containers
	not _as_good_as_missing(spec.containers, partial)
}

# A controller that completes a template needs no containers in it.
_as_good_as_missing(null, true)

_has_entries(value, "list", _) if is_array(value)

_has_entries(value, "containers", partial) if {
	is_array(value)
	count(value) + _spared(partial) > 0
}

_spared(true) := 1

_spared(false) := 0

_of_known_kind := {misfit |
	some entry in known.pods
	some pattern in _ways(entry)
	some misfit in _misfits(manifest, array.concat(_steps(_root(entry)), pattern))
} | {misfit |
	some entry in known.pods
	not entry.at
	not entry.containers
	some way in _paths(manifest, array.concat(_steps(_root(entry)), ["spec"]))
	some misfit in _of_lists(_node_at(manifest, way), way, object.get(entry, "partial", false))
}

# _ways lead from where an entry describes a Pod to what is read of it. HR001 looks at resources.
_ways(entry) := [array.slice(steps, 0, count(steps) - 1) |
	some fields in entry.amounts
	some field in fields
	steps := _steps(field)
] if {
	entry.amounts
} else := [[]] if {
	entry.at
} else := [_steps(pattern) |
	some list in ["containers", "beside", "init"]
	some pattern in object.get(entry, list, [])
] if {
	entry.containers
} else := [["spec"]]

# _misfits are what a pattern meets that cannot be read.
_misfits(holder, pattern) := ({misfit |
	some [path, value, star] in _met(holder, pattern)
	star == ""
	not is_object(value)
	misfit := {"path": path, "value": value, "wanted": "map"}
} | {misfit |
	some [path, value, star] in _met(holder, pattern)
	star != ""
	not _entries_of(value, star)
	misfit := {"path": path, "value": value, "wanted": "list"}
}) | {misfit |
	some [path, value, star] in _met(holder, pattern)
	star != ""
	is_array(value)
	some i, entry in value
	not is_object(entry)
	misfit := {"path": array.concat(path, [i]), "value": entry, "wanted": "map"}
}

# _met are the steps of a pattern with a name that are there: [path, value, the star that comes next, if any].
_met(holder, pattern) := [[path, _node_at(holder, path), _star_at(pattern, n)] |
	some n in numbers.range(1, count(pattern))
	not pattern[n - 1] in _stars
	some path in _paths(holder, array.slice(pattern, 0, n))
]

default _star_at(_, _) := ""

_star_at(pattern, n) := pattern[n] if pattern[n] in _stars
