package headroom.process

# What a shell makes of a script, as far as that can be told without running it. Of a script of more
# tokens, or of more here-documents, than this nothing is read.
_max_tokens := 3000

_max_here := 50

_substituted := `\$\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`

_braced := `\$\{(?:[^{}]|\$?\{[^{}]*\})*\}`

_plain_reference := `\$[A-Za-z_][A-Za-z0-9_]*|\$[0-9@*#?$!-]`

# shell_replaces is what a shell replaces.
shell_replaces := _of_shell

_of_shell := concat("|", [_substituted, _braced, _plain_reference, "`[^`]*`"])

_double := concat("", [`"(?:`, _of_shell, "|[^\"\\\\$`]|\\\\.|\\$)*\""])

# $'…' and $"…" are quotes to some shells.
_dollar_quote := `\$'(?:[^'\\]|\\.)*'|\$"(?:[^"\\]|\\.)*"`

_word_part := concat("|", [
	_double, `'[^']*'`, `\\.`, _dollar_quote, _of_shell, `\$`,
	"[^ \t\n\"'\\\\;&|<>()`$]",
])

_token := concat("", [
	`(?s)#[^\n]*|[0-9]*(?:<<<|<<-?|&>>|&>|>>|>&|<&|>\||<>|>|<)[ \t]*(?:`, _word_part, `)*|`,
	`&&|\|\||;;|\|&|[;&|\n()]|(?:`, _word_part, `)+`,
])

_operator := {"&&", "||", ";;", "|&", ";", "&", "|", "\n", "(", ")"}

# The shell's own words where a command may begin, and whether they open or close what may not run.
_reserved_words := {
	"!": 0,
	"case": 1,
	"do": 0,
	"done": -1,
	"elif": 0,
	"else": 0,
	"esac": -1,
	"fi": -1,
	"for": 1,
	"if": 1,
	"select": 1,
	"then": 0,
	"until": 1,
	"while": 1,
	"{": 1,
	"}": -1,
}

# steps are the commands of a script, in order: {at, assigns, words, certain, beside, apart}. words and assigns are
# as written. certain is true if no branch, loop or function decides whether it runs. beside is true if the next
# one does not wait for it, and apart if it runs in a subshell.
steps(script) := [step |
	segments := _shell_segments(_shell_tokens(script))
	depths := _depths(segments)
	last := min({i | some i, _ in segments; _ends_the_script(segments, depths, i)} | {count(segments)})
	parentheses := {
		"opened": [i | some i, segment in segments; segment.previous == "("],
		"closed": [i | some i, segment in segments; segment.next == ")"; segment.runs],
	}
	some i, segment in segments
	i <= last
	count(segment.words) + count(segment.assigns) > 0
	step := {
		"at": i,
		"assigns": segment.assigns,
		"words": segment.words,
		"certain": _certain(segments, depths, i),
		"beside": segment.next in {"&", "|", "|&"},
		"apart": _apart(segment, i, parentheses),
	}
]

# A subshell: what it sets, those behind it do not see.
default _apart(_, _, _) := false

_apart(segment, _, _) if segment.next in {"&", "|", "|&"}

_apart(segment, _, _) if segment.previous in {"|", "|&"}

# Of very many parentheses, any may be open.
_apart(_, _, parentheses) if count(parentheses.opened) > _max_here

_apart(_, i, parentheses) if {
	count(parentheses.opened) <= _max_here
	opened := count([k | some k in parentheses.opened; k <= i])
	opened > count([k | some k in parentheses.closed; k < i])
}

_shell_tokens(script) := tokens if {
	count(script) < max_command
	count(regex.find_n(_here, script, _max_here + 1)) <= _max_here
	tokens := [token |
		some token in regex.find_n(_token, _prepared(script), -1)
		not regex.match(`^(?:#|[0-9]*[<>]|&>)`, token)
	]
	count(tokens) <= _max_tokens
} else := []

