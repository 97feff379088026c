package headroom.runtime.jvm

import data.headroom.images
import data.headroom.process

# command_of is what a container's command and args show of a JVM:
#   {java: true, given, words, files, rest, path, hides: [{what, why, path}], certain, others, …}
# words are the JVM's own arguments, files where those of argument files stand, rest what comes after the class or
# jar. given is true if no image's
# entrypoint can be in play. certain is false if a branch of a script decides whether it runs. others are
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

_may_name_java(c) if regex.match(_names_java, process.joined(images.words(c)))

_may_name_java(c) if _files_may_name_java(c)

# A file is looked through however long it is: what is not read is told, where it may be java's.
_files_may_name_java(c) if {
	some text in process.files_reached(c, images.words(c))
	regex.match(_names_java, text)
}

_files_may_name_java(c) if process.names_many(c, images.words(c))

default _direct_of(_, _) := false

_direct_of(c, call) if {
	_given(c)
	not call.through
}

default _given(_) := false

_given(c) if count(images.command(c)) > 0

# starts_itself says that no command of the manifest takes the place of the image's own entrypoint, known or not.
starts_itself(c) if not c.raw.command[0]

starts_itself(c) if c.raw.inside.command > 0

# java -version only looks, where another java follows.
_javas(c) := found if {
	found := [java | some java in _all_javas(c); count({word | some word in java.words} & _only_looks) == 0]
	count(found) > 0
} else := _all_javas(c)

_only_looks := {"-version", "--version", "-fullversion", "--list-modules", "-help", "--help"}

_all_javas(c) := [object.union(object.remove(call, ["line", "arguments"]), {
	"java": true,
	"words": split(trim_prefix(own, process.separator), process.separator),
	"rest": array.slice(split(trim_prefix(read.line, own), process.separator), 1, process.max_command),
	"files": read.files,
	"path": process.path_of_command(c),
}) |
	some call in _calls_of_java(c)
	read := with_argument_files(c, call.arguments)
	own := regex.find_n(_own_arguments, read.line, 1)[0]
]

# The last that surely runs, and that others do not wait behind, is the server.
_server(found) := max({i | some i, call in found; call.certain; not call.beside}) if {
	some call in found
	call.certain
	not call.beside
} else := count(found) - 1 if {
	count(found) > 0
}

_calls_of_java(c) := [java | some call in images.calls(c); java := _as_java(call)] if {
	not _too_long(c)
} else := [_hardly_seen(call, why) |
	some call in process.calls(c, array.slice(images.words(c), 0, 1))
	why := sprintf("it is longer than %d KiB and was not read", [process.max_command / 1024])
	regex.match(_name_in_a_script, replace(process.joined(images.words(c)), process.separator, " "))
]

_too_long(c) if count(process.joined(images.words(c))) >= process.max_command

# _as_java is a call that runs a JVM, or may, with its arguments; undefined for others.
_as_java(call) := _hardly_seen(call, call.unread) if _script_may_name_java(call)

_as_java(call) := _run_by(call) if not call.unread

_run_by(call) := object.union(call, {"arguments": substring(call.line, 5, -1)}) if {
	startswith(call.line, "\u0001java\u0001")
} else := object.union(process.behind(call, groups[1]), {"arguments": _appended(groups)}) if {
	[groups] := regex.find_all_string_submatch_n(_java, process.split_up(call.line), 1)
} else := object.union(process.behind(call, groups[1]), {
	"arguments": replace(groups[2], "\u0001-J", process.separator),
}) if {
	# The tools of a JDK hand -J… to their JVM.
	[groups] := regex.find_all_string_submatch_n(_tool, call.line, 1)
} else := object.union(call, {
	"arguments": concat("", [groups[2], groups[3]]),
	"through": true,
	"certain": [call.certain, groups[2] != ""] == [true, true],
}) if {
	# /entrypoint.sh java …: the program runs what follows it, and may add to it.
	[groups] := regex.find_all_string_submatch_n(_through, call.line, 1)
	words := split(groups[1], process.separator)
	not regex.find_n(process.last_name, words[count(words) - 1], 1)[0] in process.utilities
} else := object.union(process.behind(call, groups[1]), {"arguments": groups[2]}) if {
	# $JAVA -jar app.jar: nothing else has such options.
	[groups] := regex.find_all_string_submatch_n(_unnamed, call.line, 1)
} else := _hardly_seen(call, "a shell reads from its input what it runs") if {
	regex.match(_shell_without_script, call.line)
	regex.match(_name_in_a_script, call.script)
}

