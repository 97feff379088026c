package headroom.runtime.jvm

# flag_fields is what flag_table says of a flag, by its name without -XX: and sign; {} where no
# release knows it. The letter that a release has in states is -, x, d, i, p or m, deprecated or
# not.
flag_fields(name) := {"type": fields.type, "states": lower(fields.states)} if {
	fields := flag_details(name)
} else := {}

# flag_details has the whole row: type, states, unit, range and default, as they are written.
flag_details(name) := {
	"type": fields[0],
	"states": fields[1],
	"unit": fields[2],
	"range": fields[3],
	"default": fields[4],
} if {
	fields := flag_table[name]
}

# ranges_of are the ranges of a flag, {least, most, releases}; a range without a bound lacks its key.
ranges_of(name) := [object.union({"releases": releases}, _bounds_of(text)) |
	parts := split(flag_details(name).range, ",")
	some i, part in parts
	text := regex.replace(part, `^[0-9]+:`, "")
	text != "-"
	from := _from(part)
	to := min({1000} | {_from(later) | some k, later in parts; k > i})
	releases := {v | some v in measured; v >= from; v < to; not _absent(name, v)}
]

_from(part) := to_number(split(part, ":")[0]) if contains(part, ":")

_from(part) := 0 if not contains(part, ":")

_bounds_of(text) := {bound: to_number(ends[i]) |
	ends := split(text, "..")
	some i, bound in ["least", "most"]
	ends[i] != ""
}

# flag_default is the default of a release, as the JVM prints it; + and - are those of a switch.
flag_default(name, release) := flag_value_on(flag_details(name).default, release) if not _absent(name, release)

_absent(name, release) if {
	some i, v in measured
	v == release
	substring(flag_fields(name).states, i, 1) in {"-", "i"}
}

# flag_value_on reads 8:25,11:50, which is 25 from Java 8 on and 50 from Java 11 on.
flag_value_on(text, _) := text if not contains(text, ":")

flag_value_on(text, release) := values[count(values) - 1] if {
	contains(text, ":")
	values := [value |
		some part in split(text, ",")
		[from, value] := split(part, ":")
		to_number(from) <= release
	]
}