# Broken lines are joined, here-documents hold no commands, and a function's body is a group that may not run.
_prepared(script) := regex.replace(_without_bodies(_joined_lines(script)), _function, "\n{ ")

_joined_lines(script) := script if {
	not contains(script, "\\\n")
} else := regex.replace(script, _broken_line, "$1")

# In comments and single quotes a backslash breaks no line.
_broken_line := `((?:^|[\s;&|()])#[^\n]*|'[^']*'|"(?:[^"\\]|\\[^\n])*"|\\[^\n])|\\\n`

_function := `(?:\bfunction\s+[A-Za-z_][A-Za-z0-9_.-]*\s*(?:\(\s*\))?|[A-Za-z_][A-Za-z0-9_.-]*[ \t]*\([ \t]*\))\s*\{`

_without_bodies(script) := script if {
	not contains(script, "<<")
} else := concat("\n", [line | some i, line in lines; not i in bodies]) if {
	lines := split(script, "\n")
	bodies := {within |
		some start, line in lines
		some groups in regex.find_all_string_submatch_n(_here, line, -1)
		some within in _body(lines, start, groups[1])
	}
}

# What ends nowhere is no here-document: $((1 << n)), <<< "$text".
_body(lines, start, name) := numbers.range(start + 1, end) if {
	end := min({i | some i, line in lines; i > start; trim(line, " \t") == name})
} else := []

_here := `<<-?[ \t]*["'\\]?([A-Za-z_][A-Za-z0-9_]*)`

# Between two operators stands one command, behind the shell's own words and its variables.
_shell_segments(tokens) := [segment |
	cases := [i | some i, token in tokens; token == "case"]
	closed := [i | some i, token in tokens; token == "esac"]
	ends := array.concat([i | some i, token in tokens; token in _operator], [count(tokens)])
	some n, end in ends
	start := _start(ends, n)
	part := array.slice(tokens, start, end)
	reserved := _leading(part)
	rest := array.slice(part, count(reserved), count(part))
	assigned := min({i | some i, word in rest; not regex.match(_assignment, word)} | {count(rest)})
	previous := _token_at(tokens, start - 1)
	next := _token_at(tokens, end)
	runs := _runs(reserved, previous, next, _in_case(cases, closed, end))
	segment := {
		"reserved": reserved,
		"assigns": [word | runs; some word in array.slice(rest, 0, assigned)],
		"words": [word | runs; some word in array.slice(rest, assigned, count(rest))],
		"previous": previous,
		"next": next,
		"runs": runs,
	}
]

default _token_at(_, _) := ""

_token_at(tokens, i) := tokens[i]

_assignment := `^[A-Za-z_][A-Za-z0-9_]*\+?=`

_start(_, 0) := 0

_start(ends, n) := ends[n - 1] + 1 if n > 0

_leading(part) := array.slice(part, 0, first) if {
	words := {"time"} | object.keys(_reserved_words)
	first := min({i | some i, word in part; not word in words} | {count(part)})
}

# Of very many, any may be open.
_in_case(cases, _, _) if count(cases) > _max_here

_in_case(cases, closed, at) := opened if {
	count(cases) <= _max_here
	opened := count([i | some i in cases; i < at]) > count([i | some i in closed; i < at])
}

# Behind for, case and select stand words, and in front of ) a pattern.
default _runs(_, _, _, _) := true

_runs(reserved, _, _, _) := false if reserved[count(reserved) - 1] in {"for", "case", "select"}

_runs(_, previous, ")", true) := false if previous != "("

# How many branches, loops and groups are open.
_depths(segments) := [depth |
	weights := [sum([_weight(word, segments) | some word in segment.reserved]) | some segment in segments]
	some i, _ in segments
	depth := sum(array.slice(weights, 0, i + 1))
]

default _weight(_, _) := 0

_weight(word, _) := _reserved_words[word]

# A command whose turn comes whatever the others say.
default _certain(_, _, _) := false

