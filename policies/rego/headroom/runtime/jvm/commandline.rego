package headroom.runtime.jvm

import data.headroom.images

# command_of is what a container's command and args show of a JVM:
#   {java: true, given, words, rest, path, hides: [{what, why, path}], certain, others, …}
# words are the JVM's own arguments, rest what comes after the class or jar; given says that no image's
# entrypoint can be in play; certain is false where a branch of a script decides whether it runs; others are
# the JVMs that the same command starts before this one or beside it. It is {java: false, given} where no
# java is visible.
command_of(c) := {"java": false, "given": _given(c)} if {
	not _may_name_java(c)
} else := object.union(found[at], {
	"given": _direct_of(c, found[at]),
	"others": [object.union(other, {"given": _direct_of(c, other), "others": []}) | some i, other in found; i != at],
}) if {
	found := _javas(c)
	at := _server(found)
} else := {"java": false, "given": _given(c)}

_may_name_java(c) if {
	text := concat(separator, array.concat([""], _words_of(c)))
	regex.match(_names_java, text)
	count(text) < max_command
}

default _direct_of(_, _) := false

_direct_of(c, call) if {
	_given(c)
	not call.through
}

_strings(list) := [word | some word in list; is_string(word)]

default _given(_) := false

_given(c) if count(_command_words(c)) > 0

# starts_itself says that no command of the manifest takes the place of the image's own entrypoint, known or not.
starts_itself(c) if not c.raw.command[0]

starts_itself(c) if c.raw.inside.command > 0

# Longer than any command that people write; the kernel's own limit is 128 KiB for one argument.
max_command := 131072

# java -version only looks, where another java follows.
_javas(c) := found if {
	found := [java | some java in _all_javas(c); count({word | some word in java.words} & _only_looks) == 0]
	count(found) > 0
} else := _all_javas(c)

_only_looks := {"-version", "--version", "-fullversion", "--list-modules", "-help", "--help"}

_all_javas(c) := [object.union(object.remove(call, ["line", "arguments"]), {
	"java": true,
	"words": split(trim_prefix(own, separator), separator),
	"rest": array.slice(split(trim_prefix(call.arguments, own), separator), 1, max_command),
	"path": array.concat(c.path, [_field(c)]),
}) |
	some call in calls_of(c)
	call.kind == "java"
	own := regex.find_n(_own_arguments, call.arguments, 1)[0]
]

# The last that surely runs, and that others do not wait behind, is the server.
_server(found) := max({i | some i, call in found; call.certain; not call.beside}) if {
	some call in found
	call.certain
	not call.beside
} else := count(found) - 1 if {
	count(found) > 0
}

# calls_of are the programs that a container's command and args come to run, behind wrappers and through
# shells: {kind: "java", "shell" or "other", certain, beside, hides, …}. Shells are opened three deep.
calls_of(c) := [_as_read(call) |
	some call in _shells_opened(c, _shells_opened(c, _shells_opened(c, [_unwrapped(_line(c))])))
]

_line(c) := {
	"c": c,
	"line": expand(c, concat(separator, array.concat([""], _words_of(c)))),
	"set": {},
	"emptied": false,
	"changed": false,
	"certain": true,
	"beside": false,
	"through": false,
	"hides": [],
}

_as_read(call) := call if call.kind != "shell"

_as_read(shell) := _hardly_seen(shell, "shells stand in each other deeper than is read") if {
	shell.kind == "shell"
	regex.match(_name_in_a_script, shell.script)
} else := object.union(shell, {"kind": "other"}) if {
	shell.kind == "shell"
}

_shells_opened(c, calls) := [opened |
	some call in calls
	some opened in _open(c, call)
]

_open(_, call) := [call] if call.kind != "shell"

_open(_, shell) := [call |
	call := _hardly_seen(shell, "its script is too long to be read")
	regex.match(_name_in_a_script, shell.script)
] if {
	shell.kind == "shell"
	not readable_script(shell, steps(shell.script))
}

_open(c, shell) := [_unwrapped(object.union(shell, {
	"line": concat("", [concat("", [separator, field]) |
		some word in step.words
		some field in fields(table, word, step.at)
	]),
	"set": object.union(object.union(shell.set, exports(handed, step.at)), _own_settings(table, step)),
	"certain": _both(shell.certain, step.certain),
	"beside": _either(shell.beside, step.beside),
	"hides": array.concat(shell.hides, [{
		"what": "the script before java",
		"why": "it runs other files that may set variables",
		"path": array.concat(c.path, [_field(c)]),
		"unreadable": false,
	} |
		step.at >= sourced
	]),
})) |
	table := shell_table(shell, all)
	handed := handed_on(shell, table, all)
	sourced := min({count(shell.script)} | {step.at |
		some step in all
		_name_of_step(table, step) in {".", "source", "eval"}
	})
	some step in all
	count(step.words) > 0
] if {
	shell.kind == "shell"
	all := steps(shell.script)
	readable_script(shell, all)
}

