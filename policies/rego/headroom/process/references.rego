package headroom.process

# A text refers to a variable as \u0003NAME\u0004AT\u0003: to the last value that NAME got before place AT.
# A table has what there is: {NAME: [{"at": place, "text": text}, …]}, in order. A text of a table may
# refer to earlier values in turn.
_referred(name, at) := concat("", ["\u0003", name, "\u0004", sprintf("%d", [at]), "\u0003"])

# _or_default is ${NAME:-text}.
_or_default(name, at, text) := concat("", ["\u0003", name, "\u0004", sprintf("%d", [at]), "\u0004", text, "\u0003"])

# _resolved fills references in. Rego knows no recursion: what goes deeper than five levels is unresolved, as
# is what would grow beyond the longest command.
_resolved(table, text) := text if {
	not contains(text, "\u0003")
} else := regex.replace(_filled(table, first), _reference, unresolved) if {
	first := _filled(table, _filled(table, _filled(table, _filled(table, text))))
}

_reference := "\u0003[^\u0003]*\u0003"

_filled(table, text) := text if {
	not contains(text, "\u0003")
} else := _joined(regex.split(_reference, text), [values[ref] | some ref in refs]) if {
	refs := regex.find_n(_reference, text, -1)

	# Each value is looked at once, however often it is written.
	values := {ref: _value_before(table, ref) | some ref in {ref | some ref in refs}}
	lengths := {ref: count(value) | some ref, value in values}
	sum([lengths[ref] | some ref in refs]) < max_command
} else := unresolved

_value_before(table, ref) := _not_empty(texts[count(texts) - 1], parts) if {
	parts := split(trim(ref, "\u0003"), "\u0004")
	texts := [entry.text | some entry in table[parts[0]]; entry.at < to_number(parts[1])]
	count(texts) > 0
} else := unresolved

_not_empty("", [_, _, text]) := text

_not_empty(text, [_, _, _]) := text if text != ""

_not_empty(text, [_, _]) := text

_joined(pieces, values) := concat("", [part |
	numbered := {i: value | some i, value in values}
	some i, piece in pieces
	part := concat("", [piece, object.get(numbered, i, "")])
])

# expand replaces $(NAME) in command and args, and expanded in the value of an entry of env. Both do it
# as the kubelet does (k8s.io/kubernetes/third_party/forked/golang/expansion). env is taken in its
# order, each entry from what stands before it, over envFrom. $$ is a $, and the name of no variable
# stays as it is.
expand(c, text) := _expanded_at(c, text, object.get(c.raw, ["inside", "env"], count([entry | some entry in c.raw.env])))

_expanded_at(c, text, at) := text if {
	not contains(text, "$")
} else := _resolved(_kubelet_table(c, text), _annotated(text, at))

_kubelet := `\$\$|\$\([^)\x01]*\)`

_annotated(text, at) := text if {
	not contains(text, "$")
} else := _joined(regex.split(_kubelet, text), [_kubelet_mark(ref, at) | some ref in regex.find_n(_kubelet, text, -1)])

_kubelet_mark("$$", _) := "$"

_kubelet_mark(ref, at) := _referred(_referred_name(ref), at) if ref != "$$"

_referred_name(ref) := substring(ref, 2, count(ref) - 3)

# late are the variables that an entry of env refers to and that stand behind it alone, sorted: the kubelet leaves
# $(NAME) of these as it is. Only words with one of these beginnings count.
late(c, path, beginnings) := sort([name |
	i := path[count(c.path) + 1]
	array.slice(path, count(c.path), count(path)) == ["env", i, "value"]
	some word in regex.split(`\s+`, c.raw.env[i].value)
	strings.any_prefix_match(word, beginnings)
	some ref in {ref | some ref in regex.find_n(_kubelet, word, -1); ref != "$$"}
	name := _referred_name(ref)
	places := [k | c.raw.env[k].name == name]
	min(places) > i
])

# Only what is referred to is looked up: texts that hold no reference need no table.
_kubelet_table(c, text) := {name: array.concat(
	[{"at": -1, "text": _from_outside(c, name)}],
	[{"at": i, "text": _entry_text(c, i)} | some i in object.get(places, name, [])],
) |
	names := {_referred_name(ref) |
		some holding in array.concat([text], [value | value := c.raw.env[_].value; is_string(value)])
		some ref in regex.find_n(_kubelet, holding, -1)
		ref != "$$"
	}
	places := {name: [i | c.raw.env[i].name == name] | some name in names}
	some name in names
}

_entry_text(c, i) := _annotated(value, i) if {
	value := c.raw.env[i].value
	is_string(value)
	value != ""
} else := sprintf("%d", [given.value]) if {
	given := amount(c, c.raw.env[i].valueFrom.resourceFieldRef)
	not given.node
} else := object.get(_entry(c, i), "value", unresolved)

# What stands under env: envFrom, and the addresses of Services.
_from_outside(c, name) := found[count(found) - 1].value if {
	found := [v | some source in bulk(c); v := _from_bulk(source, name)]
	count(found) > 0
} else := unresolved if {
	some source in bulk(c)
	source.why
} else := unresolved if {
	regex.match(`_SERVICE_(?:HOST|PORT)|_PORT(?:$|_[0-9]+_)`, name)
} else := concat("", ["$(", name, ")"])
