package headroom.runtime.jvm

# size is a flag's number; -1 where it is not set or cannot be read.
size(flags, name) := size_of(flags[name].value) if {
	flags[name]
} else := -1

# size_of reads a number as the JVM does, k, m, g and t being powers of 1024. Fractions and
# Kubernetes' Gi are not numbers to a JVM: -1.
size_of(text) := units.parse_bytes(concat("", [text, "i"])) if {
	regex.match(`^[0-9]{1,15}[kKmMgGtT]$`, text)
} else := to_number(trim_left(text, "0")) if {
	regex.match(`^0*[1-9][0-9]{0,18}$`, text)
} else := 0 if {
	regex.match(`^0+$`, text)
} else := _hexadecimal(text) if {
	regex.match(`^0[xX][0-9a-fA-F]{1,15}[kKmMgGtT]?$`, text)
} else := -1

_hexadecimal(text) := sum([digit |
	characters := split(lower(trim_right(substring(text, 2, -1), "kKmMgGtT")), "")
	some i, character in characters
	digit := bits.lsh(_digits[character], 4 * ((count(characters) - 1) - i))
]) * _unit(lower(substring(text, count(text) - 1, 1)))

_digits := {digit: i | some i, digit in split("0123456789abcdef", "")}

_unit(letter) := 1024 if letter == "k"

_unit(letter) := 1048576 if letter == "m"

_unit(letter) := 1073741824 if letter == "g"

_unit(letter) := 1099511627776 if letter == "t"

_unit(letter) := 1 if not letter in {"k", "m", "g", "t"}

# percent is a percentage flag's number, in any form that some release reads; -1 where it
# is not set or cannot be read.
percent(flags, name) := to_number(flags[name].value) if {
	regex.match(`^(?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,9})?(?:[eE][0-9])?$`, flags[name].value)
} else := _decimal(trim_suffix(flags[name].value, ".")) if {
	regex.match(`^(?:\.[0-9]{1,9}|[1-9][0-9]{0,3}\.)$`, flags[name].value)
} else := -1

_decimal(text) := to_number(concat("", ["0", text])) if startswith(text, ".")

_decimal(text) := to_number(text) if not startswith(text, ".")

on(flags, name) if flags[name].value == "+"

off(flags, name) if flags[name].value == "-"
