package headroom.workers

import data.headroom.images
import data.headroom.process
import data.headroom.workload

# with_program are the containers, by id, whose command may run one of the programs. One look at the
# text of all commands, and of the files of ConfigMaps that they name, tells whether any does.
with_program := {c.id | some c in workload.containers} if {
	commands_shown := {command | command := workload.containers[_].raw.command}
	args_shown := {args | args := workload.containers[_].raw.args}
	files_shown := {text | some c in workload.containers; some text in process.files_named(c, images.words(c))}
	regex.match(_any_program, json.marshal([commands_shown, args_shown, files_shown]))
} else := set()

# started are the commands of the containers that run any of the programs, by id.
started[id] := found if {
	some id in with_program
	found := commands(workload.containers[id])
	count(found) > 0
}

# commands are the programs that a container's command and args run, also through a shell:
# {program, runtime, in, words: [[text, path], …]}, the words those behind the program's name. in says which file of
# a ConfigMap has them.
commands(c) := [{
	"program": name,
	"runtime": programs[name].runtime,
	"in": file,
	"words": array.slice(words, first + 1, count(words)),
} |
	some [file, words] in _run_by(c)
	found := [[i, groups[1]] |
		some i, [word, _] in words
		some groups in regex.find_all_string_submatch_n(_program_word, word, -1)
		_starts(words, i, groups[1])
	]
	[first, name] := found[0]
]

# A server's name tells it wherever it stands (newrelic-admin run-program gunicorn). node or nginx may also be the
# value of an option, so only launchers stand in front of it.
_starts(_, _, name) if programs[name].options != []

_starts(words, i, name) if {
	programs[name].options == []
	every entry in array.slice(words, 0, i) {
		regex.match(_launcher, entry[0])
	}
}

_launcher := concat("", [
	`^(?:.*/)?(?:tini|tini-static|dumb-init|catatonit|env|exec|bundle|gosu|su-exec|setpriv|`,
	`nice|ionice|nohup|numactl|stdbuf|`,
	`[A-Za-z0-9_-]*entrypoint(?:\.sh)?)$|^--?[A-Za-z][A-Za-z0-9=,+:-]*$|^--$|^[A-Za-z_][A-Za-z0-9_]*=`,
])

# Behind a shell they are what its script runs, else the whole line.
_run_by(c) := [[_file_of(call), words] |
	some call in images.calls(c)
	not call.unread
	words := [[word, path] | some word in split(trim_prefix(call.line, process.separator), process.separator)]
] if {
	path := _script_at(c)
} else := [["", [[process.expand(c, text), path] | some [text, path] in _argv(c)]]]

# A script in a file has the file's path for its name.
_file_of(call) := sprintf("%s: ", [call.name]) if {
	startswith(call.name, "/")
} else := ""

# The first word that is a script, or the file of one.
_script_at(c) := array.concat(_scripts(_argv(c)), _script_files(c))[0][1]

_script_files(c) := [[text, path] |
	c.raw.volumeMounts
	names := {call.name | some call in images.calls(c)}
	some [text, path] in _argv(c)
	text in names
]

_argv(c) := [[text, array.concat(c.path, [field, i])] |
	some field in ["command", "args"]
	some i, text in c.raw[field]
	is_string(text)
]

# The word behind `sh -c` is a script.
_scripts(argv) := [argv[i + 1] |
	some i, [text, _] in argv
	regex.match(_script_follows, text)
	some [shell, _] in array.slice(argv, 0, i)
	regex.match(_shell, shell)
]

_script_follows := `^-[A-Za-z]*c$`

_shell := `^(?:.*/)?(?:ba|da|a|k|z)?sh$`

# shell_words cuts a text into its words, without their quotes, and operators.
shell_words(text) := [regex.replace(word, `["'\\]`, "") |
	some word in regex.find_n(_shell_word, replace(text, "\\\n", " "), -1)
]

_shell_word := `(?s)(?:[^\s"'\\;&|<>()]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+|[;&|\n()]+`