# command and builtin stand before a name.
_name_of_step(table, step) := [name |
	some word in array.slice(step.words, 0, 2)
	some name in fields(table, word, step.at)
	not name in {"command", "builtin"}
][0]

default _both(_, _) := false

_both(true, true) := true

default _either(_, _) := true

_either(false, false) := false

# NAME=value in front of a command is for it alone; of several the last counts.
_own_settings(table, step) := object.union_n([{name: value} |
	some word in step.assigns
	at := indexof(word, "=")
	name := trim_suffix(substring(word, 0, at), "+")
	text := concat("", [before_appended(step, word), marked(table, substring(word, at + 1, -1), step.at)])
	value := resolved(table, text)
])

# _unwrapped tells what a line runs behind its wrappers, and what they do to the environment.
_unwrapped(call) := object.union(call, {"kind": "java", "arguments": substring(call.line, 5, -1)}) if {
	startswith(call.line, "\u0001java\u0001")
} else := object.union(_behind(call, groups[1]), {"kind": "java", "arguments": _appended(groups)}) if {
	[groups] := regex.find_all_string_submatch_n(_java, _split_up(call.line), 1)
} else := object.union(_shell_state(_behind(call, groups[1]), groups[2]), {
	"kind": "shell",
	"script": groups[3],
	"name": words[0],
	"arguments": array.slice(words, 1, count(words)),
	"behind_script": words,
}) if {
	[groups] := regex.find_all_string_submatch_n(_shell_call, _split_up(call.line), 1)
	words := array.concat(split(trim_prefix(groups[4], separator), separator), [])
} else := object.union(_behind(call, groups[1]), {
	"kind": "java",
	"arguments": replace(groups[2], "\u0001-J", separator),
}) if {
	# The tools of a JDK hand -J… to their JVM.
	[groups] := regex.find_all_string_submatch_n(_tool, call.line, 1)
} else := object.union(call, {
	"kind": "shell",
	"script": replace(trim_prefix(call.line, "\u0001eval\u0001"), separator, " "),
	"name": "",
	"arguments": [],
}) if {
	startswith(call.line, "\u0001eval\u0001")
} else := object.union(call, {
	"kind": "java",
	"arguments": concat("", [groups[2], groups[3]]),
	"through": true,
	"certain": _both(call.certain, groups[2] != ""),
}) if {
	# /entrypoint.sh java …: the program runs what follows it, and may add to it.
	[groups] := regex.find_all_string_submatch_n(_through, call.line, 1)
	words := split(groups[1], separator)
	not regex.find_n(_last_name, words[count(words) - 1], 1)[0] in _utilities
} else := object.union(_behind(call, groups[1]), {"kind": "java", "arguments": groups[2]}) if {
	# $JAVA -jar app.jar: nothing else has such options.
	[groups] := regex.find_all_string_submatch_n(_unnamed, call.line, 1)
} else := _hardly_seen(call, "a shell reads from its input what it runs") if {
	regex.match(_shell_without_script, call.line)
	regex.match(_name_in_a_script, call.script)
} else := object.union(call, {"kind": "other"})

# A java that nothing more can be said of.
_hardly_seen(call, why) := object.union(call, {
	"kind": "java",
	"arguments": concat("", [separator, unresolved]),
	"certain": false,
	"hides": array.concat(call.hides, [{
		"what": "the command",
		"why": why,
		"path": array.concat(call.c.path, [_field(call.c)]),
		"unreadable": false,
	}]),
})

_name_in_a_script := `(?:^|[\s;&|/("'])java["']?\s`

# env -S "java -jar app.jar" splits its operand, and fills in variables itself.
_split_up(line) := line if {
	not regex.match(_env_split, line)
} else := concat("", [groups[1], _emptying(groups[2]), separator, concat(separator, parts), groups[4]]) if {
	[groups] := regex.find_all_string_submatch_n(_env_split, line, 1)
	parts := [regex.replace(unquoted(word), `\$\{[A-Za-z_][A-Za-z0-9_]*\}`, unresolved) | some word in words(groups[3])]
}

