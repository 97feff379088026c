package headroom.explain

import data.headroom.process
import data.headroom.runtime.jvm
import data.headroom.words
import data.headroom.workload

# flags are the settings of -X and -XX flags, {name, text, source, path, wins, note}. They are those
# that the JVM applies, in its order, then those that no JVM reads, and last, without text, the
# places that cannot be read. Other options may hold secrets.
flags(j) := array.concat(array.concat(_applied(j), _unread(j)), array.concat(_behind(j), _hidden(j)))

_applied(j) := [{
	"name": _flag_name(e.option),
	"text": jvm.shown(e.s, e.option, e.value),
	"source": _place(j, e.s.name, e.s.path),
	"path": workload.located(e.s.path),
	"wins": note.wins,
	"note": note.text,
} |
	all := settings(j)
	some i, e in all
	note := _note(j, all, i)
]

# settings are {s (the source), option, value} in the order in which they are applied. The list is cut
# after some hundred, which people do not write.
settings(j) := array.slice(
	[{"s": s, "option": option, "value": values[0]} |
		some s in j.sources
		some word in _flag_words(j, s)
		some option, values in jvm.options_of_words([word])
		values[0] in s.options[option]
	],
	0, most_flags,
)

most_flags := 300

most_words := 3000

_flag_words(j, s) := [word |
	some word in array.slice(_words_of(j, s), 0, _words_read(j, s.name))
	startswith(word, "-X")
]

_words_of(j, s) := j.command.words if {
	s.name == "command line"
} else := [process.unquoted(word) | some word in process.words(s.text)]

_words_read(j, name) := jvm.java_8_options if {
	j.version == 8
	jvm.ranks[name]
} else := most_words

# -XX:MaxHeapSize and -Xmx are one; -Xlog:gc* is Xlog.
_flag_name(option) := trim_prefix(jvm.told_option(option), "-XX:") if {
	startswith(option, "-XX:")
} else := regex.find_n(`^X[A-Za-z]*`, substring(jvm.told_option(option), 1, -1), 1)[0]

# _behind are flags that stand behind the class or jar.
_behind(j) := array.slice(
	[{
		"name": _flag_name(option),
		"text": jvm.shown({"text": word}, option, values[0]),
		"source": "command line",
		"path": workload.located(j.command.path),
		"wins": false,
		"note": "it stands behind the class or jar: java hands it to the program",
	} |
		some word in array.slice(object.get(j.command, "rest", []), 0, most_words)
		regex.match(`^-X(?:X:[+A-Za-z-]|m[sx][0-9]|ss[0-9])`, word)
		some option, values in jvm.options_of_words([word])
	],
	0, most_flags,
)

# _unread are flags in variables that reach no JVM: start scripts' variables beside a command
# that does not expand them, and what Java 8 passes over.
_unread(j) := array.slice(
	[{
		"name": _flag_name(option),
		"text": jvm.shown({"text": word}, option, values[0]),
		"source": _place(j, name, found.path),
		"path": workload.located(found.path),
		"wins": false,
		"note": why,
	} |
		some name, found in j.variables
		found.state == "literal"
		[why, from] := _why_unread(j, name)
		some i, raw in array.slice(process.words(found.value), 0, most_words)
		i >= from
		word := process.unquoted(raw)
		startswith(word, "-X")
		some option, values in jvm.options_of_words([word])
	],
	0, most_flags,
)

# [why, the word from which on]
_why_unread(j, name) := [text, 0] if {
	not jvm.ranks[name]
	j.command.java
	j.command.given
	not _expanded(j, name)
	text := sprintf("no JVM reads %s, and the command does not expand it", [name])
} else := [passed.why, _from(passed)] if {
	j.version == 8
	passed := [p | some p in jvm.passed_over(j.variables); p.name == name][0]
}

_from(passed) := 0 if passed.all

_from(passed) := jvm.java_8_options if not passed.all

_expanded(j, name) if {
	some field in ["command", "args"]
	some text in j.c.raw[field]
	is_string(text)
	contains(text, name)
}

# _hidden are the variables, and parts of the command line, that cannot be read.
_hidden(j) := [{
	"name": "",
	"text": "",
	"source": u.what,
	"path": workload.located(u.path),
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
	map := j.c.raw.envFrom[path[count(path) - 1]].configMapRef.name
} else := name

_in_namespace(name) := concat("/", [part |
	some part in [workload.namespace, words.shown(sprintf("%v", [name]))]
	part != ""
])

# System properties, and all other options, are counted only.
properties_hidden(j) := count([true |
	some s in j.sources
	some option, values in s.options
	startswith(option, "-D")
	some _ in values
])

options_hidden(j) := count([true |
	some s in j.sources
	some option, values in s.options
	regex.match(`^-[^DX]`, option)
	some _ in values
])
