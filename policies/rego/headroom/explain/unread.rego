package headroom.explain

import data.headroom.runtime.jvm
import data.headroom.workload

# _unread are flags in variables that reach no JVM: start scripts' variables beside a command
# that does not expand them, and what Java 8 passes over.
_unread(j) := array.slice(
	[{
		"name": _flag_name(option),
		"text": jvm.shown({"text": word}, option, values[0]),
		"source": _place(j, name, found.path),
		"path": array.concat(workload.path_prefix, found.path),
		"wins": false,
		"note": why,
	} |
		some name, found in j.variables
		found.state == "literal"
		[why, from] := _why_unread(j, name)
		some i, raw in array.slice(jvm.words(found.value), 0, 3000)
		i >= from
		word := jvm.unquoted(raw)
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
