package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# script_of is what is known of how a container starts java where its command does not name it:
#   {image, starts, parts}
# starts is "script" where the image's own start script runs, "perhaps" where the command is
# something that may run it. Undefined for an image that was not read.
script_of(c, command) := {"image": image, "starts": starts, "parts": parts} if {
	not command.java
	image := images.found[c.id]
	starts := _starts(c, image.record)
	starts != "other"
	parts := [resolved |
		line := object.get(image.record, "line", [])
		some i, part in line
		holds(c, image, object.get(part, "when", {}))
		_lacks(c, array.slice(line, 0, i), _texts(object.get(part, ["when", "lacks"], [])))
		resolved := _if_it_runs(c, starts, _part(c, part))
	]
}

# Another script, which has not been read, may start java with other options than the image's own would take by
# itself. What the manifest sets for that is still likely to arrive. An entrypoint of another name likely wraps it.
_if_it_runs(c, "perhaps", part) := object.union(object.remove(part, ["text", "share"]), {
	"why": "the command is another script",
	"sets": regex.find_n(`-Xm[nsx]|-XX:[+-]?\w+`, part.text, -1),
}) if {
	part.image
	object.get(part, "text", "") != ""
	not contains(concat(" ", images.words(c)), "entrypoint")
} else := part

_if_it_runs(_, "script", part) := part

_starts(c, record) := "perhaps" if {
	# A JDK, and no script: what is built on it decides.
	not record.line
	not _given(c)
} else := "perhaps" if {
	# A file is mounted over the image's script.
	not _given(c)
	some entry in object.get(record, "entrypoint", [])
	startswith(entry, "/")
	some mount in c.raw.volumeMounts
	mount.mountPath == entry
} else := "script" if {
	not _given(c)
	not c.raw.args[0]
} else := "script" if {
	tokens := _tokens(c)
	some entry in object.get(record, "entrypoint", [])
	some token in tokens
	process.same_file(token, entry)
} else := "other" if {
	process.only_utilities(images.words(c))
} else := "other" if {
	regex.match(record.not_jvm, concat(" ", images.words(c)))
} else := "script" if {
	not _given(c)
} else := "script" if {
	# Its entrypoint has another name than it had when it was read.
	c.raw.inside.command > 0
	record.line
} else := "perhaps" if {
	# A script that the manifest does not show may run the image's own.
	count(_scripts_of(c)) == 0
	some word in images.words(c)
	regex.match(`(?:^|/)(?:ba|da|a|k|z)?sh$|\.sh$|entrypoint|/run$|/start`, word)
} else := "perhaps" if {
	some script in _scripts_of(c)
	some begun in regex.find_n(process.begun_command, replace(script, "\\\n", " "), -1)
	regex.match(`\.sh["']?$|entrypoint|/(?:run|start)[^/]*$`, begun)
} else := "other"

# _scripts_of are the scripts of a command that the manifest shows.
_scripts_of(c) := {script | script := process.first_script(images.words(c))} | {text |
	some word in images.words(c)
	startswith(word, "/")
	text := process.mounted(c, word).text
}

# _tokens are the words of a command and of the scripts in it, those of ConfigMaps included.
_tokens(c) := {token |
	words := images.words(c)
	some text in array.concat(words, [process.mounted(c, word).text | some word in words; startswith(word, "/")])
	some token in regex.split(`[\s;&|()"'<>=]+`, text)
}

# holds says whether a part of the line counts here.
holds(c, image, when) if {
	every key, value in when {
		_condition(c, image, key, value)
	}
}

_condition(_, image, "tag", pattern) if regex.match(pattern, image.tag)

_condition(c, _, "words", pattern) if regex.match(pattern, images.said(c))

_condition(c, _, "not_words", pattern) if not regex.match(pattern, images.said(c))

_condition(c, _, "option", pattern) if regex.match(pattern, images.options(c)[_][_])

