package headroom.runtime.jvm

import data.headroom.process

# What releases pass over without a word: Java 8 parts of the variables, and with
# +IgnoreUnrecognizedVMOptions every release the flags that it does not know.

_ignored(8, name, value) if {
	some passed in _passed(name, value)
	passed.all
}

_options_on(8, _, text) := options_of_words(array.slice(all, 0, java_8_options)) if {
	all := [process.unquoted(word) | some word in process.words(text)]
}

_options_on(feature, name, text) := options_of_text(text) if {
	feature != 8
	name != "JDK_JAVA_OPTIONS"
}

_options_on(feature, "JDK_JAVA_OPTIONS", text) := options_of_command(text) if feature != 8

# passed_over are the variables that Java 8 does not read, or not to their end: {name, path,
# why, all}.
passed_over(variables) := [object.union(row, {"name": name, "path": found.path}) |
	some name, found in variables
	ranks[name]
	found.state == "literal"
	some row in _passed(name, found.value)
]

# How much of a variable Java 8 reads.
java_8_bytes := 1023

java_8_options := 64

# Java 8 knows no JDK_JAVA_OPTIONS, passes over a variable of 1,024 bytes or more, and reads
# 64 options of a shorter one (measured on 8u504).
_passed("JDK_JAVA_OPTIONS", _) := [{"why": "Java 8 does not know this variable", "all": true}]

_passed(name, value) := [{
	"why": "Java 8 reads nothing of a value of 1,024 bytes or more",
	"wanted": "a shorter value, the other flags on java's command line",
	"all": true,
}] if {
	name != "JDK_JAVA_OPTIONS"
	count(hex.encode(value)) > 2 * java_8_bytes # two digits a byte
} else := [{
	"why": "Java 8 reads the first 64 options only",
	"wanted": "64 options at most, the other flags on java's command line",
	"all": false,
}] if {
	name != "JDK_JAVA_OPTIONS"
	count(process.words(value)) > java_8_options
} else := [] if {
	name != "JDK_JAVA_OPTIONS"
}

# effective are the flags without those that the declared release passes over: what it does
# not know and, on 8, what it cannot read.
effective(flags, feature) := flags if {
	not on(flags, "IgnoreUnrecognizedVMOptions")
} else := {name: flag |
	some name, flag in flags
	not _hidden(name, flag, feature)
}

_hidden(name, _, feature) if {
	not common_flags[concat("", ["-XX:", name])]
	some i, release in measured
	release == feature
	substring(flag_fields(name).states, i, 1) == "-"
}

_hidden(name, flag, 8) if {
	option := concat("", ["-XX:", name])
	not _read_apart(option, flag.value)
	not regex.match(_patterns[common_flags[option]], flag.value)
	_fault(common_flags[option], flag.value).refusing[8]
}
