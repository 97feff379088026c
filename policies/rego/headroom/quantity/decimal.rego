package headroom.quantity

# Whole numbers as decimal text: text and integers are exact on every OPA, fractions and divisions are not.

zeros := "0000000000000000000000000000000000000000"

# raised counts digits / 10^decimals in units of 10^-places, rounded up.
raised(digits, decimals, places) := significant(concat("", [digits, substring(zeros, 0, places - decimals)])) if {
	decimals <= places
} else := rounded(significant(substring(padded, 0, kept)), substring(padded, kept, -1)) if {
	padded := concat("", [substring(zeros, 0, decimals - places), digits])
	kept := count(digits)
}

rounded(kept, dropped) := kept if {
	trim(dropped, "0") == ""
} else := json.marshal(to_number(kept) + 1)

significant(digits) := "0" if {
	trim_left(digits, "0") == ""
} else := trim_left(digits, "0")

# at_most compares by text: the shorter number is less, and at one length the alphabet decides.
at_most(digits, most) := most if {
	[count(digits), digits] > [count(most), most]
} else := digits
