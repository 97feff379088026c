package headroom.workload

import data.headroom.config
import data.headroom.inside
import data.headroom.kinds

# Kinds beside Kubernetes' own are data (package headroom.kinds, and `kinds` of the config). One
# object of them may describe several Pods, of which each is judged by itself. A spot is where it
# does: [number, path], the number of the kind's entry that says how to read what the path leads to.

# known is what is known of the object's kind; undefined for Kubernetes' own and for unknown ones.
known := _known(manifest)

_known(object) := configured[0] if {
	configured := [entry |
		some entry in config.settings.kinds
		entry.kind == object.kind
		entry.group == _group(object.apiVersion)
	]
	count(configured) > 0
} else := kinds.kinds[_group(object.apiVersion)][object.kind]

default _group(_) := ""

_group(api_version) := split(api_version, "/")[0] if {
	is_string(api_version)
	contains(api_version, "/")
}

# like is the kind of Kubernetes that the object's kind behaves like, and like_of that of a kind
# of which only the name is known.
like := object.get(known, "like", kind) if {
	known
} else := kind

like_of(name) := configured[0] if {
	configured := [entry.like | some entry in config.settings.kinds; entry.kind == name]
	count(configured) > 0
} else := kinds.likes[name] if {
	kinds.likes[name]
} else := name

# spot is the one that is judged: the review's, or the only one.
spot := input.spot if {
	_is_review
	is_number(input.spot[0])
	is_array(input.spot[1])
} else := _spots[0] if {
	count(_spots) == 1
}

_spots := _spots_of(manifest)

_spots_of(object) := [[i, path] |
	some i, entry in _known(object).pods
	some path in _paths(object, _steps(_root(entry)))
	_describes_a_pod(entry, _node_at(object, path))
]

# max_spots bounds the work for one object. What is left out is listed among what was skipped.
max_spots := 200

_root(entry) := object.get(entry, "at", object.get(entry, "template", ""))

# A template that an operator completes says something only where it has containers.
_describes_a_pod(entry, node) if {
	is_object(node)
	every path in object.get(entry, "unless", []) {
		_node_at(node, _steps(path)) == null
	}
	every path in object.get(entry, "needs", []) {
		not _node_at(node, _steps(path)) in {null, false}
	}
	_has_containers(entry, node)
}

_has_containers(entry, _) if {
	not entry.partial
	not entry.containers
}

_has_containers(entry, node) if {
	entry.partial
	is_object(node.spec.containers[0])
}

_has_containers(entry, node) if {
	some pattern in entry.containers
	some path in _paths(node, _steps(pattern))
	is_object(_node_at(node, path))
}

_node_at(node, path) := node if {
	path == []
} else := object.get(node, path, null) if {
	is_object(node)
} else := null

_steps("") := []

_steps(path) := split(replace(path, "[*]", ".[*]"), ".") if path != ""

# _paths are those that a pattern leads to: [*] stands for every entry of a list, * for every one of a list
# or map, twice at most.
_stars := {"*", "[*]"}

_paths(node, pattern) := _starred(node, pattern) if {
	not _has_star(pattern)
} else := [array.concat(head, rest) |
	[before, star, after] := _cut(pattern)
	some key, child in _entries_of(_node_at(node, before), star)
	head := array.concat(before, [key])
	some rest in _starred(child, after)
]

_starred(node, pattern) := [path | some path in [pattern]; _node_at(node, path) != null] if {
	not _has_star(pattern)
} else := [path |
	[before, star, after] := _cut(pattern)
	some key, child in _entries_of(_node_at(node, before), star)
	path := array.concat(array.concat(before, [key]), after)
	_node_at(child, after) != null
]

_has_star(pattern) if {
	some step in pattern
	step in _stars
}

# A map with something else than maps in it is one entry that stands where a list of them belongs.
_entries_of(node, star) := node if {
	is_array(node)
} else := node if {
	star == "*"
	is_object(node)
	every child in node {
		is_object(child)
	}
}

_cut(pattern) := [array.slice(pattern, 0, i), pattern[i], array.slice(pattern, i + 1, count(pattern))] if {
	i := [i | some i, step in pattern; step in _stars][0]
}

# entry says how to read the Pod that is judged; undefined where it is a plain pod template of
# Kubernetes' own kinds.
entry := known.pods[spot[0]]

