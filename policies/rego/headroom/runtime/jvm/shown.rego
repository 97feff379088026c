package headroom.runtime.jvm

import data.headroom.words

# What messages tell of a JVM's options: the names of options and flags, numbers, sizes and a few words. Whatever
# else somebody wrote may be a secret (-Dpassword=…, -XX:OnOutOfMemoryError=curl …), and is left out.

# shown is an option as its author wrote it, as far as it may be told.
shown(s, option, value) := "a word that is not shown" if {
	not startswith(option, "-")
} else := told_option(_written(s, option, value))

# pointed is such an option with the place where it stands, if no name is told.
pointed(s, option, value) := text if {
	text := shown(s, option, value)
	not text in _untold
} else := sprintf("%s (%s %v of %s)", [shown(s, option, value), place[0], numbers[0] + 1, place[1]]) if {
	place := object.get({1: ["word", s.name], 2: ["word", s.name], 4: ["word", s.name]}, s.rank, ["argument", "java"])
	list := [word | some word in words_of(s); word != ""]
	numbers := [i | some i, word in list; word in {option, _whole_option(option, value)}]
	count(numbers) > 0
} else := shown(s, option, value)

_untold := {"a word that is not shown", "-XX:…", "-X…", "-…"}

# told_option is as much of it.
told_option(text) := concat("", [groups[1], groups[2], words.told(groups[3])]) if {
	# -XX:+UseG1GC, -XX:MaxHeapSize=1g. A name that no release knows is what somebody looks for.
	[groups] := regex.find_all_string_submatch_n(`^(-XX:[+-]?[A-Z][A-Za-z0-9]{1,63})(?:(=)((?s:.*)))?$`, text, 1)
} else := concat("", [groups[1], groups[2], words.told(groups[3])]) if {
	[groups] := regex.find_all_string_submatch_n(`^(-X(?:m[nsx]|ss|minf|maxf|maxjitcodesize))(=?)((?s:.*))$`, text, 1)
} else := text if {
	regex.match(_only_words, text)
} else := text if {
	word_table[text]
} else := concat("", [family, words.told(substring(text, count(family), -1))]) if {
	family := trim_suffix(word_name(text), "…")
} else := concat("", [names[0], "…"]) if {
	names := regex.find_n(_beginning_of_option, text, 1)
	count(names) > 0
} else := "-XX:…" if {
	startswith(text, "-XX:")
} else := "-X…" if {
	startswith(text, "-X")
} else := "-…"

# told_reference is a reference to a variable as far as it may be told: $JAVA_OPTS, $(JAVA_OPTS), or ${JAVA_OPTS…} for
# one with a default. A name is told that is one for options, or words in capitals: others may be part of a password.
told_reference(text) := concat("", [around[1], around[2], rest, around[4]]) if {
	[around] := regex.find_all_string_submatch_n(_variable_for_options, text, 1)
	rest := {true: "", false: "…"}[around[3] == ""]
} else := concat("", [around[1], "…", around[2]]) if {
	[around] := regex.find_all_string_submatch_n(`^(\$[{(]?)[^})]*([})]?)$`, text, 1)
}

_variable_for_options := concat("", [
	`^(\$[{(]?)([A-Z0-9_]*(?:JAVA|JVM|OPT|ARG|HEAP|MEM|FLAG|PARAM|XM[SX])[A-Z0-9_]*|[A-Z]+(?:_[A-Z]+)+)`,
	`([^})]*)([})]?)$`,
])

# Options that are words of the JVM from end to end.
_only_words := concat("", [
	`^(?:-X(?:log(?::(?:gc\*?|safepoint|disable|async))?)|-J|`,
	`-(?:jar|cp|classpath|p|m|version|fullversion|help|X)|`,
	`-D(?:java\.endorsed\.dirs|java\.ext\.dirs|java\.security\.manager)|`,
	`--(?:class-path|module-path|module|upgrade-module-path|add-modules|limit-modules|add-exports|add-opens|add-reads|`,
	`patch-module|source|version|show-version|list-modules|describe-module|dry-run|validate-modules|help|help-extra|`,
	`show-module-resolution|disable-@files|enable-native-access|enable-preview|illegal-access|illegal-native-access|`,
	`finalization|sun-misc-unsafe-memory-access))$`,
])

_beginning_of_option := concat("", [
	`^(?:-X(?:log|bootclasspath(?:/p)?|check|verify|share|run|manage|shareclasses|jit|gcpolicy):|`,
	`-agentlib:jdwp=|-Xrunjdwp:|-(?:agentlib|agentpath|javaagent):|`,
	`-D(?:java\.endorsed\.dirs|java\.ext\.dirs|java\.security\.manager)=|-D|`,
	`--(?:class-path|module-path|module|upgrade-module-path|add-modules|limit-modules|add-exports|add-opens|add-reads|`,
	`patch-module|enable-native-access|illegal-access|illegal-native-access|finalization|sun-misc-unsafe-memory-access)=)`,
])
