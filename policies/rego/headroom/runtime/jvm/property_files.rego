package headroom.runtime.jvm

import data.headroom.process

# _property_files are the files of properties that Spring or Quarkus reads and that a ConfigMap of the same input puts
# into the container: {path, text, at}, the stronger first. Properties win over YAML, and what is of an active profile
# wins over the rest.
_property_files(j, by) := [{"path": path, "text": text, "at": array.concat(j.c.path, ["volumeMounts"])} |
	j.c.raw.volumeMounts
	some path in _property_paths(j, by)
	text := process.mounted(j.c, path).text
]

_property_paths(j, "quarkus") := [path | some path in _names_in([concat("", [_works_in(j.c), "config/"])], [""])]

# A place that ends in / is a folder, another a file.
_property_paths(j, "spring") := array.concat(
	[place | some place in places; not endswith(place, "/")],
	_names_in([place | some place in places; endswith(place, "/")], array.concat(
		[concat("", ["-", profile]) | some profile in array.reverse(_active_profiles(j))],
		[""],
	)),
) if {
	places := array.concat(_places(j, "spring.config.additional-location"), _searched(j))
}

_names_in(folders, endings) := [concat("", [folder, "application", ending, kind]) |
	some ending in endings
	some folder in folders
	some kind in [".properties", ".yaml", ".yml"]
]

_searched(j) := found if {
	found := _places(j, "spring.config.location")
	count(found) > 0
} else := [concat("", [_works_in(j.c), folder]) | some folder in ["config/", ""]]

# The later of several places wins.
_places(j, property) := array.reverse([regex.replace(trim_space(place), `^(?:optional:)?(?:file:(?://)?)?`, "") |
	said := array.slice(_set_outside_files(j, {"property": property, "by": "spring"}), 0, 1)[_].text
	some place in regex.split(`[,;]`, said)
])

# Where the image's own folder is not known, neither is what lies below it.
_works_in(c) := concat("", [trim_right(c.raw.workingDir, "/"), "/"])

# _active_profiles are those that are set beside files; without any the profile default is active.
_active_profiles(j) := split(replace(said[0].text, " ", ""), ",") if {
	said := _set_outside_files(j, {"property": "spring.profiles.active", "by": "spring"})
	count(said) > 0
} else := ["default"]

# _property_in is what a file says of a property: in the last of its documents that has it and is in force, "" where
# it cannot be told whether one is.
_property_in(j, file, name) := said[count(said) - 1] if {
	said := [value |
		some document in _documents(file)
		value := _where_in_force(j, file, document, _in_document(document, name))
	]
}

_where_in_force(j, file, document, value) := value if {
	every condition in _conditions(j, file, document) {
		some word in regex.split(`[,\s]+`, condition.wanted)
		word in condition.active
	}
} else := "" if {
	# An expression of profiles, and profiles that a Secret names.
	some condition in _conditions(j, file, document)
	regex.match(`[!&|]`, concat(",", array.concat([condition.wanted], condition.active)))
}

_conditions(j, file, document) := [{"wanted": words, "active": active} |
	some property, active in {
		"spring.config.activate.on-profile": _active_beside(j, file),
		"spring.profiles": _active_beside(j, file),
		"spring.config.activate.on-cloud-platform": ["kubernetes"],
	}
	words := _in_document(document, property)
]

# Spring's own file may name its profiles, too.
_active_beside(j, file) := split(replace(own[0], " ", ""), ",") if {
	_active_profiles(j) == ["default"]
	own := [words | some document in _documents(file); words := _in_document(document, "spring.profiles.active")]
	count(own) > 0
} else := ["!"] if {
	process.arrived(j.call, "SPRING_PROFILES_ACTIVE").state == "unknown"
} else := _active_profiles(j)

_documents(file) := [{"lines": text} | some text in regex.split(`(?m)^[#!]---[ \t]*\r?$`, file.text)] if {
	endswith(file.path, ".properties")
} else := [{"tree": yaml.unmarshal(text)} |
	some text in regex.split(`(?m)^---(?:[ \t].*)?\r?$`, file.text)
	yaml.is_valid(text)
]

_in_document(document, name) := trim_space(said[count(said) - 1][1]) if {
	said := regex.find_all_string_submatch_n(
		sprintf(`(?m)^[ \t]*%s[ \t]*[=: \t][ \t]*(.*?)[ \t\r]*$`, [replace(name, ".", `\.`)]),
		document.lines, -1,
	)
	count(said) > 0
} else := concat(",", [text | text := value[_]]) if {
	value := _nested(document.tree, name)
	is_array(value)
} else := sprintf("%v", [value]) if {
	value := _nested(document.tree, name)
	not is_object(value)
}

_nested(tree, name) := tree[name] if {
	tree[name]
} else := object.get(tree, split(name, "."), null) if {
	is_object(tree)
	not is_null(object.get(tree, split(name, "."), null))
}