_node := _node_at(manifest, spot[1])

# composed is true for a Pod that no pod template describes: its containers are gathered.
composed if entry.at

composed if entry.containers

# restated is true where fields have other names than a container has: nothing can be patched
# there, and words are those of the kind.
restated if entry.at

restated if entry.resources

_gathered := [["containers", 0, _restated, spot[1]]] if {
	entry.at
} else := [[list, i, raw, path] |
	some list in ["containers", "beside", "init"]
	found := [path |
		some pattern in object.get(entry, list, [])
		some path in _paths(_node, _steps(pattern))
		is_object(_node_at(_node, path))
	]
	some i, rest in found
	path := array.concat(spot[1], rest)
	raw := _with_name(_node_at(_node, rest), rest)
]

# Where a container need not have a name, it gets the one that its controller gives it, or one that
# says where it stands.
_with_name(raw, rest) := object.union({"name": _given_name(rest)}, _moved_resources(raw))

_given_name(rest) := entry.name if {
	entry.name
} else := sprintf("%s %d", [rest[n - 2], rest[n - 1] + 1]) if {
	n := count(rest)
	is_number(rest[n - 1])
} else := sprintf("%v", [rest[count(rest) - 1]])

# An operator's own resources and image stand where the container says none. Where it merges them, each field that is
# not set has them.
_completed(raw) := object.union_n([
	{"resources": given | _may_be_given(raw); given := entry.given[raw.name]},
	{"image": image | image := _given_image(raw)},
	raw,
])

_may_be_given(raw) if not raw.resources

_may_be_given(raw) if {
	entry.merged
	is_object(raw.resources)
}

# The operator's image is of the version that the object has, unless the object names another.
_given_image(raw) := sprintf("%s:%v", [entry.images[raw.name], version]) if {
	not manifest.spec.image
	version := _node_at(manifest, ["spec", "version"])
	is_string(version)
	version != ""
}

# An earlier version of the kind may name the field as a container does.
_moved_resources(raw) := object.union(raw, {"resources": raw[entry.resources]}) if {
	raw[entry.resources]
} else := raw

# _restated is what stands for the container of a resource that has no pod template.
_restated := object.union_n([
	{"name": _restated_name, "resources": _restated_resources},
	{"image": _node.image | is_string(_node.image)},
	{"env": [{"name": "JAVA_TOOL_OPTIONS", "value": jvm_text}] | entry.jvm},
])

_restated_name := _node[entry.name_at] if {
	is_string(_node[entry.name_at])
} else := entry.container

_restated_resources := amounts if {
	entry.amounts
	amounts := {list: values |
		some list in ["requests", "limits"]
		values := {resource: value |
			some resource in ["cpu", "memory"]
			stated := _stated(list, resource)
			value := _with_overhead(stated.path, _amount(resource, _half(list, stated.value)))
		}
	}
} else := _node_at(_node, _steps(_resources_field)) if {
	_node_at(_node, _steps(_resources_field)) != null
} else := {}

# _stated is the field that an amount stands in, the first that is set, or the first of all with
# what holds where none is.
_stated(list, resource) := object.union({"path": _steps(fields[0])}, found[0]) if {
	name := concat(".", [list, resource])
	fields := entry.amounts[name]
	found := array.concat(
		[{"path": path, "value": value} |
			some field in fields
			path := _steps(field)
			value := _node_at(_node, path)
			value != null
		],
		[{"value": value | value := entry.usual[name]}],
	)
}

# A pair is "limit:request"; a text without a colon is both.
_half(list, text) := {"limits": parts[0], "requests": parts[count(parts) - 1]}[list] if {
	entry.pair
	is_string(text)
	parts := split(text, ":")
} else := text

# _amount is an amount as Kubernetes takes it. A text with none of the units may be a quantity all the same.
_amount("cpu", value) := value

_amount("memory", value) := quantity if {
	is_string(value)
	[number, unit] := _number_and_unit(value)
	quantity := concat("", [number, _units[unit]])
} else := value

# Where an entry says no other, single amounts of memory are written as the JVM takes them.
_units := object.get(entry, "units", {
	"k": "Ki", "m": "Mi", "g": "Gi", "t": "Ti",
	"kb": "Ki", "mb": "Mi", "gb": "Gi", "tb": "Ti",
})