_condition(c, _, "not_option", pattern) if {
	every options in images.options(c) {
		every option in options { not regex.match(pattern, option) }
	}
}

_condition(c, _, "mounted", pattern) if _mounts(c, pattern)

_condition(c, _, "not_mounted", pattern) if not _mounts(c, pattern)

_condition(c, _, "set", name) if not _empty(process.arrived(images.last_call(c), name))

_condition(c, _, "unset", name) if _empty(process.arrived(images.last_call(c), name))

_condition(c, _, "equals", values) if {
	every name, value in values {
		process.arrived(images.last_call(c), name).value == value
	}
}

# What stands in front of a part is asked apart.
_condition(_, _, "lacks", _)

# _lacks says that the variables in front of a part hold none of these flags. What the script adds later is not there
# yet.
_lacks(c, in_front, options) if {
	every part in in_front {
		text := object.get(process.arrived(images.last_call(c), object.get(part, "variable", "")), "value", "")
		every option in options { not contains(text, option) }
	}
}

_texts(one) := [one] if is_string(one)

_texts(several) := several if is_array(several)

_mounts(c, pattern) if regex.match(pattern, c.raw.volumeMounts[_].mountPath)

_empty(found) if found.state == "absent"

_empty(found) if found.value == ""

# _part is {name, path, text} with what stands on the line, or {name, path, why, sets} where it cannot be told;
# undefined where nothing stands there.
_part(c, part) := _own_part(c, {"text": part.options}) if {
	part.options
} else := _own_part(c, {"why": part.unknown, "sets": object.get(part, "sets", [])}) if {
	part.unknown
} else := _share_part(c, part, _percent(c, part)) if {
	part.percent
} else := _option_part(c, part) if {
	part.argument
} else := _file_part(c, part) if {
	part.file
} else := _variable_part(c, part, process.arrived(images.last_call(c), _variable_name(part)))

_own_part(c, part) := object.union(part, {
	"name": "the image's start script",
	"path": array.concat(c.path, ["image"]),
	"image": true,
})

# Of an option of the script that stands in a call several times the last counts.
_option_part(c, part) := object.union(_said_by_option(part, values), {
	"name": "the start script's arguments",
	"path": process.path_of_command(c),
}) if {
	values := {value | some options in images.options(c); value := _last_said(options, part.argument)}
	values != {""}
}

_last_said(options, pattern) := images.hidden_option if {
	images.hidden_option in options
} else := said[count(said) - 1] if {
	said := [value | some option in options; [[_, value]] := regex.find_all_string_submatch_n(pattern, option, 1)]
	count(said) > 0
} else := ""

_said_by_option(part, values) := {"text": replace(part.becomes, "{}", value)} if {
	[value] := sort(values)
	regex.match(_size_or_flags, value)
} else := {"why": "not all options of its calls can be read, or they differ", "sets": _set_by(part)}

_size_or_flags := `^(?:[0-9]+[kKmMgGtT]|["']?-.*)$`

# A script leaves the option out for a share of 0.
_share_part(c, _, 0) := _own_part(c, {"text": ""})

_share_part(c, part, percent) := _own_part(c, {"text": text, "share": share}) if {
	percent > 0
	c.memory_limit > 0
	object.get(part, "of", "limit") == "limit"
	said := object.filter(object.union(part, {"percent": percent}), _of_a_share)
	share := object.union({"least": 0, "most": 1e9}, said)
	text := replace(part.becomes, "{}", sprintf("%d", [share_mib(share, c.memory_limit)]))
} else := _own_part(c, object.union(_node_share(part, percent), unknown)) if {
	percent != 0
	unknown := {"why": _no_share(percent), "sets": _set_by(part)}
}

