package headroom.quantity

# complaint words why a text is no quantity, the frequent slips first.
complaint(t) := "is empty" if {
	t == ""
} else := "holds a line break, a tab or another control character, which the API server does not trim" if {
	regex.match(`[\x00-\x1f]`, t)
} else := "has a blank inside" if {
	regex.match(`[\pZ\x{85}]`, t)
} else := "has a comma; the decimal mark is a point" if {
	contains(t, ",")
} else := sprintf("has the unit %s, which Kubernetes does not know; %s", [unit, advice]) if {
	some [_, unit] in regex.find_all_string_submatch_n(`^[+-]?(?:[0-9]+\.?|\.[0-9])[0-9]*([A-Za-z]+)$`, t, 1)
	advice := object.get(units_near, lower(substring(unit, 0, 1)), unit_list)
} else := sprintf("is not a number with a unit; %s", [unit_list])

unit_list := "units are m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei or none"

# What may have been meant, by first letter: most slips are `MB`, `K`, `gb` and `mi`.
units_near := {
	"k": "k is 1000, Ki is 1024",
	"m": "M is 1000000, Mi is 1048576, m is a thousandth",
	"g": "G is 10^9, Gi is 2^30",
	"t": "T is 10^12, Ti is 2^40",
	"p": "P is 10^15, Pi is 2^50",
	"e": "E is 10^18, Ei is 2^60",
}
