package headroom.runtime.jvm

import data.headroom.process

# _option_refusals speaks of options other than -XX: where they may stand, and since when.
_option_refusals(jvm) := array.concat(
	[r |
		some s in jvm.sources
		some option, values in s.options
		not startswith(option, "-XX:")
		not startswith(option, "-D")
		not contains(option, process.unresolved)
		value := _value_of(s, option, values[0])
		some fault in _faults_of_option(_place(s.name), s, option, value)
		hidden := {v | some v in _rescued(jvm, s); _hidden_on(fault, v)}
		r := object.union(
			refusal(s, option, value, fault.reason, fault.refusing - hidden),
			{"takes": object.get(fault, "takes", set())},
		)
	],
	[refusal(s, option, value, concat(" ", [option, "is refused"]), refusing) |
		some s in jvm.sources
		some option, rows in _properties
		some row in rows
		some value in s.options[option]
		regex.match(row.values, value)
		refusing := row.refusing
	],
)

# _missing_values are of options that take the next argument. From 11 on it may not begin with -, as it does where the
# value was forgotten, or a variable for it is empty (measured).
_missing_values(jvm) := [object.union(r, {"wants": sprintf("%s and its value, or neither", [option])}) |
	some s in jvm.sources
	_place(s.name) != "vm"
	words := words_of(s)
	some i, option in words
	option in _takes_next
	startswith(words[i + 1], "-")
	r := refusal(s, option, "", "another option stands where its value should be", since_11)
]

_takes_next := {
	"-cp", "-classpath", "-p", "--class-path", "--module-path", "--upgrade-module-path", "--add-modules",
	"--limit-modules", "--add-exports", "--add-opens", "--add-reads", "--patch-module", "--source",
}

# java takes the next argument for a list of modules.
_value_of(s, "--add-modules", "") := list if {
	_place(s.name) != "vm"
	some i, word in words_of(s)
	word == "--add-modules"
	list := words_of(s)[i + 1]
} else := ""

_value_of(_, option, value) := value if [option, value] != ["--add-modules", ""]

_hidden_on(fault, _) if fault.unrecognized

_hidden_on(fault, v) if fault.unknown_to[v]

# System properties that stop a JVM (measured).
_properties := {
	"-Djava.endorsed.dirs": [{"values": ``, "refusing": since_11}],
	"-Djava.ext.dirs": [{"values": ``, "refusing": since_11}],
	"-Djava.security.manager": [
		{"values": `^(?:dis)?allow$`, "refusing": {8, 11}},
		{"values": `^(?:|allow|default|[A-Za-z0-9_.]*\.[A-Za-z0-9_.]*)$`, "refusing": {25, 26, 28}},
	],
}

# Options that the JVM itself takes, from any source, beside those of word_table.
_vm_option := concat("", [
	`^-(?:X(?:mn[0-9]|minf|maxf|check:|verify|share:|log(?::|$)|run|bootclasspath|manage)`,
	`|agentlib:|agentpath:|javaagent:|-enable-preview$)`,
])

# Options of the java command, which takes its value as the next argument where there is one.
_launcher_option := concat("", [
	`^-(?:jar|cp|classpath|p|m|version|fullversion|help|h|\?|X|-class-path|-module-path|-module|-upgrade-module-path|`,
	`-add-modules|-limit-modules|-add-exports|-add-opens|-add-reads|-patch-module|-source|-version|-show-version|`,
	`-full-version|-list-modules|-describe-module|-dry-run|-validate-modules|-help|-help-extra|d|`,
	`-show-module-resolution|-disable-@files|-enable-native-access)$`,
])

# Long options with =, which the JVM takes itself.
_long_known := concat("", [
	`^--(?:add-opens|add-exports|add-reads|add-modules|limit-modules|module-path|upgrade-module-path|`,
	`patch-module|class-path|module|illegal-access|illegal-native-access|enable-native-access|finalization|`,
	`sun-misc-unsafe-memory-access|illegal-final-field-mutation|enable-final-field-mutation)$`,
])

# Where a source's options go: straight to the JVM, or through the java command.
_place("JAVA_TOOL_OPTIONS") := "vm"

_place("_JAVA_OPTIONS") := "vm"

_place("JDK_JAVA_OPTIONS") := "launcher"

_place(name) := "command" if not ranks[name]
