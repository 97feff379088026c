# METADATA
# title: Durations
# description: |
#   Durations as Go's time.ParseDuration reads them, which is what Kubernetes and headroom's
#   own annotations use: 20ms, 0.1s, 1m30s. Total: no value makes it undefined or abort.
package headroom.duration

# ms is a duration in milliseconds; -1 for a text that is no duration, or a negative one.
ms(x) := nanoseconds / 1000000 if {
	nanoseconds := _ns(x)
	nanoseconds <= _max_ns
} else := 0 if {
	x in {"0", "+0", "-0"}
} else := -1

# time.Duration counts nanoseconds in 63 bits.
_max_ns := 9223372036854775807

# Longer texts are no duration that anybody writes; the guard bounds the work.
_max_length := 64

# pattern is what it looks like.
pattern := `^\+?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$`

_term := `([0-9]*)\.?([0-9]*)(ns|us|µs|μs|ms|s|m|h)`

_unit_ns := {
	"ns": 1,
	"us": 1000,
	"µs": 1000,
	"μs": 1000,
	"ms": 1000000,
	"s": 1000000000,
	"m": 60000000000,
	"h": 3600000000000,
}

_ns(x) := sum([_term_ns(whole, fraction, unit) |
	some [_, whole, fraction, unit] in regex.find_all_string_submatch_n(_term, x, -1)
]) if {
	is_string(x)
	count(x) <= _max_length
	regex.match(pattern, x)
}

# Whole nanoseconds: fractions of seconds are no exact binary numbers.
_term_ns(whole, fraction, unit) := round(to_number(number) * _unit_ns[unit]) if {
	number := concat("", [_significant(whole), ".", fraction, "0"])
}

# JSON numbers have no leading zeros, and at least one digit in front of the point.
_significant(digits) := trimmed if {
	trimmed := trim_left(digits, "0")
	trimmed != ""
} else := "0"
