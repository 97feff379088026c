package headroom.runtime.jvm

# not_read lists flags that have no effect: {path, text}.
not_read(j) := array.concat(_unexpanded(j), array.concat(_after_program(j), _passed_over(j)))

# Variables that the command in the manifest does not expand.
_unexpanded(j) := [{"path": found.path, "text": text} |
	j.command.given
	j.command.java
	some name, found in j.variables
	not ranks[name]
	found.state == "literal"
	_holds_flags(found.value)
	not _mentioned(j, name)
	text := sprintf("%s holds JVM flags, but no JVM reads it and the command does not expand it: %s.", [
		name,
		"they have no effect",
	])
]

_holds_flags(text) if {
	some option, _ in options_of_text(text)
	regex.match(`^-(?:X|D|ea|da|javaagent:|agent|verbose|server|-add|-enable)`, option)
}

_mentioned(j, name) if {
	some text in array.concat(_strings(object.get(j.c.raw, "command", [])), _strings(object.get(j.c.raw, "args", [])))
	contains(text, name)
}

# java hands whatever follows the class or jar to the program.
_after_program(j) := [{"path": j.command.path, "text": text} |
	late := [word | some word in j.command.rest; regex.match(`^-X(?:X:[+A-Za-z-]|m[sx][0-9]|ss[0-9])`, word)]
	count(late) > 0
	text := sprintf("%s after the class or jar: java hands it to the program, and the JVM does not see it.", [
		regex.replace(substring(late[0], 0, 80), `[\p{C}\p{Zl}\p{Zp}]`, "?"),
	])
]

_passed_over(j) := [{"path": passed.path, "text": sprintf("%s: %s.", [passed.name, passed.why])} |
	j.version == 8
	some passed in passed_over(j.variables)
]
