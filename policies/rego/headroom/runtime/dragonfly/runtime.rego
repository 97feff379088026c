# METADATA
# title: Dragonfly
# description: |
#   Dragonfly. Shown by the annotation, by the command or by the image. It runs a thread for each core of the CPU limit,
#   or of the node, and ends at the start where maxmemory has less than 256 MiB for each (R72).
package headroom.runtime.dragonfly

import data.headroom.ceiling
import data.headroom.config
import data.headroom.environment
import data.headroom.nodes
import data.headroom.serving

about := {
	"aliases": ["dragonflydb"],
	"words": "Dragonfly",
	"images": ["dragonflydb/dragonfly"],
	"starts": ["dragonfly"],
	"follows": "--proactor_threads=%v",
	"variables": ["DFLY_maxmemory", "DFLY_proactor_threads"],
}

found := serving.found("dragonfly")

# It takes this share of the limit by itself (R72).
_share := 0.8

_each := 268435456

# ceilings are the sizes of the data that somebody set.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": size.path,
	"terms": [{"text": sprintf("maxmemory %v MiB", [ceiling.mib(size.bytes)]), "bytes": size.bytes, "sure": true}],
	"before": "Dragonfly evicts or refuses anything",
	"expected": sprintf("--maxmemory of at most %vmb (80 %% of limits.memory), or limits.memory of %s", [
		ceiling.room(server.c.memory_limit, _share, 0),
		ceiling.limit_for(size.bytes, _share),
	]),
} |
	some server in serving.servers("dragonfly")
	size := _set(server)
]

# stopped are servers whose maxmemory is too small for their threads.
stopped := [object.union(_outcome(threads, floor(size.bytes / _each)), {
	"c": server.c,
	"path": size.path,
	"expected": _expected(server, size, threads.most),
	"figures": {"threads": threads.most, "bytes": size.bytes},
	"message": sprintf("Dragonfly runs %s and wants 256 MiB for each; maxmemory is %v MiB (%s).", [
		threads.words,
		ceiling.mib(size.bytes),
		size.text,
	]),
}) |
	some server in serving.servers("dragonfly")
	size := _maxmemory(server)
	threads := _threads(server)
	size.bytes < threads.most * _each
]

_outcome(threads, fits) := {
	"severity": "error",
	"outcome": "certain",
	"why": "It ends at the start, and the container restarts for ever.",
} if {
	fits < threads.least
} else := {
	"severity": threads.severity,
	"outcome": "possible",
	"why": sprintf("With more than %v it ends at the start, and the container restarts for ever.", [fits]),
}

_expected(server, size, most) := concat(", or ", array.concat(
	[sprintf("--proactor_threads=%v", [fits]) |
		fits := floor(size.bytes / _each)
		fits > 0
	],
	[sprintf("%slimits.memory of %s", [
		{true: sprintf("--maxmemory=%vmb and ", [most * 256]), false: ""}[_explicit(server)],
		ceiling.limit_for(most * _each, _share),
	])],
))

default _explicit(_) := false

_explicit(server) if _set(server)

_maxmemory(server) := _set(server) if {
	_set(server)
} else := {
	"bytes": floor(server.c.memory_limit * _share),
	"text": "80 % of limits.memory",
	"path": ceiling.resources(server.c),
} if {
	server.c.memory_limit > 0
	not _said(server, "maxmemory")
}

_set(server) := {"bytes": bytes, "text": "--maxmemory", "path": said.path} if {
	said := _said(server, "maxmemory")
	bytes := _bytes(said.text)
	bytes > 0
}

# The command line goes before the variable. A file of flags, a Secret and what is filled in later are not known.
_said(server, flag) := serving.option(server, [sprintf("--%s", [flag])]) if {
	serving.option(server, [sprintf("--%s", [flag])])
} else := {"text": object.get(setting, "text", ""), "path": setting.path} if {
	setting := environment.setting(server.c, sprintf("DFLY_%s", [flag]))
	setting.state != "absent"
} else := {"text": "", "path": []} if {
	_hidden(server)
}

_hidden(server) if environment.hidden(server.c) != []

_hidden(server) if {
	some [word, _] in server.words
	startswith(word, "--flagfile")
}

_bytes(text) := round(to_number(groups[1]) * _units[lower(groups[2])]) if {
	groups := regex.find_all_string_submatch_n(`^([0-9]{1,15}(?:\.[0-9]{1,6})?)([kKmMgGtT]?)(?:i?[bB]?)$`, text, 1)[0]
}

_units := {"": 1, "k": 1024, "m": 1048576, "g": 1073741824, "t": 1099511627776}

# _threads are {least, most, words, severity}: a quota of 1500m is one thread under cgroup v1, and two under v2.
_threads(server) := {"least": count_of, "most": count_of, "words": _plural(count_of, "--proactor_threads")} if {
	said := _said(server, "proactor_threads")
	regex.match(`^[1-9][0-9]{0,3}$`, said.text)
	count_of := to_number(said.text)
} else := {
	"least": max([1, floor(server.c.cpu_limit / 1000)]),
	"most": most,
	"words": _plural(most, "limits.cpu"),
	"severity": "warning",
} if {
	server.c.cpu_limit > 0
	not _said(server, "proactor_threads")
	most := ceil(server.c.cpu_limit / 1000)
} else := {
	"least": 1,
	"most": nodes.cores_or(64),
	"words": "a thread for each core of the node",
	"severity": {true: "warning", false: "info"}[config.settings.nodes.cores > 0],
} if {
	server.c.cpu_limit == 0
	not _said(server, "proactor_threads")
}

_plural(1, source) := sprintf("1 thread (%s)", [source])

_plural(n, source) := sprintf("%v threads (%s)", [n, source]) if n > 1
