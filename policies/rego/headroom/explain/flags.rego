package headroom.explain

import data.headroom.runtime.jvm
import data.headroom.workload

# flags are the settings of -X and -XX flags, {name, text, source, path, wins, note}: those that
# the JVM applies, in its order, then those that no JVM reads, and last,
# with no text, the places that nobody here can read. Other options may hold secrets.
flags(j) := array.concat(array.concat(_applied(j), _unread(j)), array.concat(_behind(j), _hidden(j)))

_applied(j) := [{
	"name": _flag_name(e.option),
	"text": jvm.shown(e.s, e.option, e.value),
	"source": _place(j, e.s.name, e.s.path),
	"path": array.concat(workload.path_prefix, e.s.path),
	"wins": note.wins,
	"note": note.text,
} |
	all := settings(j)
	some i, e in all
	note := _note(j, all, i)
]

# settings are {s (the source), option, value} in the order in which they are applied. Nobody
# writes hundreds; what is more than that is not shown.
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

_flag_words(j, s) := [word |
	some word in array.slice(_words_of(j, s), 0, _words_read(j, s.name))
	startswith(word, "-X")
]

_words_of(j, s) := j.command.words if {
	s.name == "command line"
} else := [jvm.unquoted(word) | some word in jvm.words(s.text)]

_words_read(j, name) := jvm.java_8_options if {
	j.version == 8
	jvm.ranks[name]
} else := 3000

# -XX:MaxHeapSize and -Xmx are one; -Xlog:gc* is Xlog.
_flag_name(option) := substring(option, 4, -1) if {
	startswith(option, "-XX:")
} else := regex.find_n(`^X[A-Za-z]+`, substring(option, 1, -1), 1)[0]
