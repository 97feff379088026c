package headroom.runtime.jvm

import data.headroom.process

# sources_of lists the texts that a JVM takes its flags from, the stronger the later:
#   {name, rank, path, options, assumed, text}
# assumed marks what only a start script can put on the command line.
sources_of(c, command, script, variables, feature) := [source |
	names := {[object.get(ranks, name, command_rank), name] | some name, _ in variables}
	some [rank, name] in sort(names | _command_names(c, command))
	source := _source(c, command, variables, feature, rank, name)
] if {
	script == {}
} else := array.concat(
	_read_by_java(_left(variables, script), feature, {1, 2}),
	array.concat(_of_script(script), _read_by_java(_left(variables, script), feature, {4})),
)

# Some scripts unset what java would read.
_left(variables, script) := object.remove(variables, object.get(script.image.record, "unsets", []))

_read_by_java(variables, feature, places) := [source |
	some [rank, name] in sort({[rank, name] | some name, rank in ranks; variables[name]; rank in places})
	source := _source({}, {}, variables, feature, rank, name)
]

# What a known start script puts on the command line, in its order.
_of_script(script) := [{
	"name": part.name,
	"rank": command_rank,
	"path": part.path,
	"options": options_of_command(part.text),
	"assumed": script.starts != "script",
	"image": object.get(part, "image", false),
	"text": part.text,
} |
	some part in script.parts
	part.text != ""
	not ranks[part.name] # java reads it by itself
]

# Lower case sorts behind the names of variables: the command line overrides what a script
# puts in front of it.
_command_names(c, command) := {[command_rank, "command line"]} if {
	command.java
} else := {[command_rank, "args"]} if {
	_java_arguments(c)
} else := set()

_source(_, command, _, _, rank, "command line") := {
	"name": "command line",
	"rank": rank,
	"path": command.path,
	"options": options_of_arguments(command.words),
	"words": command.words,
	"files": command.files,
	"assumed": false,
	"text": concat(" ", command.words),
}

_source(c, _, _, _, rank, "args") := {
	"name": "args",
	"rank": rank,
	"path": array.concat(c.path, ["args"]),
	"options": options_of_arguments(list),
	"words": list,
	"assumed": true,
	"text": concat(" ", list),
} if {
	text := process.expand(c, concat(process.separator, array.concat([""], process.strings_of(c.raw.args))))
	own := regex.find_n(_own_arguments, text, 1)[0]
	list := split(trim_prefix(own, process.separator), process.separator)
}

_source(_, _, variables, feature, rank, name) := {
	"name": name,
	"rank": rank,
	"path": found.path,
	"options": _options_on(feature, name, found.value),
	"assumed": false,
	"text": found.value,
} if {
	ranks[name]
	found := variables[name]
	found.state == "literal"
	not _ignored(feature, name, found.value)
}

# A command in the manifest shows what it expands, so a script is only assumed behind an
# entrypoint that is not.
_source(_, command, variables, _, rank, name) := {
	"name": name,
	"rank": rank,
	"path": found.path,
	"options": options_of_command(text),
	"assumed": true,
	"text": text,
} if {
	not ranks[name]
	found := variables[name]
	found.state == "literal"
	not _shown(command)
	text := _flags_in(name, found.value)
}

_shown(command) if {
	command.given
	command.java
}

_flags_in(name, value) := value if {
	not sizes[name]
} else := sprintf(sizes[name], [value, value]) if {
	regex.match(_bare_size, value)
} else := ""

_bare_size := `^[0-9]+[kKmMgG]?$`

# flags_of are the values that win: {name: {value, source, path}}. Of two values in one source
# the last wins, of two sources the later.
flags_of(sources) := object.union_n([flags |
	some s in sources
	flags := {name: {"value": values[count(values) - 1], "source": s.name, "path": s.path} |
		some option, values in s.options
		startswith(option, "-XX:")
		name := substring(option, 4, -1)
	}
])

# not_read lists flags that have no effect: {path, text}.
not_read(j) := array.concat(
	array.concat(_unexpanded(j), _no_shell(j)),
	array.concat(_unread_by_image(j), array.concat(array.concat(_after_program(j), _after_script(j)), _passed_over(j))),
)

# Variables that the image's start script, which somebody has read, does not look at.
_unread_by_image(j) := [{"path": found.path, "text": text, "place": _place_instead(j, found.value)} |
	j.script.starts == "script"
	some name in j.script.image.record.ignores
	found := process.variable(j.c, name)
	found.state == "literal"
	text := sprintf("%s %s, but %s does not read it: no effect.", [
		name,
		_held(name, found.value),
		_reader(j.script.image),
	])
]

