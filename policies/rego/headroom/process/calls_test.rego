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
		["shell", "shells stand in each other deeper than is read", false],
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
