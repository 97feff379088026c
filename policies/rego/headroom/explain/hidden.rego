package headroom.explain

import data.headroom.words
import data.headroom.workload

# _hidden are the variables, and parts of the command line, that nobody here can read.
_hidden(j) := [{
	"name": "",
	"text": "",
	"source": u.what,
	"path": array.concat(workload.path_prefix, u.path),
	"wins": false,
	"note": u.why,
} |
	some u in j.unknown
	u.unreadable
]

# _place names a source and, where a ConfigMap fills it in, which.
_place(j, name, path) := sprintf("%s, ConfigMap %s", [name, _in_namespace(map)]) if {
	last := count(path) - 1
	path[last - 1] == "env"
	map := j.c.raw.env[path[last]].valueFrom.configMapKeyRef.name
} else := sprintf("%s, ConfigMap %s", [name, _in_namespace(map)]) if {
	last := count(path) - 1
	path[last - 1] == "envFrom"
	map := j.c.raw.envFrom[path[last]].configMapRef.name
} else := name

_in_namespace(name) := concat("/", [part |
	some part in [workload.namespace, words.shown(sprintf("%v", [name]))]
	part != ""
])

# System properties, and all other options, are counted only.
properties_hidden(j) := count([1 |
	some s in j.sources
	some option, values in s.options
	startswith(option, "-D")
	some _ in values
])

options_hidden(j) := count([1 |
	some s in j.sources
	some option, values in s.options
	regex.match(`^-[^DX]`, option)
	some _ in values
])
