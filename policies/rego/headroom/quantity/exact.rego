package headroom.quantity

# A value is a whole number of nanos in decimal text, the precision ParseQuantity rounds up to: text and
# integers are exact on every OPA, fractions and divisions are not.

zeros := "0000000000000000000000000000000000000000"

max_int64 := "9223372036854775807"

max_nanos := concat("", [max_int64, "000000000"])

# exact is the value of the pieces of a quantity. Only binary units are capped, as in ParseQuantity.
exact(sign, whole, fraction, unit) := {"reason": "", "nanos": nanos, "negative": negative} if {
	digits := significant(concat("", [whole, fraction]))
	all := raised(shifted(digits, unit), count(fraction) - tens(unit), 9)
	nanos := capped(all, unit)
	negative := {sign, nanos == "0"} == {"-", false}
}

capped(nanos, unit) := at_most(nanos, max_nanos) if binary_bits[unit]

else := nanos

shifted(digits, unit) := json.marshal(bits.lsh(to_number(digits), power)) if power := binary_bits[unit]

else := digits

# tens is the power of ten of a unit: a letter's, an exponent's, none for a binary one.
tens(unit) := power if {
	power := unit_tens[unit]
} else := exponent * sign if {
	exponent := to_number(significant(trim_left(unit, "eE+-")))
	sign := 1 - (2 * strings.count(unit, "-"))
}

# raised is digits / 10^decimals, counted in units of 10^-places and rounded up.
raised(digits, decimals, places) := significant(concat("", [digits, substring(zeros, 0, places - decimals)])) if {
	decimals <= places
} else := up(significant(substring(padded, 0, count(digits))), substring(padded, count(digits), -1)) if {
	padded := concat("", [substring(zeros, 0, decimals - places), digits])
}

up(kept, dropped) := kept if {
	significant(dropped) == "0"
} else := json.marshal(to_number(kept) + 1)

significant(digits) := trimmed if {
	trimmed := trim_left(digits, "0")
	trimmed != ""
} else := "0"

# at_most compares by text: shorter is less, and at one length the alphabet decides.
at_most(digits, most) := most if {
	count(digits) > count(most)
} else := most if {
	count(digits) == count(most)
	digits > most
} else := digits

# scaled is the value in units of 10^-places, rounded up; -1 for what is no quantity or negative.
scaled(x, places) := to_number(at_most(raised(value.nanos, 9, places), max_int64)) if {
	value := read(x)
	value.reason == ""
	not value.negative
} else := -1

# plain is the value as a decimal, no exponent.
plain(value) := trim_right(concat("", [sign, whole, ".", trim_right(fraction, "0")]), ".") if {
	padded := concat("", [substring(zeros, 0, 10), value.nanos])
	point := count(padded) - 9
	whole := significant(substring(padded, 0, point))
	fraction := substring(padded, point, -1)
	sign := {true: "-", false: ""}[value.negative]
}