_reader(image) := image.name if image.title == image.name

_reader(image) := concat(" ", ["the start script of", image.title]) if image.title != image.name

_place_instead(j, value) := heap_variable(j) if {
	regex.match(`-Xm[sx]|RAMPercentage|HeapSize`, value)
} else := flag_place(j)

_held(_, value) := "holds JVM flags" if _holds_flags(value)

_held(name, value) := "sets a size" if {
	regex.match(`HEAP|MEM`, name)
	regex.match(_size_or_number, value)
}

# A reference in a command that nothing expands, where java takes it as it stands. As the main class it stops the JVM,
# unless a program before java may expand it.
_no_shell(j) := [{"path": j.command.path, "text": text} |
	j.command.java
	words := array.concat(j.command.words, [word | j.command.through; some word in array.slice(j.command.rest, 0, 1)])
	some [reference, reason] in array.slice([found | some word in words; some found in unexpanded_class(j, word)], 0, 1)
	text := sprintf("%s in the command: %s.", [reference, reason])
]

# unexpanded_class are [reference, why nothing expands it], where a word is one.
unexpanded_class(j, word) := [[told_reference(reference), reason] |
	not j.command.script
	some reference in regex.find_n(`^\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][^}]*\}|\([A-Za-z_][^)]*\))`, word, 1)
	kind := substring(reference, 1, 1) == "("
	reason := concat("", [_why_not_expanded[kind], _expanded_by_shell[kind]])
] if {
	not j.command.script
} else := [[told_reference(reference), reason] |
	# '$JAVA_OPTS' in a script.
	some reference in regex.find_n(`^\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][^}]*\})`, word, 1)
	reason := concat("", [
		"single quotes or a backslash keep the shell from expanding it, and java takes these letters as they are;",
		" write it in double quotes where it is one flag, else in none",
	])
]

_why_not_expanded := {
	false: "no shell expands it, and java takes these letters as they are",
	true: "no variable of that name is set before it, and java takes these letters as they are",
}

_expanded_by_shell := {
	false: `; write command: ["sh", "-c", "exec java $JAVA_OPTS -jar app.jar"], or put the flags into JAVA_TOOL_OPTIONS`,
	true: "",
}

# Variables that the command in the manifest does not expand.
_unexpanded(j) := [{"path": found.path, "text": text} |
	j.command.given
	j.command.java
	some name, found in j.variables
	not ranks[name]
	found.state == "literal"
	_holds_flags(found.value)
	not _mentioned(j, name)
	not regex.match(_reads_any, object.get(j.command, "script", ""))
	text := sprintf("%s holds JVM flags, but no JVM reads it and the command does not expand it: %s.", [
		name,
		"they have no effect",
	])
]

# In a script these may read any variable.
_reads_any := `\$\{!|\b(?:eval|source|compgen|printenv|declare)\b|\benv\s*[|)]|(?:^|[\s;&|(])\.\s`

_holds_flags(text) if {
	some option, _ in options_of_text(text)
	regex.match(`^-(?:X|D|ea|da|javaagent:|agent|verbose|server|-add|-enable)`, option)
}

_mentioned(j, name) if {
	some text in array.concat(process.strings_of(object.get(j.c.raw, "command", [])), process.args(j.c))
	contains(text, name)
}

# java hands whatever follows the class or jar to the program.
_after_program(j) := [{"path": j.command.path, "text": text, "wanted": "the flags before the class or -jar"} |
	late := [word | some word in j.command.rest; regex.match(_surely_for_java, word)]
	count(late) > 0
	text := sprintf("%s after the class or jar: java hands it to the program, and the JVM does not see it.", [
		told_option(late[0]),
	])
]

# sh -c takes what follows its script for $0, $1 and so on.
_after_script(j) := [{"path": j.command.path, "text": text, "wanted": _one_argument} |
	j.command.java
	late := [word | some word in object.get(j.command, "behind_script", []); regex.match(_surely_for_java, word)]
	count(late) > 0
	not regex.match(`\$[{!]?[@*0-9]|\bshift\b`, j.command.script)
	text := sprintf("%s behind the script: the shell takes it for an argument of its own, and java does not see it.", [
		told_option(late[0]),
	])
]

_one_argument := "the whole command as one argument of sh -c"

_surely_for_java := `^-X(?:X:[+A-Za-z-]|m[sx][0-9]|ss[0-9])`

_passed_over(j) := [object.union(passed, {"text": sprintf("%s: %s.", [passed.name, passed.why])}) |
	j.version == 8
	some passed in passed_over(j.variables)
]