# option_values are the values of an option of several names, in order: {text, path}.
option_values(command, names) := [{"text": text, "path": path} |
	some i, [word, path] in command.words
	some text in _option_texts(command.words, i, word, names)
]

_option_texts(words, i, word, names) := [words[i + 1][0]] if {
	word in names
} else := [substring(word, count(name) + 1, -1) |
	some name in names
	startswith(word, concat("", [name, "="]))
] if {
	startswith(word, "--")
} else := [trim_prefix(substring(word, count(name), -1), "=") |
	some name in names
	startswith(word, name)
	word != name
]

# A script may work the number of workers out: -w $(nproc), --workers=$((2 * $(nproc) + 1)), WORKERS=$(nproc).

# per_core has what commands of a container work out from the cores they count: {command, said, path}. What counts
# them looks at the node's (R20, R21): the processors that may be used, not the quota.
per_core(c) := [{"command": command, "said": said, "path": path} |
	some command in commands(c)
	counts(command)
	not autoscale(command)
	option := programs[command.program].options[0]
	some [text, path] in array.concat(_argv(c), [[text, _script_at(c)] |
		some text in process.files_named(c, images.words(c))
	])
	some said in _said(text, command, option)
]

_said(text, command, option) := [concat(" ", [option, value])] if {
	values := option_values(command, programs[command.program].options)
	contains(values[count(values) - 1].text, process.unresolved)
	value := _computed(text, concat("|", programs[command.program].options))
} else := [concat("=", [name, value]) |
	count(option_values(command, programs[command.program].options)) == 0
	some name in programs[command.program].variables
	value := _assigned_value(text, name)
]

# The option's own value, or the variable that it names.
_computed(text, options) := _counting(text, groups[1]) if {
	pattern := sprintf(`(?s)(?:^|[\s"'])(?:%s)[\s=]*["']?(%s)`, [options, process.shell_replaces])
	groups := regex.find_all_string_submatch_n(pattern, text, 1)[0]
	_counting(text, groups[1])
} else := _assigned_value(text, name) if {
	pattern := sprintf(`(?s)(?:^|[\s"'])(?:%s)[\s=]*["']?\$\{?([A-Za-z_][A-Za-z0-9_]*)`, [options])
	name := regex.find_all_string_submatch_n(pattern, text, 1)[0][1]
}

_assigned_value(text, name) := _counting(text, groups[1]) if {
	pattern := sprintf(`(?s)\b%s=["']?(%s)`, [name, process.shell_replaces])
	groups := regex.find_all_string_submatch_n(pattern, text, 1)[0]
}

# What counts the processors of the machine, or works with a variable that does; nproc --all and /proc/cpuinfo do not
# even look at the affinity.
_counting(_, value) := value if regex.match(_counts_processors, value)

_counting(text, value) := value if {
	not regex.match(_counts_processors, value)
	startswith(value, "$((")
	some name in regex.find_n(`[A-Za-z_][A-Za-z0-9_]*`, value, -1)
	pattern := sprintf(`(?s)\b%s=["']?(%s)`, [name, process.shell_replaces])
	groups := regex.find_all_string_submatch_n(pattern, text, 1)[0]
	regex.match(_counts_processors, groups[1])
}

_counts_processors := `\bnproc\b|_NPROCESSORS_|/proc/cpuinfo|cpu_count|nprocessors`

# counters are the pools of a runtime's programs whose command works their size out from the node's cores, as HR505
# wants them.
counters(runtime) := [{
	"c": c,
	"sure": true,
	"path": found.path,
	"text": sprintf("%s%s starts a worker for each core of the node (%s)", [
		found.command["in"], found.command.program,
		found.said,
	]),
	"count": 0,
	"expected": sprintf("%s %v (limits.cpu rounded up)", [_option(found.command), ceil(c.cpu_limit / 1000)]),
	"each": concat("", [_option(found.command), " %s"]),
} |
	some id, commands in started
	c := workload.containers[id]
	c.role != "init"
	some found in per_core(c)
	found.command.runtime == runtime
]

_option(command) := programs[command.program].options[0]
