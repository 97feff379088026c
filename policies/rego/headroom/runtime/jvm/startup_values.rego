package headroom.runtime.jvm

import data.headroom.process
import data.headroom.words

# _value_refusal says what is wrong with the value of a flag; undefined where nothing is, or
# where part of it is filled in later. Options that are parsed by themselves are not hidden
# by +IgnoreUnrecognizedVMOptions; of the others, Java 8 passes over a bad value with it.
_value_refusal(jvm, s, kind, option, value) := _of_value(refusal(s, option, value, fault.reason, refusing), option) if {
	not contains(value, process.unresolved)
	fault := _fault(kind, value)
	saved := {v | not _read_apart(option, value); not _said_short(s, option); some v in _rescued(jvm, s); v == 8}

	# A switch with more behind its name, and no =, is a name that no JVM knows (measured).
	unknown := {v | regex.match(`^[+-][^=]+$`, value); some v in _rescued(jvm, s)}
	refusing := (fault.refusing - saved) - unknown
}

# Some values are refused for what stands around them.
_of_value(r, _) := r if r.reason in {several_in_one, to_be_filled}

_of_value(r, option) := _wanting(r, substring(option, 4, -1)) if not r.reason in {several_in_one, to_be_filled}

_read_apart(option, value) if {
	option in {"-XX:MaxHeapSize", "-XX:ReservedCodeCacheSize", "-XX:MaxDirectMemorySize"}
	not value in {"+", "-"}
}

_read_apart("-XX:ThreadStackSize", value) if startswith(value, "Xss")

_said_short(s, "-XX:InitialHeapSize") if not contains(s.text, "-XX:InitialHeapSize=")

_fault(kind, value) := {
	"reason": several_in_one,
	"refusing": every_release,
} if {
	kind != "s"
	regex.match(`\s+-`, value)
} else := {"reason": to_be_filled, "refusing": every_release} if {
	words.placeholder(value)
	_fault_of(kind, value)
} else := _fault_of(kind, value)

# several_in_one is why flags are refused that no shell takes apart.
several_in_one := "one argument holds several; each must be an argument of its own"

# to_be_filled is why a flag is refused whose value may be another one once the manifest is applied.
to_be_filled := "its value is a placeholder, which something has to fill in before the manifest is applied"

_fault_of("b", "") := {"reason": "a switch needs + or - in front of its name", "refusing": every_release}

_fault_of("b", value) := {
	"reason": "a switch takes + or - in front of its name and no value",
	"refusing": every_release,
} if {
	value != ""
}

_fault_of("n", value) := _number_fault(value)

_fault_of("i", value) := _number_fault(value)

_fault_of("d", value) := {
	"reason": "it must be a number between 0.0 and 100.0, without a percent sign",
	"refusing": every_release,
} if {
	not regex.match(_fractions[28], value)
} else := {
	"reason": _fraction_reason(value),
	"refusing": {v | some v in every_release; not regex.match(_fractions_on(v), value)},
} if {
	not regex.match(_fractions[8], value)
}

_fraction_reason(value) := "Java 8 takes it only with a decimal point, as in 75.0" if {
	regex.match(`^[0-9]+$`, value)
} else := "Java 8 takes no exponent" if {
	regex.match(_fractions[17], value)
} else := "up to 17 it must have digits on both sides of a decimal point"

# How a fraction is written, up to the release (measured).
_fractions := {
	8: `^-?[0-9]+\.[0-9]+$`,
	17: `^(?:-?[0-9]+\.(?:[0-9]+(?:[eE][+-]?[0-9]{1,2})?|[eE][+-]?[0-9]{1,2})|[0-9]+|0[xX][0-9a-fA-F]+)$`,
	28: `^(?:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?|[+-]?0[xX][0-9a-fA-F]+(?:p[0-9]+)?)$`,
}

_fractions_on(release) := _fractions[min({upto | some upto, _ in _fractions; upto >= release})]

# 64 bits hold no more. Java 8 takes the greatest number that they hold.
_number_fault(value) := {"reason": "it is more than 64 bits hold", "refusing": since_11} if {
	regex.match(`^[0-9]{20,}$`, value)
	to_number(trim_left(value, "0")) > 18446744073709551615
} else := {"reason": "it is more than 64 bits hold", "refusing": set()} if {
	regex.match(`^[0-9]{20,}$`, value)
} else := {"reason": "Java 8 reads no hexadecimal numbers", "refusing": {8}} if {
	regex.match(`^(?:Xss)?0[xX][0-9a-fA-F]{1,16}[kKmMgGtT]?$`, value)
} else := {"reason": "Ki, Mi and Gi are units of Kubernetes; a JVM takes k, m and g", "refusing": every_release} if {
	regex.match(`^(?:Xss)?[0-9.]+[KMGT]i$`, value)
} else := {"reason": "a JVM reads no fractions; write a smaller unit", "refusing": every_release} if {
	regex.match(`^(?:Xss)?[0-9]*\.[0-9]+[kKmMgGtT]?$`, value)
} else := {"reason": "it has no value", "refusing": every_release} if {
	value in {"", "Xss"}
} else := {"reason": "it is not a number that a JVM can read", "refusing": every_release}

# _range_refusals speaks of numbers that a JVM reads and refuses. Java 8 looks at the value that
# wins, later ones at each.
_range_refusals(jvm) := [r |
	some s in jvm.sources
	some option, values in s.options
	startswith(option, "-XX:")
	some i, value in values
	number := number_of(value)
	name := substring(option, 4, -1)
	not _no_number(flag_fields(name).type, value)
	rows := ranges_of(name)
	some bound in {_passed_bound(number, row) | some row in rows}
	same := [row | some row in rows; _passed_bound(number, row) == bound]
	releases := union({row.releases | some row in same})
	refusing := {v | some v in releases; v > 8} | {8 |
		8 in releases
		jvm.flags[name].source == s.name
		i == count(values) - 1
	}
	r := _wanting(refusal(s, option, value, _range_text(same, bound), refusing), name)
]

# What no release reads as a number is told as such.
_no_number("n", value) if startswith(value, "-")

# _passed_bound is the bound that a number is beyond, in words.
_passed_bound(number, row) := sprintf("at least %v", [row.least]) if number < row.least

_passed_bound(number, row) := sprintf("at most %v", [row.most]) if number > row.most

_range_text([row], _) := sprintf("it must lie between %v and %v", [row.least, row.most])

_range_text(rows, bound) := concat(" ", ["it must be", bound]) if not _both_bounds(rows)

_both_bounds([row]) if {
	is_number(row.least)
	is_number(row.most)
}