_certain(segments, depths, i) if {
	depths[i] <= 0
	chain := max({k | some k in numbers.range(0, i); not segments[k].previous in {"&&", "||"}})
	every k in numbers.range(chain, i) {
		segments[k].previous != "||"
		_goes_on(segments[k], k, i)
	}
}

# [ … ] && decides; cd … && does not.
_goes_on(_, i, i)

_goes_on(segment, k, i) if {
	k < i
	not segment.words[0] in {"[", "[[", "test", "grep", "false"}
	not "!" in segment.reserved
}

# Nothing comes behind exec and exit.
_ends_the_script(segments, depths, i) if {
	segments[i].words[0] in {"exec", "exit"}
	_is_last(segments[i].words)
	not segments[i].next in {"&", "|", "|&"}
	_certain(segments, depths, i)
	opened := count([k | some k in numbers.range(0, i); segments[k].previous == "("])
	opened == count([k | some k in numbers.range(0, i); segments[k].next == ")"; k < i])
}

# exec without a command redirects.
_is_last(words) if words[0] == "exit"

_is_last(words) if count(words) > 1

# _fields_of are what a word becomes: quotes group, what is not in quotes splits at blanks. Some shells make several of
# a,b in braces.
_fields_of(table, word, at) := [unresolved] if {
	regex.match(`\{.*(?:,|\.\.).*\}`, word)
	regex.match(`\{[^{}]*(?:,|\.\.)[^{}]*\}`, regex.replace(word, _not_bare, ""))
} else := [word] if {
	not regex.match("[\"'\\\\$`]", word)
} else := [replace(field, _empty_quotes, "") |
	text := concat("", [_field_text(table, part, at) | some part in regex.find_n(_parts, word, -1)])
	some field in split(text, _between_fields)
	field != ""
]

_parts := concat("", ["(?s)", _word_part])

_not_bare := concat("|", [_double, `'[^']*'`, `\\.`, _dollar_quote, _of_shell])

_between_fields := "\u0006"

_empty_quotes := "\u0007"

_field_text(table, part, at) := unresolved if {
	regex.match("^[$`].", part)
	table.IFS # the script says where fields end
} else := regex.replace(text, `[ \t\n]+`, _between_fields) if {
	regex.match("^[$`].", part)
	text := _resolved(table, _marked_part(table, part, at))
} else := "" if {
	# No arguments are no word, not an empty one.
	regex.match(`^"\$(?:@|\{@\})"$`, part)
	table["@"] == []
} else := concat("", [_empty_quotes, _resolved(table, _marked_part(table, part, at))])

# _marked is a word without its quotes, with references for what the shell replaces.
_marked(table, word, at) := concat("", [_marked_part(table, part, at) | some part in regex.find_n(_parts, word, -1)])

_marked_part(table, part, at) := concat("", [_marked_inner(table, inner, at) |
	some inner in regex.find_n(_inner_parts, substring(part, 1, count(part) - 2), -1)
]) if {
	startswith(part, `"`)
} else := trim(part, "'") if {
	startswith(part, "'")
} else := substring(part, 1, 1) if {
	startswith(part, `\`)
} else := _mark(table, part, at) if {
	regex.match("^[$`].", part)
} else := part

_inner_parts := concat("", ["(?s)", _of_shell, "|\\\\.|[^\\\\$`]+|."])

_marked_inner(table, part, at) := substring(part, 1, 1) if {
	regex.match("^\\\\[\"\\\\$`\n]$", part)
} else := concat(" ", table["@"]) if {
	part in {"$*", "${*}"}
} else := _mark(table, part, at) if {
	regex.match("^[$`].", part)
} else := part

