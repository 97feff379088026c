package headroom.process

# What a script of a few hundred bytes becomes may be gigabytes. A reference of two characters stands for a value of
# 128 KiB as often as it is written, and a variable that refers to another twice doubles it. What becomes longer is
# not read. In characters.
_max_script := 262144

# Nor is what sets variables more often: each setting is looked up from each place behind it. In NAME=value words.
max_settings := 200

# _readable_script says that a script can be read: there are commands, and they do not become too many.
_readable_script(shell, all) if {
	count(all) > 0
	count([word | some step in all; some word in _words_in(step); regex.match(_assignment, word)]) <= max_settings
	count([word | some step in all; step.words[0] in _exporters; some word in step.words]) <= max_settings
	becomes(shell, all) < _max_script
}

_words_in(step) := array.concat(step.assigns, step.words)

# becomes is how many characters the commands of a script have once their variables are filled in, at most. Of all
# that a variable may hold the longest counts, to the depth that is filled in.
becomes(shell, all) := count(shell.script) if {
	not contains(shell.script, "$")
} else := sum([_length(word, longest) | some step in all; some word in _words_in(step)]) if {
	first := object.union(_given_lengths(shell), {name: count(_on_arrival(shell, name)) |
		some name in {name | some name in _refers_to(shell.script); regex.match(`^[A-Za-z_]`, name)}
	})
	set := {name: [word | some word in assigned; regex.find_n(_variable_name_of, word, 1)[0] == name] |
		assigned := [word | some step in all; some word in _words_in(step); regex.match(_assignment, word)]
		some name in {regex.find_n(_variable_name_of, word, 1)[0] | some word in assigned}
	}
	longest := _longer(set, _longer(set, _longer(set, _longer(set, first))))
}

_variable_name_of := `^[A-Za-z_][A-Za-z0-9_]*`

# $@ is all arguments, $1 one of them.
_given_lengths(shell) := object.union(
	{"@": whole, "*": whole},
	{sprintf("%d", [digit]): max({count(text) | some text in array.concat(shell.arguments, [shell.name])}) |
		some digit in numbers.range(0, 9)
	},
) if {
	whole := count(shell.arguments) + sum([count(text) | some text in shell.arguments])
}

_longer(set, lengths) := object.union(lengths, {name: max({object.get(lengths, name, 0)} | longest) |
	some name, assigned in set
	longest := {length |
		some word in assigned
		length := _length(word, lengths) + _appends(word, object.get(lengths, name, 0))
	}
})

# NAME+=value
_appends(word, length) := length if {
	regex.match(`^[A-Za-z0-9_]*\+=`, word)
} else := 0

_length(word, lengths) := count(word) if {
	not contains(word, "$")
} else := count(word) + sum([object.get(lengths, name, 1) | some name in _refers_to(word)])

_refers_to(text) := [groups[1] |
	some groups in regex.find_all_string_submatch_n(`\$\{?([A-Za-z_][A-Za-z0-9_]*|[@*0-9])`, text, -1)
]