_script_may_name_java(call) if regex.match(_name_in_a_script, call.script)

_script_may_name_java(call) if {
	call.unread
	some text in process.files_named(call.c, [call.script])
	regex.match(_name_in_a_script, text)
}

# Of many shells any may.
_script_may_name_java(call) if call.many

# A java that nothing more can be said of.
_hardly_seen(call, why) := object.union(call, {
	"arguments": concat("", [process.separator, process.unresolved]),
	"certain": false,
	"hides": array.concat(call.hides, [{
		"what": "the command",
		"why": why,
		"path": process.path_of_command(call.c),
		"unreadable": false,
	}]),
})

_name_in_a_script := `(?:^|[\s;&|/("'])java["']?\s`

# xargs adds arguments that cannot be seen.
_appended(groups) := concat("", [groups[2], process.separator, process.unresolved]) if {
	regex.match(`\x01(?:[^\x01]*/)?xargs\x01`, concat("", [groups[1], process.separator]))
} else := groups[2]

_name_of_java := `\x01(?:[^\x01]*/)?java`

_java := concat("", [`(?s)^(`, process.wrapper, `)`, _name_of_java, `((?:\x01.*)?)$`])

_tool := concat("", [
	`(?s)^(`, process.wrapper, `)\x01(?:[^\x01]*/)?`,
	`(?:jar|jarsigner|javac|javadoc|javap|jcmd|jdeps|jlink|jmap|jshell|jstack|jstat|jwebserver|keytool)`,
	`(\x01-J-X.*)$`,
])

_unnamed := concat("", [`(?s)^(`, process.wrapper, `)\x01\x02(\x01-(?:[DX]|jar\x01|server\x01|javaagent).*)$`])

_shell_without_script := concat("", [`(?s)^`, process.wrapper, process.shell_name, `(?:\x01-[^\x01]*)*$`])

# /entrypoint.sh java …, and further behind where what follows can only be java's.
_through := concat("", [
	`(?s)^((?:`, process.wrapper, `)\x01[^\x01-][^\x01]*)(?:`, _name_of_java, `(\x01.*)|(?:\x01[^\x01]*)+?`, _name_of_java,
	`(\x01-(?:[DX]|jar\x01|cp\x01|classpath\x01|-class-path|-module|server\x01|javaagent).*))$`,
])

# The JVM's own arguments end at the first that is neither an option nor an option's value.
_own_arguments := concat("", [
	`^(?:\x01(?:-(?:cp|classpath|p|-class-path|-module-path|-upgrade-module-path|-add-modules|-limit-modules|`,
	`-add-exports|-add-opens|-add-reads|-patch-module|-enable-native-access|-source)\x01[^\x01]*|[-\x02][^\x01]*|`,
	`@(?:[^\x01@]|@[^\x01]*@)[^\x01]*))*`,
])

# The same patterns for the CEL policies, which look at the first java of a script alone, behind the same
# wrappers. CEL knows no groups: a match ends right behind the name of java, with the character that follows it.

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

_java_start := concat("", ["(?s)^", process.wrapper, _name_of_java, _ends_name])

_through_script_start := concat("", [`(?s)^\x01[^\x01-][^\x01]*`, _name_of_java, `\x01`])

_script_start := concat("", ["(?s)^.*?", _script_call])

_script_call := concat("", ["(?s)", _call_of_java, `(?:\s|$)`])

# _release is a version without the 1. of old; _update is what of it tells the update.
_release := concat("", [`^[1-9][0-9]?(?:(?:`, _before_update, `)[0-9]{1,4})?(?:[.+_-].*)?$`])

_update := concat("", [`^[1-9][0-9]?(?:`, _before_update, `)[0-9]{1,4}(?:[.+_-]|$)`])