_emptying(letters) := concat("", [separator, "-i"]) if contains(letters, "i")

_emptying(letters) := "" if not contains(letters, "i")

_env_split := concat("", [
	`(?s)^((?:.*\x01|\x01)(?:[^\x01]*/)?env)\x01`,
	`(?:-([iv0]*)S\x01?|--split-string[=\x01])([^\x01]*)(.*)$`,
])

# xargs adds arguments that nobody can see.
_appended(groups) := concat("", [groups[2], separator, unresolved]) if {
	regex.match(`\x01(?:[^\x01]*/)?xargs\x01`, concat("", [groups[1], separator]))
} else := groups[2]

# What wrappers do to the environment, in their order: set is what is known of it.
_behind(call, "") := call

_behind(call, chain) := object.union(call, {
	"set": object.union(kept, object.union_n([_set_by_words(one) | some i, one in all; i >= emptied])),
	"emptied": _either(call.emptied, emptied >= 0),
	"changed": _either(call.changed, count([one | some one in all; _does("changes", one)]) > 0),
	"hides": array.concat(call.hides, [{
		"what": _name_of(one),
		"why": "it may change the environment",
		"path": array.concat(call.c.path, [_field(call.c)]),
		"unreadable": false,
	} |
		some one in all
		_does("changes", one)
	]),
}) if {
	chain != ""
	all := regex.find_n(_one_wrapper, chain, -1)
	emptied := max({i | some i, one in all; _does("empties", one)} | {-1})
	kept := object.filter(call.set, [name | some name, _ in call.set; emptied < 0])
}

_name_of(one) := regex.find_n(_last_name, split(one, separator)[1], 1)[0]

_about(one) := wrappers[_name_of(one)]

_does(what, one) if {
	some word in split(one, separator)
	regex.match(concat("", ["^(?:", _about(one)[what], ")$"]), word)
}

_set_by_words(one) := object.union(
	{name: null |
		some groups in regex.find_all_string_submatch_n(`\x01(?:-u\x01?|--unset[=\x01])([^\x01]+)`, one, -1)
		_name_of(one) == "env"
		name := groups[1]
	},
	object.union_n([{name: value} |
		some word in split(one, separator)
		regex.match(`^[A-Za-z_][A-Za-z0-9_]*=`, word)
		_about(one).sets
		name := split(word, "=")[0]
		value := substring(word, count(name) + 1, -1)
	]),
)

# su - and sh -l read profiles.
_shell_state(shell, options) := object.union(shell, {
	"emptied": _either(shell.emptied, regex.match(`\x01su\x01(?:.*\x01)?(?:-|-l|--login)\x01`, options)),
	"hides": array.concat(shell.hides, [{
		"what": "the login shell",
		"why": "its profile may set or unset variables",
		"path": array.concat(shell.c.path, [_field(shell.c)]),
		"unreadable": false,
	}]),
}) if {
	regex.match(_reads_profile, options)
} else := shell

_reads_profile := `\x01(?:-|--login|--rcfile|--init-file|-[a-zA-Z]*[li][a-zA-Z]*)(?:\x01|$)`

# arrived is what a variable holds when that program starts, in the form of variable.
arrived(call, name) := {"state": "absent"} if {
	call.set[name] == null
} else := {"state": "literal", "value": value, "path": array.concat(call.c.path, [_field(call.c)])} if {
	value := call.set[name]
} else := {"state": "absent"} if {
	call.emptied
} else := object.union(object.remove(found, ["value"]), {"state": "unknown", "why": why}) if {
	found := variable(call.c, name)
	call.changed
	found.state == "literal"
	why := "what stands before java may take it away"
} else := variable(call.c, name)

# The call that a command comes to last, for what is not java itself: of the image's own script, where it calls that,
# also in a branch. Of a container without a command it is the image's own entrypoint.
last_call(c) := calls[count(calls) - 1] if {
	count(_words_of(c)) > 0
	of_image := _calls_of_image(c)
	calls := [list | some list in [_surely(of_image), of_image, _surely(calls_of(c))]; count(list) > 0][0]
} else := {"c": c, "set": {}, "emptied": false, "changed": false, "through": false, "hides": []}

_surely(calls) := [call | some call in calls; call.certain; not call.beside]

_calls_of_image(c) := [call |
	some call in calls_of(c)
	words := split(call.line, separator)
	some word in words
	some entry in object.get(images.found, [c.id, "record", "entrypoint"], [])
	_same_file(word, entry)
]

_name_of_java := `\x01(?:[^\x01]*/)?java`

