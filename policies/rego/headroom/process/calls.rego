package headroom.process

# calls are the programs that the words of a container's command come to run, behind wrappers and through shells:
#   {c, kind, line, set, emptied, changed, certain, beside, hides, …}
# kind is "program", or "shell" with unread, which says why its script is not opened: shells are opened three deep.
# line is the command with its wrappers; set what is known of its environment. certain is true if no branch of a
# script decides whether it runs, beside if the next one does not wait for it.
calls(c, words) := [_as_read(call) |
	some call in _few_shells(_shells_opened(c, _shells_opened(c, _shells_opened(c, [_unwrapped(_as_written(c, words))]))))
]

_as_written(c, words) := {
	"c": c,
	"line": expand(c, joined(words)),
	"set": {},
	"emptied": false,
	"changed": false,
	"certain": true,
	"beside": false,
	"hides": [],
}

_as_read(call) := _unread(call, "scripts start each other four deep, and the fourth is not read") if _closed(call)

_as_read(call) := call if not _closed(call)

_closed(call) if {
	call.kind == "shell"
	not call.unread
}

# Whether it runs what it seems to run is not known.
_unread(shell, why) := object.union(shell, {"unread": why, "certain": false})

_shells_opened(c, calls) := [opened |
	some call in _few_shells(calls)
	some opened in _open(c, call)
]

# A file of 300 bytes that runs itself 30 times is 27 000 shells three deep, and a name of five bytes brings a file of
# 128 KiB. What becomes too much is not opened: one shell stands for all, as each of them has a text to look through.
_few_shells(calls) := calls if {
	closed := [call | some call in calls; _closed(call)]
	count(closed) <= _max_shells
	_short_together(closed)
} else := [kept |
	last := max({i | some i, call in calls; _closed(call)})
	some i, call in calls
	kept := _kept(call, i == last)
]

_kept(call, _) := call if not _closed(call)

_kept(call, true) := object.union(_unread(call, _too_many), {"many": true}) if _closed(call)

_short_together(closed) if count(closed) < 2

_short_together(closed) if {
	sum([count(call.script) | some call in closed]) < max_command
	sum([count(regex.find_n(`[;&|\n]`, call.script, -1)) | some call in closed]) < _max_tokens
}

_too_many := "it starts more shells, or longer scripts, than are read"

# More shells than a command has any use for.
_max_shells := 50

_open(_, call) := [call] if not _closed(call)

_open(_, shell) := [_unread(shell, _not_readable(shell))] if {
	_closed(shell)
	not _readable(shell, steps(shell.script))
}

# Nothing of a file reads like a mark of ours.
_readable(shell, all) if {
	_readable_script(shell, all)
	not _marked_file(shell)
}

_marked_file(shell) if {
	shell.from_file
	regex.match(`[\x00-\x03]`, shell.script)
}

_not_readable(shell) := sprintf("its script is longer than %d KiB and was not read", [max_command / 1024]) if {
	count(shell.script) >= max_command
} else := "its script has characters that are not read" if {
	_marked_file(shell)
} else := "its script is too long to be read"

_open(c, shell) := [_unwrapped(object.union(shell, {
	"line": concat("", [concat("", [separator, field]) |
		some word in step.words
		some field in _fields_of(table, word, step.at)
	]),
	"set": object.union(object.union(shell.set, _exports(handed, step.at)), _own_settings(table, step)),
	"certain": _and(shell.certain, step.certain),
	"beside": _or(shell.beside, step.beside),
	"hides": array.concat(shell.hides, [{
		"what": "the script before the program",
		"why": "it runs other files that may set variables",
		"path": path_of_command(c),
		"unreadable": false,
	} |
		step.at >= sourced
	]),
})) |
	table := _shell_table(shell, all)
	handed := _handed_on(shell, table, all)
	sourced := min({count(shell.script)} | {step.at |
		some step in all
		_name_of_step(table, step) in {".", "source", "eval"}
	})
	some step in all
	count(step.words) > 0
] if {
	_closed(shell)
	all := steps(shell.script)
	_readable(shell, all)
}

# command and builtin stand before a name.
_name_of_step(table, step) := [name |
	some word in array.slice(step.words, 0, 2)
	some name in _fields_of(table, word, step.at)
	not name in {"command", "builtin"}
][0]

default _and(_, _) := false

_and(true, true) := true

default _or(_, _) := true

_or(false, false) := false

# NAME=value in front of a command is for it alone; of several the last counts.
_own_settings(table, step) := object.union_n([{name: value} |
	some word in step.assigns
	at := indexof(word, "=")
	name := trim_suffix(substring(word, 0, at), "+")
	text := concat("", [_before_appended(step, word), _marked(table, substring(word, at + 1, -1), step.at)])
	value := _resolved(table, text)
])

