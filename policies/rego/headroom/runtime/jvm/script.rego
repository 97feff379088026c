package headroom.runtime.jvm

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
