package headroom.images

import data.headroom.process
import data.headroom.workload

# command is that of a container, or of its image where the manifest has none and the image's entrypoint is known to
# be the program itself. words are its args too.
command(c) := words if {
	words := process.strings_of(object.get(c.raw, "command", []))
	count(words) > 0
} else := object.get(found, [c.id, "record", "command"], [])

words(c) := array.concat(command(c), process.args(c))

# calls are the programs that a container comes to run; last_call is the last of them, that of the image's own script
# where the command calls it.
calls(c) := process.calls(c, words(c))

last_call(c) := process.last_call(c, words(c), object.get(found, [c.id, "record", "entrypoint"], []))

# said is the call of the image's own script, without what else the command says and does; the whole command where no
# such call is seen.
said(c) := trim_space(replace(call.line, process.separator, " ")) if {
	call := last_call(c)
	process.calls_file(call, found[c.id].record.entrypoint)
} else := concat(" ", words(c))

# options are those of spark-submit in each of its calls in a container, in their order: [["--conf a=b", "--verbose"]].
# They end at the application: what stands behind it is the application's own. Shells take both in any order.
# A call has hidden_option among them where a word that is filled in later may be one; so has one that is not read.
# Source: https://github.com/apache/spark, launcher/…/SparkSubmitOptionParser.java
options(c) := found if {
	found := [options | some call in calls(c); options := _options_of(call)]
	count(found) > 0
} else := [[hidden_option]]

hidden_option := "?"

_options_of(call) := [hidden_option] if call.unread

_options_of(call) := array.concat(words, [hidden_option | some word in words; regex.match(_hides_option, word)]) if {
	not call.unread
	some pattern in [_submits, _shells]
	[[_, own]] := regex.find_all_string_submatch_n(pattern, regex.replace(call.line, _before_handed, ""), 1)
	words := [replace(trim_prefix(word, process.separator), process.separator, " ") |
		some word in regex.find_n(concat("", [_one_option, `|\x01[^\x01]*`]), own, -1)
	]
}

# Up to the application.
_submits := concat("", [
	`(?s)^\x01(?:(?:[^\x01]*/)?spark-submit|driver)((?:`, _one_option, `)*(?:\x01[^\x01]*)?)(?:\x01|$)`,
])

_shells := `(?s)^\x01(?:[^\x01]*/)?(?:pyspark|spark-shell|spark-sql)((?:\x01.*)?)$`

_one_option := concat("", [
	`\x01--(?:help|supervise|usage-error|verbose|version)|\x01-[hv]|`,
	`\x01(?:--[a-z-]+|-c)\x01[^\x01]*|\x01--[a-z-]+=[^\x01]*`,
])

# A word of its own; a setting whose name does not show; where the driver runs.
_hides_option := `^\x02$|^(?:--conf[ =]|-c )\x02|deploy-?[mM]ode[ =]\S*\x02`

# Start scripts that are known by their own names, in an image of any name.

# started has the script that a container's command comes to last, by container id: {name, id}. An image that is known
# to bring the same file says more of it.
started[c.id] := last if {
	some c in workload.containers
	_names_script(c)
	programs := _programs(c)
	all := [{"name": name, "id": id} |
		some program in programs
		some name, id in scripts[_last(program)]
		_ends_in(program, name)
	]
	count(all) > 0
	last := all[count(all) - 1]
	not _brings(_named(c), programs)
}

# script_words is a pattern of words that name a script, for the CEL policies, which leave such containers out.
script_words := sprintf(`(?:^|/)(?:%s)$`, [concat("|", sort([replace(name, ".", `[.]`) | scripts[_][name]]))])

# The release of the script is not known, and so it has no tag; that of Java is the image's.
_by_script(_, script, image) := {
	"name": script.name,
	"title": script.name,
	"tag": "",
	"record": records[script.id],
	"built": true,
} if {
	not image.record
} else := {
	"name": script.name,
	"title": script.name,
	"tag": "",
	"record": records[script.id],
	"release": release(image),
}

_brings(image, programs) if {
	some entry in image.record.entrypoint
	some program in programs
	process.same_file(program, entry)
}

# A first look at the words alone.
_names_script(c) if {
	some text in _texts(c)
	some part in regex.split("[\\s;&|()\"'<>=/`]+", text)
	scripts[part]
}

_texts(c) := array.concat(_own_words(c), _mounted_texts(c))

_own_words(c) := array.concat(process.strings_of(object.get(c.raw, "command", [])), process.args(c))

_mounted_texts(c) := [text |
	c.raw.volumeMounts
	some word in _own_words(c)
	startswith(word, "/")
	text := process.mounted(c, word).text
]

# _programs are the programs of a command and of the scripts in it, behind wrappers and entrypoints.
_programs(c) := array.concat(
	[program |
		some call in process.calls(c, _own_words(c))
		some pattern in [_before_program, _before_handed]
		program := split(regex.replace(call.line, pattern, ""), process.separator)[1]
	],
	[program |
		some text in _mounted_texts(c)
		some begun in regex.find_n(process.begun_command, replace(text, "\\\n", " "), -1)
		program := regex.find_n(`[^\s"';&|(){}]+$`, begun, 1)[0]
	],
)

_before_program := concat("", ["(?s)^", process.wrapper])

# An entrypoint hands its arguments on as a command.
_before_handed := concat("", [
	_before_program, `(?:\x01(?:[^\x01]*/)?[a-z0-9_.-]*entrypoint(?:\.sh|\.bash)?`, process.wrapper, `)?`,
])

# starts says that a container runs a line that begins with a pattern, behind wrappers and entrypoints.
starts(c, pattern) if {
	some line in _lines(c)
	regex.match(concat("", [`(?s)^\x01`, pattern]), regex.replace(line, _before_handed, ""))
}

_lines(c) := [call.line | some call in calls(c)] if {
	count(words(c)) > 0
} else := [process.joined(object.get(found, [c.id, "record", "entrypoint"], []))]

_last(path) := parts[count(parts) - 1] if parts := split(path, "/")

_ends_in(program, name) if program == name

_ends_in(program, name) if endswith(program, concat("", ["/", name]))
