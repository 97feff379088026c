package headroom.runtime.jvm

# sources_of lists the texts that a JVM takes its flags from, the stronger the later:
#   {name, rank, path, options, assumed, text}
# assumed marks a variable that only a start script can put on the command line.
sources_of(d) := array.concat(
	array.concat(_from_variables(d, [1, 2]), _assumed(d)),
	array.concat(_from_command(d), _from_variables(d, [4])),
)

_from_variables(d, wanted) := [source |
	some rank in wanted
	some name in d.carried
	ranks[name] == rank
	variable_of := d.variables[name]
	variable_of.state == "literal"
	not _ignored(d, name, variable_of.value)
	source := {
		"name": name,
		"rank": rank,
		"path": variable_of.path,
		"options": options_of_text(variable_of.value),
		"assumed": false,
		"text": variable_of.value,
	}
]

# Java 8 knows no JDK_JAVA_OPTIONS, and passes over a JAVA_TOOL_OPTIONS of 1,024 bytes or
# more without a word (measured on 8u504).
_ignored(d, "JDK_JAVA_OPTIONS", _) if d.facts.version.feature == 8

_ignored(d, "JAVA_TOOL_OPTIONS", text) if {
	d.facts.version.feature == 8
	count(text) > 1023
}

_assumed(d) := [] if {
	d.command.given
	d.command.java
} else := [source |
	some name in d.carried
	not ranks[name]
	variable_of := d.variables[name]
	variable_of.state == "literal"
	source := {
		"name": name,
		"rank": command_rank,
		"path": variable_of.path,
		"options": options_of_text(variable_of.value),
		"assumed": true,
		"text": variable_of.value,
	}
]

_from_command(d) := [{
	"name": "command line",
	"rank": command_rank,
	"path": d.command.path,
	"options": options_of_words(d.command.words),
	"assumed": false,
	"text": concat(" ", d.command.words),
}] if {
	d.command.java
} else := [{
	"name": "args",
	"rank": command_rank,
	"path": array.concat(d.c.path, ["args"]),
	"options": options_of_words(words_of),
	"assumed": true,
	"text": concat(" ", words_of),
}] if {
	_java_arguments(d.c)
	arguments := _arguments(d.c, _strings(d.c.raw.args))
	own := regex.find_n(_own_arguments, concat(separator, arguments), 1)[0]
	words_of := split(trim_prefix(own, separator), separator)
} else := []

# flags are the values that win: {name: {value, source, path}}. Of two values in one source
# the last wins, of two sources the later.
flags_of(sources) := object.union_n([flags |
	some s in sources
	flags := {name: {"value": values[count(values) - 1], "source": s.name, "path": s.path} |
		some option, values in s.options
		startswith(option, "-XX:")
		name := substring(option, 4, -1)
	}
])
