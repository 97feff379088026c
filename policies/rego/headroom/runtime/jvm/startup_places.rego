package headroom.runtime.jvm

import data.headroom.process

# _faults_of_option lists what is wrong with an option that is no -XX: flag, at its place. unknown_to are the releases
# to which it is no option at all.
_faults_of_option(place, s, option, value) := _word_faults(place, _whole_option(option, value)) if {
	word_name(_whole_option(option, value))
} else := [] if {
	_misplaced(place, s, option, value) == ""
	not startswith(option, "-")
} else := [{"reason": "it names no module", "refusing": every_release, "unknown_to": {8}}] if {
	place != "vm"
	option in {"--add-modules", "--limit-modules"}
	concat("", [option, "="]) in words_of(s)
} else := _general_faults(option, value) if {
	_misplaced(place, s, option, value) == ""
} else := [{
	"reason": _misplaced(place, s, option, value),
	"refusing": every_release,
	"unknown_to": {v | place == "vm"; some v in every_release},
}]

_misplaced("command", _, _, _) := ""

_misplaced("vm", s, option, _) := _no_option_text(option) if {
	not startswith(option, "-")
} else := "in a variable it needs = before its value, not a blank" if {
	option in words_of(s)
	regex.match(_long_known, option)
} else := "it is an option of the java command, not of the JVM; a variable cannot give it" if {
	regex.match(_launcher_option, option)
	not regex.match(_long_of_vm, option)
} else := ""

# With = the JVM takes the long options of java but for the program's own.
_long_of_vm := `^--(?:add|limit|upgrade|patch|module-path|illegal|enable|finalization|sun)`

_no_option_text(option) := _no_class[_false_dash] if {
	regex.match(_false_dash, option)
} else := _no_option

_no_option := "a variable holds options only, and a word of it does not begin with -; quotes keep blanks together"

# java reads JDK_JAVA_OPTIONS itself, but takes neither the program nor its version from it.
_misplaced("launcher", s, option, _) := _no_option_text(option) if {
	not startswith(option, "-")
	not regex.match(`(?:^|\s)(?:-cp|-classpath|-p|--[a-z-]+)\s`, s.text)
	not regex.match(`^@(?:[^@]|@.*@)`, option)
} else := "this option is not allowed in JDK_JAVA_OPTIONS" if {
	regex.match(_not_from_a_variable, option)
} else := ""

_not_from_a_variable := concat("", [
	`^-(?:jar|m|-module|version|-version|fullversion|help|-help|\?|X|`,
	`-dry-run|-list-modules|d|-describe-module)$`,
])

_general_faults(option, value) := _log_faults(option, value) if {
	startswith(option, "-Xlog")
	not startswith(option, "-Xloggc:")
} else := [{"reason": gone[0].why, "refusing": gone[0].refusing, "unrecognized": true}] if {
	gone := [row | some row in _gone; startswith(option, row.option)]
	count(gone) > 0
} else := _jdwp_faults(_whole_option(option, value)) if {
	count(_jdwp_faults(_whole_option(option, value))) > 0
} else := [{"reason": row.why, "refusing": row.refusing, "unknown_to": object.get(row, "unknown_to", set())}] if {
	some row in _written_so
	startswith(option, row.option)
	not regex.match(row.pattern, _whole_option(option, value))
} else := [] if {
	regex.match(_vm_option, option)
	not startswith(option, "--")
} else := [{"reason": "it takes its value as the next argument, without =", "refusing": every_release}] if {
	regex.match(`^-[a-z]`, option)
	regex.match(_launcher_option, option)
	value != ""
} else := [{"reason": "Java 8 does not know this option", "refusing": {8}}] if {
	option in {"-p", "-m", "-d"}
} else := _module_faults(value) if {
	option == "--add-modules"
	count(_module_faults(value)) > 0
} else := [{
	"reason": new[0].why,
	"refusing": new[0].refusing,
	"unknown_to": object.get(new[0], "unknown_to", new[0].refusing),
}] if {
	new := [row | some row in _new; row.option == option; regex.match(row.values, value)]
	count(new) > 0
} else := [{"reason": "Java 8 has no options that begin with --", "refusing": {8}, "unrecognized": true}] if {
	regex.match(`^--[a-z]`, option)
	_known_long(option)
} else := [] if {
	regex.match(_launcher_option, option)
} else := [{
	"reason": concat("", ["no release knows this option", _looks_like(option)]),
	"refusing": every_release,
	"unrecognized": true,
}]

