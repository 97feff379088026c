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
	not _ignored(d, name)
	source := {
		"name": name,
		"rank": rank,
		"path": variable_of.path,
		"options": _first_options(d, variable_of.value),
		"assumed": false,
		"text": variable_of.value,
	}
]

# Java 8 knows no JDK_JAVA_OPTIONS, passes over a variable of 1,024 bytes or more without a
# word, and reads 64 options of a shorter one (measured on 8u504).
_ignored(d, name) if {
	d.facts.version.feature == 8
	some passed in passed_over(d.variables)
	passed.name == name
	passed.all
}

_first_options(d, text) := options_of_words(array.slice([unquoted(word) | some word in words(text)], 0, 64)) if {
	d.facts.version.feature == 8
} else := options_of_text(text)

# passed_over are the variables that Java 8 does not read, or not to their end: {name, path,
# why, all}.
passed_over(variables) := [{"name": name, "path": found.path, "why": row.why, "all": row.all} |
	some name, found in variables
	ranks[name]
	found.state == "literal"
	some row in _passed(name, found.value)
]

_passed("JDK_JAVA_OPTIONS", _) := [{"why": "Java 8 does not know this variable", "all": true}]

_passed(name, value) := [{"why": "Java 8 reads nothing of a value of 1,024 bytes or more", "all": true}] if {
	name != "JDK_JAVA_OPTIONS"
	count(value) > 1023
} else := [{"why": "Java 8 reads the first 64 options only", "all": false}] if {
	name != "JDK_JAVA_OPTIONS"
	count(words(value)) > 64
} else := [] if {
	name != "JDK_JAVA_OPTIONS"
}

_assumed(d) := [] if {
	d.command.given
	d.command.java
} else := [source |
	some name in d.carried
	not ranks[name]
	variable_of := d.variables[name]
	variable_of.state == "literal"
	text := _flags_in(name, variable_of.value)
	source := {
		"name": name,
		"rank": command_rank,
		"path": variable_of.path,
		"options": options_of_text(text),
		"assumed": true,
		"text": text,
	}
]

_flags_in(name, value) := value if not sizes[name]

_flags_in(name, value) := sprintf(sizes[name], [value, value]) if {
	regex.match(`^[0-9]+[kKmMgG]?$`, value)
} else := "" if {
	sizes[name]
}

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

# effective are the flags without those that +IgnoreUnrecognizedVMOptions makes the declared
# release pass over: what it does not know and, on 8, what it cannot read.
effective(flags, version) := flags if {
	not on(flags, "IgnoreUnrecognizedVMOptions")
} else := {name: flag |
	some name, flag in flags
	not _hidden(name, flag, version)
}

_hidden(name, _, version) if {
	not steady[concat("", ["-XX:", name])]
	some i, release in measured
	release == version
	substring(_code(name), i + 2, 1) == "-"
}

_hidden(name, flag, 8) if {
	option := concat("", ["-XX:", name])
	not _strict[option]
	_fault(steady[option], flag.value).refusing[8]
	not regex.match(_patterns[steady[option]], flag.value)
}