_java := concat("", [`(?s)^(`, _wrapper, `)`, _name_of_java, `((?:\x01.*)?)$`])

_shell_name := `\x01(?:[^\x01]*/)?(?:ba|da|a|k|mk|z)?sh`

_shell_options := concat("", [
	`(?:\x01[-+]o\x01[^\x01]*|\x01(?:--rcfile|--init-file)\x01[^\x01]*|\x01--[a-z]+|\x01[-+][abd-zA-Z]+)*`,
	`\x01-[a-zA-Z]*c[a-zA-Z]*`,
])

_su := `\x01(?:[^\x01]*/)?(?:su|runuser)(?:\x01[^\x01]*)*?\x01(?:-c|--command)`

_shell_call := concat("", [
	`(?s)^(`, _wrapper, `)(`, _shell_name, _shell_options, `|`, _su, `)(?:\x01--)?\x01([^\x01]*)((?:\x01.*)?)$`,
])

_tool := concat("", [
	`(?s)^(`, _wrapper, `)\x01(?:[^\x01]*/)?`,
	`(?:jar|jarsigner|javac|javadoc|javap|jcmd|jdeps|jlink|jmap|jshell|jstack|jstat|jwebserver|keytool)`,
	`(\x01-J-X.*)$`,
])

_unnamed := concat("", [`(?s)^(`, _wrapper, `)\x01\x02(\x01-(?:[DX]|jar\x01|server\x01|javaagent).*)$`])

_shell_without_script := concat("", [`(?s)^`, _wrapper, _shell_name, `(?:\x01-[^\x01]*)*$`])

# /entrypoint.sh java …, and further behind where what follows can only be java's.
_through := concat("", [
	`(?s)^((?:`, _wrapper, `)\x01[^\x01-][^\x01]*)(?:`, _name_of_java, `(\x01.*)|(?:\x01[^\x01]*)+?`, _name_of_java,
	`(\x01-(?:[DX]|jar\x01|cp\x01|classpath\x01|-class-path|-module|server\x01|javaagent).*))$`,
])

# The JVM's own arguments end at the first that is neither an option nor an option's value.
_own_arguments := concat("", [
	`^(?:\x01(?:-(?:cp|classpath|p|-class-path|-module-path|-upgrade-module-path|-add-modules|-limit-modules|`,
	`-add-exports|-add-opens|-add-reads|-patch-module|-enable-native-access|-source)\x01[^\x01]*|[-@\x02][^\x01]*))*`,
])

default _field(_) := "command"

_field(c) := "args" if count(_strings(object.get(c.raw, "args", []))) > 0

# The same patterns for the CEL policies, which look at the first java of a script alone, behind the same
# wrappers. CEL knows no groups: a match ends right behind the name of java, with the character that follows it.

_shell_command := concat("", [`(?s)^`, _wrapper, _shell_name, _shell_options, `\x01([^\x01]*)`])

# java where a command of a script may begin, behind variables of its own and wrappers.
_call_of_java := concat("", [
	"(?:^|[;&|\\n({]|\\b(?:then|do|else)\\b)\\s*",
	`(?:[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|[^\s;&|"']*)\s+)*`,
	`(?:(?:exec|nohup|env|nice|tini|dumb-init|gosu\s+\S+|su-exec\s+\S+)\s+(?:-\S*\s+)*)*`,
	`(?:"?[^\s"';&|]*/java"?|java)`,
])

# One command of a script ends at ; & | < > or a line's end, outside quotes.
_one_command := "(?s)^(?:[^\"'\\\\;&|<>\\n()`]|\\\\.|\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*')*"

_shell_word := `(?s)(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+`

# What runs before java in the same shell can set what java reads.
_sets_options := `(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS)=|(?:^|[\s;&|])(?:source|\.|eval)\s`

_ends_name := `(?:\x01|$)`

_java_start := concat("", ["(?s)^", _wrapper, _name_of_java, _ends_name])

_through_script_start := concat("", [`(?s)^\x01[^\x01-][^\x01]*`, _name_of_java, `\x01`])

_script_start := concat("", ["(?s)^.*?", _script_call])

_script_call := concat("", ["(?s)", _call_of_java, `(?:\s|$)`])

# _release is a version without the 1. of old; _update is what of it tells the update.
_release := concat("", [`^[1-9][0-9]?(?:(?:`, _before_update, `)[0-9]{1,4})?(?:[.+_-].*)?$`])

_update := concat("", [`^[1-9][0-9]?(?:`, _before_update, `)[0-9]{1,4}(?:[.+_-]|$)`])
