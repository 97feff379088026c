package headroom.runtime.jvm

# _option_refusals speaks of options other than -XX: where they may stand, and since when.
_option_refusals(jvm) := array.concat(
	[r |
		some s in jvm.sources
		some option, values in s.options
		not startswith(option, "-XX:")
		not startswith(option, "-D")
		not contains(option, unresolved)
		some fault in _faults_of_option(_place(s.name), s, option, values[0])
		hidden := {v | some v in _rescued(jvm, s); _hidden_on(fault, v)}
		r := refusal(s, option, "", fault.reason, fault.refusing - hidden)
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

_hidden_on(fault, _) if fault.unrecognized

_hidden_on(fault, v) if fault.unknown_to[v]

# System properties that stop a JVM (measured).
_properties := {
	"-Djava.endorsed.dirs": [{"values": ``, "refusing": since_11}],
	"-Djava.ext.dirs": [{"values": ``, "refusing": since_11}],
	"-Djava.security.manager": [
		{"values": `^allow$`, "refusing": {8, 11}},
		{"values": `^(?:|allow|default|[A-Za-z0-9_.]*\.[A-Za-z0-9_.]*)$`, "refusing": {25, 26, 28}},
	],
}

# Options that the JVM itself takes, from any source.
_vm_option := concat("", [
	`^-(?:X(?:int$|mn[0-9]|minf|maxf|comp$|mixed$|batch$|noclassgc$|rs$|future$|check:|verify|share:|`,
	`log(?::|$)|loggc:|debug$|`,
	`run|bootclasspath|internalversion$|noagent$|usealtsigs$|prof$|manage|incgc$|concgc$|shareclasses|jit|gcpolicy)`,
	`|(?:ea|da|enableassertions|disableassertions)(?::|$)`,
	`|(?:esa|dsa|enablesystemassertions|disablesystemassertions)$`,
	`|agentlib:|agentpath:|javaagent:|verbose(?:gc$|:|$)|-enable-preview$)`,
])

# Options of the java command, which takes its value as the next argument where there is one.
_launcher_option := concat("", [
	`^-(?:server|client|d32|d64|jar|cp|classpath|p|m|version|showversion|fullversion|help|\\?|X|Xdiag|XshowSettings.*|`,
	`splash:.*|-class-path|-module-path|-module|-upgrade-module-path|-add-modules|-limit-modules|-add-exports|`,
	`-add-opens|-add-reads|-patch-module|-source|-version|-show-version|-list-modules|-describe-module|-dry-run|`,
	`-validate-modules|-help|-help-extra|d|-show-module-resolution|-disable-@files|-enable-native-access)$`,
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
