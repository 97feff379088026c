package headroom.runtime.jvm

import data.headroom.images

# Values as each kind of flag takes them on every release. What does not match is looked at
# closer, as it may start on some.
_patterns := {
	"b": `^[+-]$`,
	"n": `^[0-9]{1,19}[kKmMgGtT]?$`,
	"i": `^(?:-?[0-9]{1,19}[kKmMgGtT]?|Xss[0-9]{1,19}[kKmMgGtT]?)$`,
	"d": `^[0-9]{1,4}\.[0-9]{1,9}$`,
	"s": ``,
	"u": ``,
}

_flag_refusals(jvm) := array.concat(array.concat(_bare_texts(jvm), _too_early(jvm)), array.concat(
	[r |
		some s in jvm.sources
		some option, values in s.options
		kind := common_flags[option]
		some value in values
		not regex.match(_patterns[kind], value)
		r := _value_refusal(jvm, s, kind, option, value)
	],
	[r |
		some s in jvm.sources
		some option, values in s.options
		not common_flags[option]
		startswith(option, "-XX:")
		flag := flag_fields(substring(option, 4, -1))
		some value in values
		some r in _odd_refusals(jvm, s, flag, option, value)
	],
))

# A text without = is no value, and a switch in front of it is wrong. A recording may be started without one.
_bare_texts(jvm) := [r |
	some s in jvm.sources
	some option, values in s.options
	startswith(option, "-XX:")
	name := substring(option, 4, -1)
	flag_fields(name).type == "s"
	not name in {"StartFlightRecording", "Flags", "VMOptionsFile"}
	some value in {value | some value in values; regex.match(`^(?:$|[+-])`, value)}
	some word, reason in {
		concat("", ["-XX:", name]): "it has no value; write = and one behind its name",
		concat("", ["-XX:+", name]): _no_switch,
		concat("", ["-XX:-", name]): _no_switch,
	}
	word in words_of(s)
	some states in [flag_fields(name).states]
	refusing := {v | some i, v in measured; not substring(states, i, 1) in {"-", "i"}}
	r := object.union(refusal(s, option, "", reason, refusing - _rescued_from(jvm, s, "b")), {
		"flags": [word],
		"wants": sprintf("-XX:%s= and its value", [name]),
	})
]

_no_switch := "it takes a value behind =, and no + or -"

# There may be flags of a vendor's own that are diagnostic.
_odd_refusals(jvm, s, {}, option, value) := [r |
	reason := concat("", ["no release from 8 to 28 knows this flag", _meant(option)])
	not _of_graal(jvm, option)
	not _of_vendor(jvm, s, option)
	r := refusal(s, option, value, reason, every_release - _rescued(jvm, s))
]

_of_vendor(jvm, s, option) if {
	option != "-XX:"
	_unlocked(jvm, s, "d", option)
}

_odd_refusals(jvm, s, flag, option, value) := array.concat(
	[object.union(refusal(s, option, value, why, refusing), {"wants": object.get(_opening, letter, "")}) |
		some letter, why in _states
		contains(flag.states, letter)
		not _unlocked(jvm, s, letter, option)
		not _of_graal(jvm, option)
		refusing := {v | some i, v in measured; substring(flag.states, i, 1) == letter} - _rescued_from(jvm, s, letter)
	],
	[r |
		not regex.match(_patterns[flag.type], value)
		of_value := _value_refusal(jvm, s, flag.type, option, value)
		reading := {v | some i, v in measured; not substring(flag.states, i, 1) in {"-", "i"}}
		r := object.union(of_value, {"refusing": of_value.refusing & reading})
	],
) if {
	flag.type
}

# A GraalVM has more of these, and unlocks them itself (J14). The images of OpenJDK's builds hold none.
_of_graal(jvm, option) if {
	regex.match(`^-XX:(?:[A-Za-z]*JVMCI[A-Za-z]*|UseGraalJIT)$`, option)
	not _is_openjdk(jvm.c)
}

_is_openjdk(c) if regex.match(_image_of_openjdk, images.found[c.id].name)

_image_of_openjdk := `^(?:eclipse-temurin|amazoncorretto|openjdk|sapmachine|azul/zulu-open|bellsoft/liberica-open)`

_states := {
	"-": "there is no such flag",
	"x": "the flag is experimental, and -XX:+UnlockExperimentalVMOptions must stand before it",
	"d": "the flag is diagnostic, and -XX:+UnlockDiagnosticVMOptions must stand before it",
}

_opening := {letter: sprintf("-XX:+%s in front of it", [lock]) | some letter, lock in _locks}

_locks := {"x": "UnlockExperimentalVMOptions", "d": "UnlockDiagnosticVMOptions"}

# A lock must be open where the flag stands: opened in an earlier source or earlier in this one, and not closed again.
_unlocked(jvm, s, letter, option) if {
	own := [i | some i, source in jvm.sources; source == s][0]
	name := regex.replace(substring(option, 4, -1), `\W`, ".")
	pattern := sprintf(`(?:^|[\s"'])-XX:[-+]?(?:%s|%s)\b`, [_locks[letter], name])
	before := [word |
		some source in array.slice(jvm.sources, 0, own)
		some word in regex.find_n(pattern, source.text, -1)
	]
	found := array.concat(before, regex.find_n(pattern, s.text, -1))
	every i in numbers.range(count(before), count(found) - 1) {
		_open_at(found, _locks[letter], i)
	}
}

_open_at(found, lock, i) if endswith(found[i], lock)

_open_at(found, lock, i) if {
	told := [word | some word in array.slice(found, 0, i); endswith(word, lock)]
	endswith(told[count(told) - 1], concat("", ["+", lock]))
}

# +IgnoreUnrecognizedVMOptions hides flags that do not exist, and on 8 those that are locked too.
_rescued_from(jvm, s, "-") := _rescued(jvm, s)

_rescued_from(jvm, s, letter) := _rescued(jvm, s) & {8} if letter != "-"

_rescued(jvm, s) := {v | some v in since_11; on(jvm.flags, "IgnoreUnrecognizedVMOptions")} | {8 | _ignored_on_8(jvm, s)}

# Java 8 knows it of java's command line in advance, and of a variable behind it. What a variable says holds for those
# that are read later, not for itself (measured).
_ignored_on_8(jvm, s) if {
	told := [value |
		some other in jvm.sources
		other.rank in _told_before[s.rank]
		some value in other.options["-XX:IgnoreUnrecognizedVMOptions"]
	]
	told[count(told) - 1] == "+"
}

_told_before := {1: {3}, 2: {3}, 3: {3}, 4: {1, 3}}

# A name that differs in case only is the usual slip.
_meant(option) := concat("", ["; it has ", names[0]]) if {
	written := lower(substring(option, 4, -1))
	names := [name | some name, _ in flag_table; lower(name) == written]
	count(names) > 0
} else := ""

refusal(s, option, value, reason, refusing) := {
	"flags": [pointed(s, option, value)],
	"reason": reason,
	"path": s.path,
	"refusing": refusing - _not_reading(s.name),
}

# Java 8 does not read JDK_JAVA_OPTIONS.
_not_reading(name) := {8} if name == "JDK_JAVA_OPTIONS"

_not_reading(name) := set() if name != "JDK_JAVA_OPTIONS"
