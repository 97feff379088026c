package headroom.quantity

# A value is a whole number of nanos, the precision ParseQuantity rounds up to, as decimal text.

unit_tens := {
	"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18,
	"Ki": 0, "Mi": 0, "Gi": 0, "Ti": 0, "Pi": 0, "Ei": 0,
}

unit_bits := {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

max_int64 := "9223372036854775807"

max_nanos := "9223372036854775807000000000"

# exact is the value of the pieces of a quantity.
exact(sign, whole, fraction, unit) := {"reason": "", "nanos": nanos, "negative": negative} if {
	digits := significant(concat("", [whole, fraction]))
	nanos := capped(raised(shifted(digits, unit), count(fraction) - tens(unit), 9), unit)
	negative := [sign, nanos == "0"] == ["-", false]
}

# Only binary units are capped, as in ParseQuantity: "2000E" is more than an int64 holds.
capped(nanos, unit) := at_most(nanos, max_nanos) if {
	unit_bits[unit]
} else := nanos

shifted(digits, unit) := json.marshal(bits.lsh(to_number(digits), power)) if {
	power := unit_bits[unit]
} else := digits

# tens is the power of ten in a unit or an exponent.
tens(unit) := power if {
	power := unit_tens[unit]
} else := exponent * (1 - (2 * strings.count(unit, "-"))) if {
	exponent := to_number(significant(trim_left(unit, "eE+-")))
}

# scaled is the value in units of 10^-places, rounded up; -1 for what is no quantity or negative.
scaled(x, places) := to_number(at_most(raised(value.nanos, 9, places), max_int64)) if {
	value := read(x)
	value.reason == ""
	not value.negative
} else := -1

# plain is the value as a decimal without exponent.
plain(value) := concat("", [sign, whole, trim_right(concat("", [".", fraction]), ".0")]) if {
	padded := concat("", [substring(zeros, 0, 10), value.nanos])
	point := count(padded) - 9
	whole := significant(substring(padded, 0, point))
	fraction := substring(padded, point, -1)
	sign := {true: "-", false: ""}[value.negative]
}