_whole_option(option, "") := option

_whole_option(option, value) := concat("=", [option, value]) if value != ""

_opened := `^--add-(?:opens|exports)(?:$|=[^/=]+/[^=]+=.+$)`

# Options that take a few words only, or a number (measured).
_written_so := [
	{
		"option": "-Xcheck:", "pattern": `^-Xcheck:jni$`, "why": "it takes jni only", "refusing": every_release,
		"unknown_to": every_release,
	},
	{
		"option": "-Xverify", "pattern": `^-Xverify(?::(?:all|remote|none))?$`, "why": "it takes all, remote or none",
		"refusing": every_release, "unknown_to": every_release,
	},
	{
		"option": "-Xshare", "pattern": `^-Xshare:(?:auto|on|off|dump)$`, "why": "it takes auto, on, off or dump",
		"refusing": every_release, "unknown_to": every_release,
	},
	{
		"option": "-Xmn", "pattern": `^-Xmn(?:0*[1-9][0-9]*|0[xX][0-9a-fA-F]+)[kKmMgGtT]?$`,
		"why": "the young generation has a size of more than 0, in bytes, k, m or g", "refusing": every_release,
	},
	{
		"option": "-Xminf", "pattern": `^-Xminf(?:0?\.[0-9]+|[01](?:\.0*)?)$`, "why": "it takes a fraction of 1",
		"refusing": every_release,
	},
	{
		"option": "--illegal-access", "pattern": `^--illegal-access(?:$|=(?:permit|warn|debug|deny)$)`,
		"why": "it takes permit, warn, debug or deny", "refusing": {8, 11}, "unknown_to": {8},
	},
	{
		"option": "--add-reads", "pattern": `^--add-reads(?:$|=[^=]+=.+$)`, "why": "it takes module=module",
		"refusing": every_release, "unknown_to": {8},
	},
	{"option": "-javaagent:", "pattern": `:.`, "why": "it names no file", "refusing": every_release},
	{"option": "-agentlib:", "pattern": `:.`, "why": "it names no library", "refusing": every_release},
	{"option": "-agentpath:", "pattern": `:.`, "why": "it names no file", "refusing": every_release},
	{
		"option": "--add-opens", "pattern": _opened, "why": "it takes module/package=module",
		"refusing": every_release, "unknown_to": {8},
	},
	{
		"option": "--add-exports", "pattern": _opened, "why": "it takes module/package=module",
		"refusing": every_release, "unknown_to": {8},
	},
	{
		"option": "-Xmaxf", "pattern": `^-Xmaxf(?:0?\.[0-9]+|[01](?:\.0*)?)$`, "why": "it takes a fraction of 1",
		"refusing": every_release,
	},
]

