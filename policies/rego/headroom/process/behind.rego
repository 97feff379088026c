package headroom.process

# behind is a call with what a chain of wrappers before it does to its environment, in their order.
behind(call, "") := call

behind(call, chain) := object.union(call, {
	"set": object.union(kept, object.union_n([_set_by_words(one) | some i, one in all; i >= emptied])),
	"emptied": _or(call.emptied, emptied >= 0),
	"changed": _or(call.changed, count([one | some one in all; _does("changes", one)]) > 0),
	"hides": array.concat(call.hides, [{
		"what": _name_of(one),
		"why": "it may change the environment",
		"path": path_of_command(call.c),
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

_name_of(one) := regex.find_n(last_name, split(one, separator)[1], 1)[0]

_about(one) := _wrappers[_name_of(one)]

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

# arrived is what a variable holds when that program starts, in the form of variable.
arrived(call, name) := {"state": "absent"} if {
	call.set[name] == null
} else := {"state": "literal", "value": value, "path": path_of_command(call.c)} if {
	value := call.set[name]
} else := {"state": "absent"} if {
	call.emptied
} else := object.union(object.remove(found, ["value"]), {"state": "unknown", "why": why}) if {
	found := variable(call.c, name)
	call.changed
	found.state == "literal"
	why := "what stands before the program may take it away"
} else := variable(call.c, name)

# last_call is the call that the words of a container's command come to last: of one of the files in entrypoint, where
# it calls that, also in a branch. Of no words it is the image's own entrypoint.
last_call(c, words, entrypoint) := last[count(last) - 1] if {
	count(words) > 0
	all := calls(c, words)
	of_image := [call | some call in all; calls_file(call, entrypoint)]
	last := [list | some list in [_surely(of_image), of_image, _surely(all)]; count(list) > 0][0]
} else := {"c": c, "set": {}, "emptied": false, "changed": false, "hides": []}

_surely(all) := [call | some call in all; call.certain; not call.beside]

# calls_file says that a call names one of these files of the image.
calls_file(call, files) if {
	some word in split(call.line, separator)
	some file in files
	same_file(word, file)
}

# same_file says that a word of a command is a file of the image, by its path or the end of it.
same_file(word, file) if word == file

same_file(word, file) if endswith(word, concat("", ["/", file]))

same_file(word, file) if {
	not startswith(word, "/")
	regex.match(`[a-z]{4}`, word)
	endswith(file, concat("", ["/", word]))
}