# What is taken of the node's memory has no size here, but bounds, and a variable that takes its place.
_node_share(part, percent) := {
	"node": object.union(
		{"least": 0, "percent": percent},
		object.filter(part, {"least", "most"}),
	),
	"instead": array.concat([part.when.unset], [name | name := part.pair]),
} if {
	percent > 0
	part.of == "node"
	part.most
	part.when.unset
} else := {}

# heap_of_the_node is what a known script makes of the node's memory where nothing else sets the heap:
# {node: {percent, least, most}, instead}, in MiB, and the variables to set instead.
heap_of_the_node(j) := [part |
	not j.flags.MaxHeapSize
	some part in j.script.parts
	part.node
	"-Xmx" in part.sets
][0]

_of_a_share := {"percent", "least", "most"}

# share_mib is what a script makes of a share of so many bytes.
share_mib(share, bytes) := min([max([floor((bytes * share.percent) / 104857600), share.least]), share.most])

_no_share(-1) := "a percentage in a variable cannot be read"

_no_share(percent) := "it takes a share of the node's memory" if percent != -1

# set_out_of_sight says that a known script sets a flag, to what cannot be told.
set_out_of_sight(j, flag) if concat("", ["-XX:", flag]) in j.script.parts[_].sets

# _percent is what a variable says of a share, else what the script takes; -1 where it cannot be read.
_percent(c, part) := part.percent if {
	_empty(process.arrived(images.last_call(c), object.get(part, "variable", "")))
} else := to_number(found.value) if {
	found := process.arrived(images.last_call(c), part.variable)
	found.state == "literal"
	regex.match(`^[0-9]{1,3}$`, found.value)
} else := -1

# share_of_limit is the share of the limit that a known script makes the maximum heap of, where that wins.
share_of_limit(j) := [part.share |
	some part in j.script.parts
	part.share
	j.flags.MaxHeapSize.source == part.name
	contains(part.text, concat("", ["-Xmx", j.flags.MaxHeapSize.value]))
][0]

_set_by(part) := regex.find_n(`-X[A-Za-z:]+`, part.becomes, -1)

_file_part(c, part) := _own_part(c, {"text": object.get(part, "default", "")}) if {
	not process.mounted(c, part.file)
} else := {
	"name": part.file,
	"path": array.concat(c.path, ["volumeMounts"]),
	"text": _lines(found.text),
} if {
	found := process.mounted(c, part.file)
	found.text
} else := {
	"name": part.file,
	"path": array.concat(c.path, ["volumeMounts"]),
	"why": process.mounted(c, part.file).why,
	"sets": ["-Xms", "-Xmx"],
}

# One option a line; # begins a comment.
_lines(text) := concat(" ", [line |
	some raw in split(text, "\n")
	line := trim_space(raw)
	startswith(line, "-")
])

_variable_part(c, part, found) := _default_part(c, part) if {
	_empty(found)
} else := {"name": _variable_name(part), "path": found.path, "text": _becomes(part, found.value)} if {
	found.state == "literal"
	not _unreadable_size(part, found.value)
} else := {
	"name": _variable_name(part),
	"path": found.path,
	"why": object.get(found, "why", "its value is not a size"),
	"sets": object.get({true: ["-Xms", "-Xmx"]}, object.get(part, "size", "") != "", []),
}

_variable_name(part) := object.get(part, "variable", object.get(part, "size", ""))

_default_part(c, part) := object.union(_own_part(c, {"text": _becomes(part, part.default)}), {"name": concat("", [
	_variable_name(part),
	", as the image's start script sets it",
])})

# Some scripts add a unit to a number that has none.
_becomes(part, value) := replace(part.becomes, "{}", concat("", [value, part.unit])) if {
	part.unit
	regex.match(`^[0-9]+$`, value)
} else := replace(part.becomes, "{}", value) if {
	part.becomes
} else := value

_unreadable_size(part, value) if {
	part.size
	not regex.match(_size_or_number, value)
}

_size_or_number := `^[0-9]+(?:\.[0-9]+)?[kKmMgG]?$`