# Options that came with a release, and what they take.
_new := [
	{
		"option": "--finalization", "values": `^(?:enabled|disabled)$`, "why": "the option came with JDK 18",
		"refusing": {8, 11, 17},
	},
	{
		"option": "--finalization", "values": ``, "why": "it takes enabled or disabled", "refusing": every_release,
		"unknown_to": {8, 11, 17},
	},
	{
		"option": "--sun-misc-unsafe-memory-access", "values": `^(?:allow|warn|debug|deny)$`,
		"why": "the option came with JDK 23", "refusing": {8, 11, 17, 21},
	},
	{
		"option": "--sun-misc-unsafe-memory-access", "values": ``, "why": "it takes allow, warn, debug or deny",
		"refusing": every_release, "unknown_to": {8, 11, 17, 21},
	},
	{
		"option": "--illegal-native-access", "values": `^(?:allow|warn|deny)$`, "why": "the option came with JDK 24",
		"refusing": {8, 11, 17, 21},
	},
	{
		"option": "--illegal-native-access", "values": ``, "why": "it takes allow, warn or deny",
		"refusing": every_release, "unknown_to": {8, 11, 17, 21},
	},
	{"option": "--enable-native-access", "values": ``, "why": "the option came with JDK 16", "refusing": {8, 11}},
]

_known_long(option) if regex.match(_long_known, option)

_known_long(option) if regex.match(_vm_option, option)

_known_long(option) if regex.match(_launcher_option, option)

_gone := [
	{"option": "-Xbootclasspath/p:", "why": "the option is gone", "refusing": since_11},
	{"option": "-Xbootclasspath:", "why": "the option is gone", "refusing": since_11},
]

# _text_refusals speaks of what is wrong before a text is cut into options.
_text_refusals(jvm) := array.concat(
	[{"flags": [s.name], "reason": "a quote in it is not closed", "path": s.path, "refusing": refusing} |
		some s in jvm.sources
		ranks[s.name]
		process.unmatched(s.text)
		refusing := every_release - _not_reading(s.name)
	],
	array.concat(
		[{"flags": [s.name], "reason": reason, "path": s.path, "refusing": refusing} |
			some s in jvm.sources
			ranks[s.name]
			regex.match(`["']`, s.text)
			count([word | some word in process.words(s.text); process.unquoted(word) == ""]) > 0
			hidden := {v | _place(s.name) == "vm"; some v in _rescued(jvm, s)}
			refusing := (every_release - _not_reading(s.name)) - hidden
			reason := "it holds quotes with nothing between them, and an empty word is no option"
		],
		[{"flags": [flag], "reason": reason, "path": jvm.command.path, "refusing": every_release} |
			jvm.command.java
			not jvm.command.through
			some rest in array.slice(jvm.command.rest, 0, 1)
			some [flag, reason] in _main_class_faults(jvm, rest)
		],
	),
)

# _main_class_faults says why a word cannot be the main class that java takes it for.
_main_class_faults(jvm, word) := [[reference, reason] |
	some [reference, reason] in unexpanded_class(jvm, word)
] if {
	count(unexpanded_class(jvm, word)) > 0
} else := [[sprintf("argument %v of java", [number]), reason] |
	number := count([own | some own in jvm.command.words; own != ""]) + 1
	some match, reason in _no_class
	regex.match(match, word)
]

_no_class := {
	_false_dash: "it begins with a long dash (–, — or the like) or a special blank; an option begins with the hyphen -",
	`^[\s"']+-`: "it begins with a blank or a quote, so java takes it for the main class",
	`^[^\s"'-].*["']$`: concat(" ", [
		"it ends with a quote, as quotes group nothing in a variable that a shell expands;",
		"in JAVA_TOOL_OPTIONS they do",
	]),
	`^\s*$`: "it is empty, and java takes it for the main class",
	`^@(?:@[^@]*)?$`: "java reads no argument file from @ alone or behind @@, and takes it for the main class",
	`^\\`: "it begins with a backslash, so java takes it for the main class",
	`^#`: "it begins with #, which starts no comment in a variable, so java takes it for the main class",
}

# Dashes that text programs write for a hyphen, and blanks that are none to a shell.
_false_dash := concat("", [
	`^(?:[\x{00AD}\x{2010}-\x{2015}\x{2212}\x{FE58}\x{FE63}\x{FF0D}]`,
	`|[\x{00A0}\x{2000}-\x{200F}\x{202F}\x{205F}\x{2060}\x{3000}\x{FEFF}]+-)`,
])
