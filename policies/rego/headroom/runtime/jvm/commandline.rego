package headroom.runtime.jvm

# command_of is what a container's command and args show of a JVM:
#   {java: true, visible, words, rest, path, hides: [{what, why, path}]}
# words are the JVM's own arguments, rest what comes after the class or jar. It is
# {java: false, given} where no java is in sight; given says whether `command` is set, so
# that no image's entrypoint can be in play.
command_of(c) := {"java": false, "given": false} if {
	not c.raw.command[0]
	not c.raw.args[0]
} else := found if {
	command := [word | word := c.raw.command[_]; is_string(word)]
	args := [word | word := c.raw.args[_]; is_string(word)]
	text := concat(separator, array.concat(array.concat([""], command), args))
	contains(text, "java")
	count(text) < max_command
	found := _found(c, expand(c, text), count(command) > 0)
} else := {"java": false, "given": _given(c)}

_strings(list) := [word | some word in list; is_string(word)]

default _given(_) := false

_given(c) if count(_strings(c.raw.command)) > 0

# Longer than any command that people write; the kernel's own limit is 128 KiB for one argument.
max_command := 131072

_found(c, joined, given) := _direct(c, substring(joined, 5, -1), given, []) if {
	startswith(joined, "\u0001java\u0001")
} else := _direct(c, groups[2], given, []) if {
	some groups in regex.find_all_string_submatch_n(_java, joined, 1)
} else := _script(c, groups[1], given) if {
	some groups in regex.find_all_string_submatch_n(_shell_command, joined, 1)
} else := _direct(c, groups[2], false, []) if {
	# /entrypoint.sh java …: the script runs what follows it, and may add to it.
	some groups in regex.find_all_string_submatch_n(_through_script, joined, 1)
} else := {"java": false, "given": given}

# What may stand before java and hands its own arguments on: an init for PID 1, env, nice …
_wrapper := concat("", [
	`(?:\x01(?:[^\x01]*/)?`,
	`(?:tini(?:-static)?|dumb-init|catatonit|env|nice|ionice|nohup|setpriv|stdbuf|`,
	`(?:gosu|su-exec|chpst)(?:\x01-[^\x01]*)*\x01[^\x01-][^\x01]*)`,
	`(?:\x01-[enp]\x01[^\x01-][^\x01]*|\x01-[^\x01]*|\x01[A-Za-z_][A-Za-z0-9_]*=[^\x01]*)*)*`,
])

_name_of_java := `\x01(?:[^\x01]*/)?java`

_java := concat("", [`(?s)^(`, _wrapper, `)`, _name_of_java, `((?:\x01.*)?)$`])

_shell_command := concat("", [
	`(?s)^`, _wrapper, `\x01(?:[^\x01]*/)?(?:ba|da|a|k|z)?sh(?:\x01-o\x01[^\x01]*|\x01[-+][abd-zA-Z]+)*`,
	`\x01-[a-zA-Z]*c[a-zA-Z]*\x01([^\x01]*)`,
])

_through_script := concat("", [`(?s)^(\x01[^\x01-][^\x01]*)`, _name_of_java, `(\x01.*)$`])

# The JVM's own arguments end at the first that is neither an option nor an option's value.
_own_arguments := concat("", [
	`^(?:\x01(?:-(?:cp|classpath|p|-class-path|-module-path|-upgrade-module-path|-add-modules|-limit-modules|`,
	`-add-exports|-add-opens|-add-reads|-patch-module|-enable-native-access|-source)\x01[^\x01]*|[-@\x02][^\x01]*))*`,
])

_direct(c, arguments, given, hides) := {
	"java": true,
	"given": given,
	"words": split(trim_prefix(own, separator), separator),
	"rest": split(trim_prefix(trim_prefix(arguments, own), separator), separator),
	"path": array.concat(c.path, [_field(c)]),
	"hides": hides,
} if {
	own := regex.find_n(_own_arguments, arguments, 1)[0]
}

default _field(_) := "command"

_field(c) := "args" if count(_strings(object.get(c.raw, "args", []))) > 0

# _script reads `sh -c "… exec java …"`: the part before java, then java's own words.
_script(c, script, given) := _direct(c, arguments, given, _script_hides(c, groups[1])) if {
	text := replace(script, "\\\n", " ")
	some groups in regex.find_all_string_submatch_n(_script_java, text, 1)
	line := regex.find_n(_one_command, expand_shell(c, text, groups[2]), 1)[0]
	arguments := concat("", [concat("", [separator, _unescaped(word)]) | some word in regex.find_n(_shell_word, line, -1)])
} else := {"java": false, "given": given}

_script_java := concat("", ["(?s)^(.*?)", _call_of_java, `(\s.*)?$`])

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

_unescaped(word) := word if {
	not regex.match(`["'\\]`, word)
} else := unquoted(strings.replace_n({`\`: ""}, word))

# What runs before java in the same shell can set what java reads.
_script_hides(c, before) := [{
	"what": "the script before java",
	"why": "it sets variables or runs other files that may",
	"path": array.concat(c.path, [_field(c)]),
	"unreadable": false,
}] if {
	regex.match(_sets_options, before)
} else := []

_sets_options := `(?:JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS)=|(?:^|[\s;&|])(?:source|\.|eval)\s`

# The same patterns for the CEL policies, which know no groups: a match ends right behind the name
# of java, with the character that follows it.

_ends_name := `(?:\x01|$)`

_java_start := concat("", ["(?s)^", _wrapper, _name_of_java, _ends_name])

_through_script_start := concat("", [`(?s)^\x01[^\x01-][^\x01]*`, _name_of_java, `\x01`])

_script_start := concat("", ["(?s)^.*?", _script_call])

_script_call := concat("", ["(?s)", _call_of_java, `(?:\s|$)`])

# _release is a version without the 1. of old; _update is what of it tells the update.
_release := concat("", [`^[1-9][0-9]?(?:(?:`, _before_update, `)[0-9]{1,4})?(?:[.+_-].*)?$`])

_update := concat("", [`^[1-9][0-9]?(?:`, _before_update, `)[0-9]{1,4}(?:[.+_-]|$)`])