# A reference of a shell, as a reference to a variable at its place; "$@" is what follows the script.
_mark(table, part, at) := _referred(trim(part, "${}"), at) if {
	regex.match(_shell_variable, part)
} else := _or_default(groups[1], at, regex.replace(groups[2], `^(["'])(.*)["']$`, "$2")) if {
	[groups] := regex.find_all_string_submatch_n("^\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^$`\u0003]*)|-)\\}$", part, 1)
} else := concat(_between_fields, table["@"]) if {
	trim(part, "${}") in {"@", "*"}
} else := table["@"][to_number(trim(part, "${}")) - 1] if {
	regex.match(`^\$\{?[1-9]\}?$`, part)
} else := table["0"] if {
	trim(part, "${}") == "0"
} else := unresolved

_shell_variable := `^\$\{?[A-Za-z_][A-Za-z0-9_]*\}?$`

# _shell_table is what a shell's variables hold, as a table of references: what arrives in its environment, then
# what its script sets. A variable that is set in a branch, or read from input, is not known.
_shell_table(shell, all) := object.union(positions, {name: array.concat(
	[{"at": -1, "text": _on_arrival(shell, name)}],
	[{"at": set.at, "text": set.text} | some set in object.get(by_name, name, [])],
) |
	some name in names
}) if {
	positions := {"@": _positions(shell), "0": shell.name}
	by_name := _by_name(_settings(positions, all))
	names := (object.keys(by_name) | {groups[1] |
		some pattern in [`\$\{?([A-Za-z_][A-Za-z0-9_]*)`, `\b([A-Za-z_][A-Za-z0-9_]*)\+=`]
		some groups in regex.find_all_string_submatch_n(pattern, shell.script, -1)
	}) - _read_names(shell.script)
}

# shift, set -- and functions have others.
_positions(shell) := [unresolved] if {
	regex.match(concat("", [`\bshift\b|\bset\s+--|`, _function]), shell.script)
} else := shell.arguments

_read_names(script) := {groups[1] |
	some groups in regex.find_all_string_submatch_n(
		`\b(?:for|select|getopts\s+\S+|printf\s+-v|read(?:\s+-\S+)*|mapfile(?:\s+-\S+)*)\s+([A-Za-z_][A-Za-z0-9_]*)`,
		script, -1,
	)
}

_on_arrival(shell, name) := found.value if {
	found := arrived(shell, name)
	found.state == "literal"
} else := "" if {
	shell.emptied
} else := unresolved

# What each command sets for those that follow: {at, name, text, gone}.
_settings(positions, all) := [object.union(setting, {
	"at": step.at,
	"name": name,
	"text": _set_text(positions, step, setting.word),
}) |
	some step in all
	some setting in array.concat(
		[{"word": word, "gone": false} |
			some word in _set_in(step)
		],
		[{"word": concat("", [word, "="]), "gone": true} |
			step.words[0] == "unset"
			some word in step.words
			regex.match(`^[A-Z_a-z][A-Z_a-z0-9]*$`, word)
			word != "unset"
		],
	)
	name := regex.find_n(`^[A-Za-z_][A-Za-z0-9_]*`, setting.word, 1)[0]
]

# NAME=value NAME=value, alone or behind export, which takes "NAME=value" as well.
_set_in(step) := step.assigns if {
	count(step.words) == 0
} else := [set |
	some word in step.words
	set := _quote_behind_name(word)
	regex.match(_assignment, set)
] if {
	step.words[0] in {"export", "declare", "typeset", "readonly", "local"}
} else := []

_quote_behind_name(word) := regex.replace(word, `^(["'])([A-Za-z_][A-Za-z0-9_]*\+?=)`, "$2$1")

_set_text(positions, step, word) := unresolved if {
	not step.certain
} else := unresolved if {
	step.apart
} else := concat("", [_before_appended(step, word), _marked(positions, substring(word, at + 1, -1), step.at)]) if {
	at := indexof(word, "=")
}

# _before_appended is what NAME+=value is added to.
_before_appended(step, word) := _referred(substring(word, 0, at - 1), step.at) if {
	at := indexof(word, "=")
	substring(word, at - 1, 1) == "+"
} else := ""

_by_name(found) := {name: [set | some set in found; set.name == name] | some name in {set.name | some set in found}}
