package headroom.process_test

import data.headroom.process

_container(raw) := {"raw": raw, "path": ["c"], "beside": {"config_maps": [], "volumes": [], "resources": []}}

_lines(words) := [[call.kind, trim_prefix(replace(call.line, process.separator, " "), " ")] |
	some call in process.calls(_container({"command": words}), words)
]

test_programs_behind_wrappers_and_shells if {
	_lines(["gunicorn", "app"]) == [["program", "gunicorn app"]]
	_lines(["env", "A=1", "gunicorn"]) == [["program", "env A=1 gunicorn"]]
	_lines(["tini", "--", "sh", "-c", "cd /app && exec gunicorn \"$0\"", "app"]) == [
		["program", "cd /app"],
		["program", "exec gunicorn app"],
	]
	_lines(["sh", "-c", "sh -c 'a; b'; c"]) == [["program", "a"], ["program", "b"], ["program", "c"]]
	_lines([]) == [["program", ""]]
}

# Four shells stand in each other; what stands beside them is known.
test_shells_that_are_not_opened if {
	words := ["sh", "-c", `sh -c "sh -c 'sh -c a'"; b`]
	[[call.kind, object.get(call, "unread", ""), call.certain] |
		some call in process.calls(_container({"command": words}), words)
	] == [
		["shell", "scripts start each other four deep, and the fourth is not read", false],
		["program", "", true],
	]
	long := ["sh", "-c", concat("", ["A=1; " | some _ in numbers.range(0, process.max_settings)])]
	unread := [call.unread | some call in process.calls(_container({"command": long}), long)]
	unread == ["its script is too long to be read"]
}

_arrives(words, name) := process.arrived(last, name) if {
	c := _container({"command": words, "env": [{"name": "A", "value": "1"}]})
	last := process.last_call(c, words, ["/entrypoint.sh"])
}

test_what_arrives_at_the_last_call if {
	_arrives(["server"], "A") == {"state": "literal", "value": "1", "path": ["c", "env", 0, "value"]}
	_arrives(["server"], "B") == {"state": "absent"}
	_arrives([], "A").value == "1"
	_arrives(["sh", "-c", "export A=2; server"], "A") == {"state": "literal", "value": "2", "path": ["c", "command"]}
	_arrives(["sh", "-c", "unset A; server"], "A") == {"state": "absent"}
	_arrives(["sh", "-c", "env -i server"], "B") == {"state": "absent"}
	_arrives(["sh", "-c", "export A=2; /entrypoint.sh & export A=3; sleep 1"], "A").value == "2"
	_arrives(["sh", "-c", "export A=2; other & export A=3; sleep 1"], "A").value == "3"
}

# A container whose folder /scripts has files of a ConfigMap.
_with_files(files) := {
	"raw": {"volumeMounts": [{"name": "s", "mountPath": "/scripts"}]},
	"path": ["c"],
	"beside": {
		"config_maps": [{"metadata": {"name": "scripts"}, "data": files}],
		"volumes": [{"name": "s", "configMap": {"name": "scripts"}}],
		"resources": [],
	},
}

_files := {
	"run.sh": "#!/usr/bin/env bash\nset -e\nexec java \\\n  -Xmx2g $1 -jar \"$2\"\n",
	"plain": "exec java -Xmx2g $1 -jar \"$2\"\n",
	"run.py": "#!/usr/bin/python3\nimport os\n",
	"odd.sh": "#!/bin/sh\njava\u0001-Xmx2g\n",
	"long.sh": concat("\n", array.concat(["#!/bin/sh"], [sprintf("echo %v", [i]) | some i in numbers.range(1, 4000)])),
}