_number_and_unit(text) := [parts[1], parts[2]] if {
	parts := regex.find_all_string_submatch_n(`^([0-9]+)\s*([a-z]*)$`, lower(trim_space(text)), 1)[0]
}

# shared_field is true where one field is the request and the limit of a resource: neither can be changed alone.
default shared_field(_) := false

shared_field(resource) if _stated("requests", resource).path == _stated("limits", resource).path

# jvm_text are the flags of a resource that has fields for them.
jvm_text := concat(" ", array.concat(
	[concat("", [flag, value]) |
		some flag in ["-Xms", "-Xmx"]
		value := _flags[flag]
		is_string(value)
	],
	[_xx(name, value) | some name, value in _flags["-XX"]],
)) if {
	is_object(_flags)
} else := _flags if {
	is_string(_flags)
} else := ""

_flags := _node_at(_node, _steps(entry.jvm))

_xx(name, value) := sprintf("-XX:+%s", [name]) if value in {true, "true"}

_xx(name, value) := sprintf("-XX:-%s", [name]) if value in {false, "false"}

_xx(name, value) := sprintf("-XX:%s=%v", [name, value]) if not value in {true, "true", false, "false"}

# located is a path in the document, where a container's fields may have other places than here.
located(path) := _placed(_shown(path))

# What an image says has the image for its place.
_shown(path) := path if {
	not inside.known
} else := array.concat(found[0].path, inside.shown(found[0].raw, rest)) if {
	found := [c |
		some c in containers
		c.raw.inside
		array.slice(path, 0, count(c.path)) == c.path
	]
	rest := array.slice(path, count(found[0].path), count(path))
} else := path

_placed(path) := array.concat(path_prefix, path) if {
	not restated
} else := array.concat(path_prefix, found[0]) if {
	found := [array.concat(move.to, array.slice(path, count(move.from), count(path))) |
		some move in _moves
		array.slice(path, 0, count(move.from)) == move.from
	]
	count(found) > 0
} else := array.concat(path_prefix, path)

_moves := [move |
	some c in containers
	some move in array.concat(_amounts_moved(c), array.concat(_options_moved(c), _resources_moved(c)))
]

_resources_moved(c) := [{"from": from, "to": array.concat(c.path, _steps(_resources_field))} |
	from := array.concat(c.path, ["resources"])
	_node_at(manifest, from) == null
]

# What stands below a variable has no place of its own, nor has what the operator adds to it.
_options_moved(c) := [{"from": array.concat(c.path, from), "to": array.concat(c.path, _steps(entry.jvm))} |
	entry.jvm
	some from in array.concat([["env", 0, "value"], ["env"]], [["image"] | entry.line])
]

_resources_field := object.get(entry, "resources", "resources")

_amounts_moved(c) := [move |
	entry.amounts
	some list in ["requests", "limits"]
	some resource in ["cpu", "memory"]
	move := {
		"from": array.concat(c.path, ["resources", list, resource]),
		"to": array.concat(c.path, _stated(list, resource).path),
	}
]

# worded is a text in the words of the object's own kind.
worded(text) := text if not restated

worded(text) := _with_units(strings.replace_n(_words, text)) if restated

# Memory is worded as its field takes it: 2048m for 2048Mi.
_with_units(text) := text if not entry.amounts

_with_units(text) := strings.replace_n(
	{quantity: replace(quantity, of, unit) |
		some quantity in regex.find_n(`\b[0-9]+[KMGTP]i\b`, text, -1)
		of := trim_left(quantity, "0123456789")
		unit := min([unit | some unit, same in _units; same == of; unit != ""])
	},
	text,
) if {
	entry.amounts
}

_words := object.union_n([
	{"the pod template": sprintf("the %s", [kind])},
	{"JAVA_TOOL_OPTIONS": entry.jvm | entry.jvm},
	{concat(".", [list, resource]): concat("", [_half_named(list), concat(".", path), _and_overhead(path)]) |
		entry.amounts
		some list in ["requests", "limits"]
		some resource in ["cpu", "memory"]
		path := _stated(list, resource).path
	},
])

_and_overhead(path) := " and its overhead" if {
	entry.overhead
	path == ["memory"]
} else := ""

_half_named(list) := {"limits": "the limit in ", "requests": "the request in "}[list] if {
	entry.pair
} else := ""
