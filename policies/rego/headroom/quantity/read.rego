package headroom.quantity

# Our own limit, far over any real quantity: longer ones cost ParseQuantity time (W45).
max_length := 32

# The blanks JSON leaves unescaped, U+0085 to U+3000.
blanks := " \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

# suffix is a pattern of what may follow the digits of a quantity. HR001's guard is for exponents beyond 18.
suffix := `(?:[numkMGTPE]|[KMGTPE]i|[eE][+-]?0*(?:1[0-8]|[0-9]))?`

# text is what Quantity.UnmarshalJSON reads: null is zero, a number is its JSON text. It trims blanks but undoes
# no JSON escape, so that a tab or a line break, which JSON must escape, is refused. false for true, lists and maps.
text(x) := trim(x, blanks) if {
	is_string(x)
} else := json.marshal(x) if {
	is_number(x)
} else := "0" if {
	is_null(x)
} else := false

# guard is "" or why a text must not reach ParseQuantity: a comparison with `1e99999999` hangs (W45).
guard(t) := sprintf("is %d characters long; a quantity has at most %d", [count(t), max_length]) if {
	count(t) > max_length
} else := "has an exponent beyond 18" if {
	regex.match(far_exponent, t)
} else := ""

# far_exponent is one beyond 18.
far_exponent := `[eE][-+]?0*(?:19|[2-9][0-9]|[1-9][0-9]{2,})$`

# read is total: reason is "" or why x is no quantity; nanos and negative are its value.
read(x) := reading(t) if {
	t := text(x)
	is_string(t)
} else := refused(sprintf("is of type %s; a quantity is a string or a number", [type_name(x)]))

reading(t) := refused(reason) if {
	reason := guard(t)
	reason != ""
} else := exact(groups[1], groups[2], groups[3], groups[4]) if {
	pattern := `^([+-]?)([0-9]*)\.?([0-9]*)([numkMGTPE]?|[KMGTPE]i|[eE][+-]?[0-9]+)$`
	some groups in regex.find_all_string_submatch_n(pattern, t, 1)
	not void(t)
} else := refused(complaint(t))

# void is what has no digit and yet is not zero. To ParseQuantity a lone sign, point or unit is zero, but not the
# empty text, nor the units that send it its long way.
void(t) if regex.match(`^(?:|[+-]?\.?(?:[PE]i|[eE]-0*1[0-8]))$`, t)

refused(reason) := {"reason": reason, "nanos": "0", "negative": false}
