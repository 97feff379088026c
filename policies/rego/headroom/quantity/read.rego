package headroom.quantity

decimal_tens := {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}

binary_bits := {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

unit_tens := object.union(decimal_tens, {unit: 0 | some unit, _ in binary_bits})

max_length := 32

# The blanks JSON leaves unescaped, U+0085 to U+3000.
blanks := " \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

# text is what Quantity.UnmarshalJSON reads: null is zero, a number is its JSON text. It trims blanks but undoes
# no JSON escape, so that a tab or a line break, which JSON must escape, is refused.
text(x) := trim(x, blanks) if {
	is_string(x)
} else := "0" if {
	is_null(x)
} else := json.marshal(x)

# guard is "" or why a text must not reach ParseQuantity: `1e99999999` parses at once, then hangs who compares it.
guard(t) := sprintf("is %d characters long; a quantity has at most %d", [count(t), max_length]) if {
	count(t) > max_length
} else := "has an exponent beyond 18" if {
	regex.match(`[eE][-+]?0*(?:19|[2-9][0-9]|[1-9][0-9]{2,})$`, t)
} else := ""

# read is total: reason is "" or why x is no quantity; nanos and negative are its value.
read(x) := refused(reason) if {
	reason := guard(text(x))
	reason != ""
} else := refused("is empty") if {
	text(x) == ""
} else := refused("has no digits") if {
	# A lone sign, point or unit is zero to ParseQuantity, but not in the units that send it its long way.
	regex.match(`^[+-]?\.?(?:[PE]i|[eE]-0*1[0-8])$`, text(x))
} else := exact(groups[1], groups[2], groups[3], groups[4]) if {
	pattern := `^([+-]?)([0-9]*)\.?([0-9]*)([numkMGTPE]?|[KMGTPE]i|[eE][+-]?[0-9]+)$`
	some groups in regex.find_all_string_submatch_n(pattern, text(x), 1)
} else := refused("is not a number with one of the units m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or none")

refused(reason) := {"reason": reason, "nanos": "0", "negative": false}
