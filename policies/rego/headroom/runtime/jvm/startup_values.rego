package headroom.runtime.jvm

# _value_refusal says what is wrong with the value of a flag; undefined where nothing is, or
# where part of it is filled in later. Options that are parsed by themselves are not hidden
# by +IgnoreUnrecognizedVMOptions; of the others, Java 8 passes over a bad value with it.
_value_refusal(jvm, s, kind, option, value) := refusal(s, option, value, fault.reason, fault.refusing - saved) if {
	not contains(value, unresolved)
	fault := _fault(kind, value)
	saved := {v | not _strict[option]; some v in _rescued(jvm, s); v == 8}
}

_strict := {
	"-XX:MaxHeapSize": true,
	"-XX:InitialHeapSize": true,
	"-XX:ThreadStackSize": true,
	"-XX:ReservedCodeCacheSize": true,
	"-XX:MaxDirectMemorySize": true,
}

_fault(kind, value) := {
	"reason": "one argument holds several; each must be an argument of its own",
	"refusing": every_release,
} if {
	kind != "s"
	regex.match(`\s+-`, value)
} else := _fault_of(kind, value)

_fault_of("b", "") := {"reason": "a switch needs + or - in front of its name", "refusing": every_release}

_fault_of("b", value) := {
	"reason": "a switch takes + or - in front of its name and no value",
	"refusing": every_release,
} if {
	value != ""
}

_fault_of("n", value) := _number_fault(value)

_fault_of("i", value) := _number_fault(value)

_fault_of("d", value) := {"reason": "Java 8 takes it only with a decimal point, as in 75.0", "refusing": {8}} if {
	regex.match(`^(?:100|[0-9]{1,2})$`, value)
} else := {"reason": "Java 8 takes no exponent", "refusing": {8}} if {
	regex.match(`^[0-9]\.[0-9]{1,9}[eE][+]?[01]$`, value)
} else := {"reason": "up to 17 it must have digits on both sides of a decimal point", "refusing": {8, 11, 17}} if {
	regex.match(`^(?:[0-9]{1,2}\.|\.[0-9]{1,9}|[0-9][eE][+]?[01])$`, value)
} else := {"reason": "it must lie between 0 and 100", "refusing": since_11} if {
	regex.match(out_of_bounds, value)
} else := {"reason": "it must be a number between 0.0 and 100.0, without a percent sign", "refusing": every_release}

# What Java 8 takes all the same.
out_of_bounds := `^-?[0-9]{1,9}\.[0-9]{1,9}$`

_number_fault(value) := {"reason": "Java 8 reads no hexadecimal numbers", "refusing": {8}} if {
	regex.match(`^0[xX][0-9a-fA-F]{1,16}[kKmMgGtT]?$`, value)
} else := {"reason": "Ki, Mi and Gi are units of Kubernetes; a JVM takes k, m and g", "refusing": every_release} if {
	regex.match(`^(?:Xss)?[0-9.]+[KMGT]i$`, value)
} else := {"reason": "a JVM reads no fractions; write a smaller unit", "refusing": every_release} if {
	regex.match(`^(?:Xss)?[0-9]*\.[0-9]+[kKmMgGtT]?$`, value)
} else := {"reason": "it has no value", "refusing": every_release} if {
	value in {"", "Xss"}
} else := {"reason": "it is not a number that a JVM can read", "refusing": every_release}

# Numbers that JVMs read and refuse: what flag_range has, and what Java 8 does (measured).
_ranges := {
	"InitiatingHeapOccupancyPercent": [{"least": 0, "most": 100, "refusing": since_11}],
	"MinHeapFreeRatio": [{"least": 0, "most": 100, "refusing": every_release}],
	"MaxHeapFreeRatio": [{"least": 0, "most": 100, "refusing": every_release}],
	"G1ReservePercent": [{"least": 0, "most": 50, "refusing": since_11}],
	"TieredStopAtLevel": [{"least": 0, "most": 4, "refusing": since_11}],
	"MaxGCPauseMillis": [{"least": 1, "most": 1e15, "refusing": since_11}],
	"NewRatio": [{"least": 1, "most": 1e15, "refusing": {8}}],
	"SurvivorRatio": [{"least": 1, "most": 1e15, "refusing": every_release}],
	"MaxTenuringThreshold": [
		{"least": 0, "most": 16, "refusing": every_release},
		{"least": 0, "most": 15, "refusing": {8}},
	],
	"G1HeapRegionSize": [
		{"least": 0, "most": 33554432, "refusing": {11, 17}},
		{"least": 0, "most": 536870912, "refusing": since_11},
	],
	"CompressedClassSpaceSize": [
		{"least": 1048576, "most": 1e15, "refusing": every_release},
		{"least": 0, "most": 3221225472, "refusing": {8, 11, 17, 21}},
	],
}

_ranged := object.keys(_ranges)

_range_refusals(jvm) := [r |
	some s in jvm.sources
	some name, rows in _ranges
	option := concat("", ["-XX:", name])
	some value in s.options[option]
	regex.match(`^-?[0-9]{1,15}[kKmMgGtT]?$`, value)
	some range in rows
	not _within(size_of(trim_prefix(value, "-")) * _sign(value), range)
	r := refusal(s, option, value, _range_text(range), range.refusing)
]

_sign(value) := -1 if startswith(value, "-")

_sign(value) := 1 if not startswith(value, "-")

_within(number, range) if {
	number >= range.least
	number <= range.most
}

_range_text(range) := sprintf("it must be at least %v", [range.least]) if range.most == 1e15

_range_text(range) := sprintf("it must lie between %v and %v", [range.least, range.most]) if range.most != 1e15
