package headroom.runtime.node

import data.headroom.ceiling
import data.headroom.environment
import data.headroom.images
import data.headroom.measured
import data.headroom.registry
import data.headroom.workers
import data.headroom.workload

# V8 collects garbage when the old space nears its bound; new space, code and buffers come on top (R1).
_share := 0.75

# ceilings are the old spaces that somebody set, and those that a release takes by itself, whatever the limit is.
ceilings := array.concat(_set, _by_default)

_set := [{
	"c": c,
	"sure": true,
	"path": said.path,
	"terms": array.concat([_old(said, count_of)], _young(c, count_of)),
	"before": "V8 collects garbage",
	"expected": sprintf("--max-old-space-size=%v%s, or limits.memory of %s", [
		ceiling.room(c.memory_limit, _share / count_of, 0),
		_each(count_of),
		ceiling.limit_for(bytes, _share),
	]),
} |
	some id in _candidates
	c := workload.containers[id]
	said := _old_space(c)
	count_of := _processes(id)
	bytes := (said.mib * 1048576) * count_of
]

_old(said, 1) := {
	"text": sprintf("The old space may grow to %v MiB (%s)", [said.mib, said.option]),
	"bytes": said.mib * 1048576,
	"sure": true,
}

_old(said, processes) := {
	"text": sprintf("The old spaces of %v processes may grow to %v MiB each (%s)", [processes, said.mib, said.option]),
	"bytes": (said.mib * 1048576) * processes,
	"sure": false,
} if {
	processes > 1
}

_each(1) := " (75 % of limits.memory)"

_each(processes) := sprintf(" for each of %v processes (75 %% of limits.memory for all)", [processes]) if processes > 1

# The young generation is three semi-spaces (R1).
_young(c, processes) := [{
	"text": sprintf("the young generation to %v MiB%s (3 × %s)", [3 * space.mib, _apiece(processes), space.option]),
	"bytes": ((3 * space.mib) * 1048576) * processes,
	"sure": false,
}] if {
	space := _space(c, `^--max[-_]semi[-_]space[-_]size=([0-9]{1,9})$`)
} else := []

_apiece(1) := ""

_apiece(processes) := " each" if processes > 1

# PM2 starts so many of the same program.
default _processes(_) := 1

_processes(id) := counters_of[0].count if {
	counters_of := [counter | some counter in counters; counter.c.id == id; counter.count > 0]
}

# Before 20 V8's heap does not look at the container's limit, but at the node's memory (R1); later releases look at it.
_by_default := [{
	"c": c,
	"sure": true,
	"path": array.concat(c.path, ["image"]),
	"terms": [_grown(feature, c.memory_limit)],
	"before": "V8 collects garbage, if the program comes to need that much",
	"expected": sprintf("NODE_OPTIONS: --max-old-space-size=%v (75 %% of limits.memory), or Node.js 20 or later", [
		ceiling.room(c.memory_limit, _share, 0),
	]),
} |
	some id, _ in found
	c := workload.containers[id]
	feature := release(c)
	feature < 20
	not _old_space(c)
	not _unread(c)
	not environment.setting(c, "NODE_OPTIONS").state in {"unknown", "resource"}
	environment.hidden(c) == []
]

# 2 GiB on any node, and 4144 MiB on one of 16 GiB or more.
_grown(feature, limit) := {
	"text": sprintf("Node.js %v does not look at the limit, and its heap may grow to 2048 MiB or more", [feature]),
	"bytes": 2147483648,
	"sure": false,
} if {
	limit <= 2147483648
} else := {
	"text": concat(" ", [
		sprintf("Node.js %v does not look at the limit:", [feature]),
		"on a node of 16 GiB or more its heap may grow to 4144 MiB",
	]),
	"bytes": 4345298944,
	"sure": false,
}

# release is the major release of a container's Node.js; undefined where nothing tells it. The annotation does, else
# the image's config, else the program itself, else the tag of the official image.
release(c) := _major(text) if {
	some word in registry.declared[c.name]
	[key, text] := split(word, "=")
	key == "version"
} else := _major(c.raw.inside.config.environment.NODE_VERSION) if {
	c.raw.inside.config.environment.NODE_VERSION
} else := _major(version) if {
	version := measured.runtime_of(c.name).version
	measured.runtime_of(c.name).kind == "node"
} else := _major(images.reference(c.raw.image).tag) if {
	registry.imaged[c.id].image == "node"
}

_major(text) := to_number(major) if {
	major := regex.find_all_string_submatch_n(`^v?([1-9][0-9]?)(?:[.-]|$)`, text, 1)[0][1]
}

_candidates := {id | some id, _ in workers.started} | {id |
	some id, present in environment.present
	"NODE_OPTIONS" in present
}

# A share of the memory that Node.js sees goes before a size; the command line goes before NODE_OPTIONS, and the last of
# several counts (R1).
_old_space(c) := {
	"mib": floor((c.memory_limit * share.mib) / (100 * 1048576)),
	"option": share.option,
	"path": share.path,
} if {
	share := _space(c, `^--max[-_]old[-_]space[-_]size[-_]percentage=([0-9]{1,3})(?:\.[0-9]+)?$`)
	c.memory_limit > 0
} else := _space(c, `^--max[-_]old[-_]space[-_]size=([0-9]{1,9})$`)

_space(c, pattern) := _last(told) if {
	told := [value |
		some command in workers.started[c.id]
		command.runtime == "node"
		some value in _values(_own(command.words), pattern)
	]
	count(told) > 0
} else := _last(_values(words, pattern)) if {
	setting := environment.setting(c, "NODE_OPTIONS")
	setting.state == "literal"
	words := [[word, setting.path] | some word in workers.shell_words(setting.text)]
}

# _unread says that a bound is set that is filled in when the container starts.
_unread(c) if {
	some word in _said(c)
	regex.match(`^--max[-_](?:old[-_]space|heap)[-_]size(?:[-_]percentage)?=`, word)
	not regex.match(`=[0-9.]+$`, word)
}

_said(c) := by_command | by_variable if {
	by_command := {word | some command in workers.started[c.id]; some [word, _] in _own(command.words)}
	by_variable := {word | some word in workers.shell_words(environment.setting(c, "NODE_OPTIONS").text)}
}

# What stands behind the script's name is the script's.
_own(words) := array.slice(words, 0, min(array.concat([count(words)], [i |
	some i, [word, _] in words
	not startswith(word, "-")
])))

_values(words, pattern) := [{"mib": to_number(groups[1]), "option": word, "path": path} |
	some [word, path] in words
	some groups in regex.find_all_string_submatch_n(pattern, word, -1)
]

_last(values) := values[count(values) - 1]
