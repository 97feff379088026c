package headroom.runtime.jvm

import data.headroom.quantity

# size_of reads a number as the JVM does, k, m, g and t being powers of 1024. Fractions and
# Kubernetes' Gi are not numbers to a JVM: -1.
size_of(text) := to_number(text) if {
	regex.match(`^(?:0|[1-9][0-9]{0,17})$`, text)
} else := units.parse_bytes(concat("", [text, "i"])) if {
	regex.match(size_with_unit, text)
} else := _whole(trim_left(text, "0")) if {
	regex.match(size_in_bytes, text)
} else := _hexadecimal(text) if {
	regex.match(size_in_hexadecimal, text)
} else := -1

size_with_unit := `^[0-9]{1,15}[kKmMgGtT]$`

size_in_bytes := `^(?:0+|0*[1-9][0-9]{0,18})$`

size_in_hexadecimal := `^0[xX][0-9a-fA-F]{1,15}[kKmMgGtT]?$`

_whole("") := 0

_whole(digits) := to_number(digits) if digits != ""

_hexadecimal(text) := quantity.hexadecimal(digits) * object.get(_units, unit, 1) if {
	unit := lower(substring(text, count(text) - 1, 1))
	digits := trim_right(substring(text, 2, -1), "kKmMgGtT")
}

_units := {"k": 1024, "m": 1048576, "g": 1073741824, "t": 1099511627776}

# number_of reads a number with a sign, a whole or a fraction; undefined for a text that is no number.
number_of(text) := size_of(text) if {
	size_of(text) >= 0
} else := 0 - size_of(substring(text, 1, -1)) if {
	startswith(text, "-")
	size_of(substring(text, 1, -1)) >= 0
} else := fraction_of(text)

# fraction_of reads a fraction, in any form that some release reads.
fraction_of(text) := to_number(concat("", [_minus(sign), _or(whole, "0"), ".", _or(part, "0"), exponent])) if {
	some [_, sign, whole, part, exponent] in regex.find_all_string_submatch_n(fraction, text, 1)
	regex.match(percentage, text)
} else := size_of(text) if regex.match(size_in_hexadecimal, text)

percentage := `^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?$`

fraction := `^([+-]?)0*([0-9]*)\.?([0-9]*)([eE][+-]?[0-9]{1,2})?$`

_minus("-") := "-"

_minus(sign) := "" if sign != "-"

_or("", text) := text

_or(given, _) := given if given != ""

# percent is a percentage; -1 where it cannot be read.
percent(text) := fraction_of(text)

percent(text) := -1 if not fraction_of(text)

on(flags, name) if flags[name].value == "+"

off(flags, name) if flags[name].value == "-"

# stack_size is one thread's: {bytes, flag, set}. -Xss counts bytes, ThreadStackSize KiB; 0 is
# the default again.
stack_size(flags) := {"bytes": bytes, "flag": "ThreadStackSize", "set": true} if {
	bytes := stack_bytes(flags.ThreadStackSize.value)
	bytes > 0
} else := {"bytes": 1048576, "flag": "", "set": false}

# -Xss is rounded up to whole KiB.
stack_bytes(value) := 1024 * ceil(size / 1024) if {
	startswith(value, "Xss")
	size := size_of(substring(value, 3, -1))
	size >= 0
} else := -1 if {
	startswith(value, "Xss")
}

stack_bytes(value) := size_of(value) * 1024 if not startswith(value, "Xss")

# code_cache_size is what the JVM reserves for compiled code.
code_cache_size(j) := j.numbers.ReservedCodeCacheSize if {
	j.numbers.ReservedCodeCacheSize >= 0
} else := 33554432 if {
	as_client(j.flags, j.sources, j.version)
} else := 50331648 if {
	small_code_cache(j)
} else := 251658240

# code_cache_in_parts says that flags size parts of it. A JVM does not start where they are more than the whole.
code_cache_in_parts(j) if {
	some flag in ["NonNMethodCodeHeapSize", "NonProfiledCodeHeapSize", "ProfiledCodeHeapSize"]
	j.flags[flag]
}

# small_code_cache is true where the JVM reserves 48 instead of 240 MiB for compiled code.
small_code_cache(j) if off(j.flags, "TieredCompilation")

small_code_cache(j) if {
	j.version >= 17
	j.flags.CompilationMode.value in {"quick-only", "high-only"}
}

small_code_cache(j) if {
	j.version >= 11
	interpreted(j)
}

small_code_cache(j) if {
	j.version >= 17
	j.version < 28
	j.numbers.TieredStopAtLevel in {0, 1, 2, 3}
}

small_code_cache(j) if {
	j.version >= 28
	j.numbers.TieredStopAtLevel in {0, 1}
}

interpreted(j) if {
	some s in j.sources
	s.options["-Xint"]
}
