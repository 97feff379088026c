package headroom.process

# _handed_on is what a script hands on to what it starts. It has what is set, {name: [[place, text], …]} in order,
# null for a name that is gone. It also has the spans in which a name is withheld, [name, from, to].
_handed_on(shell, table, all) := {"set": set, "withheld": _withheld(all)} if {
	by_name := _by_name(_settings(object.filter(table, ["@", "0"]), all))
	declared := _exported_by(all)
	every_one := _exports_all(all)
	set := {name: [[set.at, _set_value(table, set)] | some set in sets] |
		some name, sets in by_name
		_is_exported(shell, name, {every_one, name in declared})
	}
}

_set_value(_, set) := null if _is_gone(set)

_set_value(table, set) := _resolved(table, _referred(set.name, set.at + 1)) if not _is_gone(set)

_is_gone(set) if {
	set.gone
	set.text != unresolved # a branch or a subshell takes it away
}

# _exports are those of one place in the script: {name: text}.
_exports(handed, at) := object.union(set, {name: null |
	some [name, from, to] in handed.withheld
	from < at
	at <= to
}) if {
	set := {name: earlier[count(earlier) - 1][1] |
		some name, sets in handed.set
		earlier := [set | some set in sets; set[0] < at]
		count(earlier) > 0
	}
}

# export -n takes a name back until it is exported again, or to the end: a script has no more places than tokens.
_withheld(all) := [[name, step.at, min(again | {_max_tokens})] |
	some step in all
	step.certain
	step.words[0] in _exporters
	step.words[1] in {"-n", "+x"}
	some name in array.slice(step.words, 2, count(step.words))
	again := {later.at |
		some later in all
		later.at > step.at
		later.words[0] == "export"
		later.words[1] != "-n"
		name in {split(word, "=")[0] | some word in later.words}
	}
]

_exporters := {"export", "declare", "typeset"}

_is_exported(_, _, said) if true in said

# A variable that came in the environment goes on in it, whatever is assigned to it.
_is_exported(shell, name, said) if {
	not true in said
	arrived(shell, name).state != "absent"
}

_exported_by(all) := {trim_suffix(split(_quote_behind_name(word), "=")[0], "+") |
	some step in all
	step.words[0] in _exporters
	some word in step.words
}

default _exports_all(_) := false

_exports_all(all) if {
	some step in all
	step.words[0] == "set"
	some word in step.words
	regex.match(`^-[a-z]*a[a-z]*$|^allexport$`, word)
}