# _unwrapped tells whether a line runs a shell, and what wrappers before it do to the environment.
_unwrapped(call) := object.union(_shell_state(behind(call, groups[1]), groups[2]), {
	"kind": "shell",
	"script": groups[3],
	"name": words[0],
	"arguments": array.slice(words, 1, count(words)),
	"behind_script": words,
}) if {
	[groups] := regex.find_all_string_submatch_n(_shell_call, split_up(call.line), 1)
	words := array.concat(split(trim_prefix(groups[4], separator), separator), [])
} else := object.union(_shell_state(behind(call, groups[1]), groups[2]), {
	"kind": "shell",
	"script": script,
	"from_file": true,
	"name": groups[3],
	"arguments": array.slice(split(groups[4], separator), 1, max_command),
}) if {
	[groups] := regex.find_all_string_submatch_n(_file_call, split_up(call.line), 1)
	script := _script_file(call.c, groups[2], groups[3])
} else := object.union(call, {
	"kind": "shell",
	"script": replace(trim_prefix(call.line, "\u0001eval\u0001"), separator, " "),
	"name": "",
	"arguments": [],
}) if {
	startswith(call.line, "\u0001eval\u0001")
} else := object.union(call, {"kind": "program"})

# split_up is a line as env -S "java -jar app.jar" makes it: it splits its operand, and fills in variables itself.
split_up(line) := line if {
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

# su - and sh -l read profiles.
_shell_state(shell, options) := object.union(shell, {
	"emptied": _or(shell.emptied, regex.match(`\x01su\x01(?:.*\x01)?(?:-|-l|--login)\x01`, options)),
	"hides": array.concat(shell.hides, [{
		"what": "the login shell",
		"why": "its profile may set or unset variables",
		"path": path_of_command(shell.c),
		"unreadable": false,
	}]),
}) if {
	regex.match(_reads_profile, options)
} else := shell

_reads_profile := `\x01(?:-|--login|--rcfile|--init-file|-[a-zA-Z]*[li][a-zA-Z]*)(?:\x01|$)`

shell_name := `\x01(?:[^\x01]*/)?(?:ba|da|a|k|mk|z)?sh`

_shell_options := concat("", [
	`(?:\x01[-+]o\x01[^\x01]*|\x01(?:--rcfile|--init-file)\x01[^\x01]*|\x01--[a-z]+|\x01[-+][abd-zA-Z]+)*`,
	`\x01-[a-zA-Z]*c[a-zA-Z]*`,
])

_su := `\x01(?:[^\x01]*/)?(?:su|runuser)(?:\x01[^\x01]*)*?\x01(?:-c|--command)`

_shell_call := concat("", [
	`(?s)^(`, wrapper, `)(`, shell_name, _shell_options, `|`, _su, `)(?:\x01--)?\x01([^\x01]*)((?:\x01.*)?)$`,
])

# A script in a file, behind a shell or by itself.
_file_call := concat("", [
	`(?s)^(`, wrapper, `)((?:`, shell_name, `(?:\x01[-+]o\x01[^\x01]*|\x01[-+][abd-zA-Z]+)*)?)`,
	`\x01(/[^\x01]+)((?:\x01.*)?)$`,
])

# _script_file is the text of a shell's script that a ConfigMap of the same input puts into the container.
_script_file(c, shell, file) := text if {
	text := mounted(c, file).text
	_for_a_shell(shell, text)
}

_for_a_shell("", text) if {
	regex.match(`^#!\s*(?:\S*/env\s+(?:-S\s+)?)?(?:\S*/)?(?:ba|da|a|k|mk|z)?sh(?:\s|$)`, text)
}

_for_a_shell(shell, _) if shell != ""

# files_named are the texts of files that words name and that a ConfigMap of the same input puts into the container.
files_named(c, words) := {text |
	some file in array.slice(_in_mounts(c, words), 0, max_named)
	text := mounted(c, file).text
}

# files_reached are these, and what they name in turn: as deep as shells are opened, the script of the shell that is
# not, and what that one names.
files_reached(c, words) := union({first, second, third, fourth, _named_by(c, fourth)}) if {
	first := files_named(c, words)
	second := _named_by(c, first)
	third := _named_by(c, second)
	fourth := _named_by(c, third)
}

_named_by(c, texts) := files_named(c, [text | some text in texts])

# names_many says that words name more files than files_named looks at.
names_many(c, words) if count(_in_mounts(c, words)) > max_named

# Each once, and none of the image's own.
_in_mounts(c, words) := [file | some file in files] if {
	c.raw.volumeMounts
	folders := [m.mountPath | some m in c.raw.volumeMounts; is_string(m.mountPath)]
	files := {file | some file in regex.find_n(_absolute, joined(words), -1); strings.any_prefix_match(file, folders)}
}

_absolute := "/[^\\s\u0001\"'`;&|()<>={}$]+"

# max_named is more files than a command has any use for.
max_named := 50
