package headroom.runtime.jvm

# _wanting is a refusal of the value of a flag, with the values that every release takes.
_wanting(r, name) := object.union(r, {"wants": _wants(r.flags[0], name)})

_wants(text, name) := concat("", [substring(text, 0, count(text) - 2), lower(substring(text, count(text) - 2, 1))]) if {
	regex.match(`^-[^…]*[0-9][KMGT]i$`, text)
} else := sprintf("-XX:+%s or -XX:-%s", [name, name]) if {
	flag_fields(name).type == "b"
} else := sprintf("%s with %s", [option, _taken(option, name)]) if {
	option := regex.find_n(`^-(?:X(?:m[nsx]|ss|maxjitcodesize)|mx|ms|ss|XX:[A-Za-z0-9]+)`, text, 1)[0]
} else := ""

_taken(option, name) := _size_taken if {
	flag_details(name).unit == "B"
} else := _size_taken if {
	option in {"-Xss", "-ss"}
} else := sprintf("a number%s and a decimal point", [_range_taken(name)]) if {
	flag_fields(name).type == "d"
} else := sprintf("a whole number%s", [_range_taken(name)])

_size_taken := "a whole number and k, m or g behind it"

# Bounds that one release has hold for all. Those of ThreadStackSize are in bytes, and it counts KiB.
_range_taken(name) := text if {
	rows := array.concat(ranges_of(name), [row | some row in _bounds; row.flag == name; name != "ThreadStackSize"])
	least := [max(ends) | ends := [row.least | some row in rows]; count(ends) > 0]
	most := [min(ends) | ends := [row.most | some row in rows; row.most < 1000000000]; count(ends) > 0]
	text := _from_to(least, most)
}

_from_to([least], [most]) := sprintf(" from %v to %v", [least, most])

_from_to([least], []) := sprintf(" of at least %v", [least])

_from_to([], _) := ""
