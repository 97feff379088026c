package headroom.runtime.postgresql

import data.headroom.ceiling
import data.headroom.serving

# A quarter of the memory is the manual's first value for shared_buffers (R60).
_share := 0.25

# ceilings are shared buffers, and what sorts of all connections may take, of whichever is stated. That all of them sort
# at once is possible, and no more: how many do was not measured, so that no limit is named for it.
ceilings := [{
	"c": server.c,
	"sure": true,
	"path": path,
	"terms": array.concat([_shared_term(shared) | some shared in buffers], sorts),
	"before": {0: "PostgreSQL spills a sort to disk", 1: "PostgreSQL reuses a buffer"}[count(buffers)],
	"expected": _expected(server.c.memory_limit, bytes, sorts),
	"possible": bytes < server.c.memory_limit,
} |
	some server in serving.servers("postgresql")
	buffers := [shared | shared := _size(server, "shared_buffers", 8192)]
	bytes := sum([shared.bytes | some shared in buffers])
	sorts := _sorts(server)
	path := array.concat([shared.path | some shared in buffers], [term.path | some term in sorts])[0]
]

_expected(limit, bytes, []) := sprintf("shared_buffers of at most %vMB (%s), or limits.memory of %s", [
	ceiling.room(limit, _share, 0),
	"25 % of limits.memory",
	ceiling.limit_for(bytes, _share),
])

# What all connections sort with has to fit beside the buffers.
_expected(limit, _, [_]) := sprintf("%vMB at most of %s: %s", [
	ceiling.room(limit, _together, 0),
	"shared_buffers and what sorts at once (90 % of limits.memory)",
	"fewer connections, as behind a pooler, or a smaller work_mem",
])

_together := 0.9

_shared_term(shared) := {
	"text": sprintf("shared_buffers %v MiB", [ceiling.mib(shared.bytes)]),
	"bytes": shared.bytes,
	"sure": true,
}

_sorts(server) := [{
	"text": sprintf("%v connections × work_mem %v MiB", [connections, round(work.bytes / 104857.6) / 10]),
	"path": work.path,
	"product": true,
	"bytes": connections * work.bytes,
	"sure": false,
}] if {
	work := _size(server, "work_mem", 1024)
	text := _setting(server, "max_connections").text
	regex.match(`^[1-9][0-9]{0,6}$`, text)
	connections := to_number(text)
} else := []

# _size is a setting in bytes: {bytes, path}. A bare number counts in the setting's own unit; PostgreSQL's kB, MB and GB
# are powers of 1024, and it knows no other way to write them.
_size(server, name, unit) := {"bytes": bytes, "path": found.path} if {
	found := _setting(server, name)
	groups := regex.find_all_string_submatch_n(`^'?([0-9]{1,12}) ?(B|kB|MB|GB|TB)?'?$`, found.text, 1)[0]
	bytes := to_number(groups[1]) * object.get(_units, groups[2], unit)
}

_units := {"B": 1, "kB": 1024, "MB": 1048576, "GB": 1073741824, "TB": 1099511627776}

# Of -c name=value and --name=value the last counts, and both win over the file.
_setting(server, name) := found[count(found) - 1] if {
	found := [{"text": text, "path": path} |
		some i, [word, path] in server.words
		some text in _told(server.words, i, word, name)
	]
	count(found) > 0
} else := {"text": groups[1], "path": array.concat(server.c.path, ["volumeMounts"])} if {
	text := serving.file(server.c, _setting_file(server))
	line := sprintf(`(?m)^\s*%s\s*(?:=|\s)\s*('[^']*'|[^\s#]+)`, [name])
	lines := regex.find_all_string_submatch_n(line, text, -1)
	groups := lines[count(lines) - 1]
}

_told(words, i, word, name) := [_value(words[i + 1][0], name)] if {
	word == "-c"
} else := [words[i + 1][0]] if {
	word == "-B"
	name == "shared_buffers"
} else := [_value(substring(word, 2, -1), name)] if {
	regex.match(`^(?:-c|--)[a-z]`, word)
} else := []

_value(text, name) := substring(text, count(name) + 1, -1) if {
	startswith(replace(text, "-", "_"), concat("", [name, "="]))
}

_setting_file(server) := [_value(words[i + 1][0], "config_file") |
	words := server.words
	some i, [word, _] in words
	word == "-c"
][0]