# A script of a ConfigMap is read as that of sh -c, with its arguments.
test_scripts_in_files_are_opened if {
	c := _with_files(_files)
	ran := "\u0001java\u0001-Xmx2g\u0001-Da=b\u0001-jar\u0001a.jar"
	every words in [
		["/scripts/run.sh", "-Da=b", "a.jar"],
		["tini", "--", "bash", "-ex", "-o", "pipefail", "/scripts/run.sh", "-Da=b", "a.jar"],
		["/bin/sh", "/scripts/plain", "-Da=b", "a.jar"],
		["sh", "-c", "exec /scripts/run.sh -Da=b a.jar"],
	] {
		lines := [call.line | some call in process.calls(c, words); regex.match("java", call.line)]
		regex.replace(lines[0], "^\u0001exec", "") == ran
	}
}

# Nothing but a shell's script is opened: without a line that names the shell, no kernel runs it.
test_files_that_are_not_opened if {
	c := _with_files(_files)
	every name in ["plain", "run.py", "missing"] {
		file := concat("", ["/scripts/", name])
		[[call.kind, call.line] | some call in process.calls(c, [file])] == [["program", process.joined([file])]]
	}
	[call] := process.calls(c, ["/scripts/long.sh"])
	call.unread == "its script is too long to be read"
	process.calls(_with_files({}), ["/scripts/run.sh"])[0].kind == "program"
}

test_files_that_words_name if {
	c := _with_files({"a": "1", "b": "2"})
	process.files_named(c, ["sh", "-c", "cat /scripts/b; /scripts/a", "/scripts/c"]) == {"2", "1"}
	process.files_named(object.union(c, {"raw": {"volumeMounts": null}}), ["/scripts/a"]) == set()
}

# Shells are opened three deep. What the fourth script is, and what it names, is looked through.
test_files_that_files_name if {
	names := ["a", "b", "c", "d", "e", "f"]
	files := {name: sprintf("#!/bin/sh\n/scripts/%s\n", [next]) |
		some i, name in names
		next := array.concat(names, ["end"])[i + 1]
	}
	reached := process.files_reached(_with_files(files), ["/scripts/a"])
	reached == {files[name] | some name in array.slice(names, 0, 5)}
}

# Names of the image's own files, or of the same one again, do not hide one that is mounted.
test_words_that_name_many_files if {
	c := _with_files({"a": "1"})
	own := [sprintf("/usr/bin/%d", [i]) | some i in numbers.range(0, process.max_named)]
	again := ["/scripts/b" | some _ in own]
	process.files_named(c, array.concat(array.concat(own, again), ["/scripts/a"])) == {"1"}
	not process.names_many(c, array.concat(own, again))
	process.names_many(c, [sprintf("/scripts/%d", [i]) | some i in numbers.range(0, process.max_named)])
}

_unread_of(files, words) := {call.unread | some call in process.calls(_with_files(files), words)}

# What a file makes of a few bytes is bounded.
test_shells_that_are_too_many if {
	too_many := "it starts more shells, or longer scripts, than are read"
	again := concat("", ["#!/bin/sh\n", concat("", ["/scripts/a\n" | some _ in numbers.range(1, 30)]), "java Main\n"])
	called := process.calls(_with_files({"a": again}), ["/scripts/a"])
	count(called) < 100
	some call in called
	call.unread == too_many
	some java in called
	java.line == "\u0001java\u0001Main"
	not java.unread

	half := concat("", ["#!/bin/sh\n#", concat("", ["0123456789" | some _ in numbers.range(1, 7000)]), "\na\n"])
	[call.line | some call in process.calls(_with_files({"a": half}), ["sh", "-c", "/scripts/a"])] == ["\u0001a"]
	_unread_of({"a": half, "b": half}, ["sh", "-c", "/scripts/a; /scripts/b"]) == {too_many}
	_unread_of({"a": concat("", [half, half])}, ["/scripts/a"]) == {"its script is longer than 128 KiB and was not read"}
	steps := concat("", ["#!/bin/sh\n", concat("", ["a;" | some _ in numbers.range(1, 1000)])])
	_unread_of({"a": steps}, ["sh", "-c", "/scripts/a; /scripts/a; /scripts/a"]) == {too_many}
	_unread_of(_files, ["/scripts/odd.sh"]) == {"its script has characters that are not read"}
}
