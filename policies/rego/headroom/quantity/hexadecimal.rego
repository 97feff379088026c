package headroom.quantity

# hexadecimal is the whole number that hexadecimal digits write, without 0x.
hexadecimal(digits) := sum([bits.lsh(_hexadecimal_digits[character], 4 * ((count(characters) - 1) - i)) |
	characters := split(lower(digits), "")
	some i, character in characters
])

_hexadecimal_digits := {digit: i | some i, digit in split("0123456789abcdef", "")}
