package headroom.runtime.jvm

import data.headroom.words

# word_name is the row of word_table for an option as it was written, and undefined without such a row.
word_name(text) := text if {
	word_table[text]
} else := concat("", [families[count(families) - 1], "…"]) if {
	families := sort([family | some family in _families; startswith(text, family)])
	count(families) > 0
}

_families := {trim_suffix(name, "…") | some name, _ in word_table; endswith(name, "…")}

# _word_faults says which releases refuse a word of the table at its place.
_word_faults(place, text) := [{
	"reason": _word_reason(place, name, refusing),
	"refusing": refusing,
	"unknown_to": unknown,
} |
	name := word_name(text)
	refusing := _word_is(name, _column_of[place], {"u", "-"})
	count(refusing) > 0
	unknown := _word_is(name, _column_of[place], {"u"})
]

_column_of := {"command": 0, "launcher": 0, "vm": 1}

_word_is(name, column, letters) := {v |
	some i, v in measured
	substring(word_table[name][column], i, 1) in letters
}

_word_reason("vm", name, refusing) := concat(" ", [
	"it is an option of the java command, not of the JVM;",
	"a variable cannot give it",
]) if {
	count(_word_is(name, 0, {"p"}) & refusing) > 0
} else := _word_gone(refusing)

_word_reason(place, "-XshowSettings:…", _) := "the java command refuses a value that java -X does not list" if {
	place != "vm"
}

_word_reason(place, name, refusing) := _word_gone(refusing) if {
	place != "vm"
	name != "-XshowSettings:…"
}

_word_gone(refusing) := "no release takes this option" if {
	refusing == every_release
} else := "the option is gone" if {
	not refusing[8]
} else := "Java 8 does not know this option"

# _looks_like names the option that somebody may have meant.
_looks_like(option) := concat("", ["; it looks like ", name]) if {
	name := words.nearest(regex.replace(option, `[0-9=:].*$`, ""), _meant_options)
	name != ""
} else := ""

_meant_options := {
	"--add-exports", "--add-modules", "--add-opens", "--enable-native-access", "--enable-preview", "-D", "-XX:", "-Xbatch",
	"-Xcheck:jni", "-Xcomp", "-Xdebug", "-Xint", "-Xlog", "-Xloggc", "-Xmn", "-Xms", "-Xmx", "-Xnoclassgc", "-Xrs",
	"-Xshare", "-Xss", "-Xverify", "-agentlib", "-agentpath", "-classpath", "-cp", "-ea", "-jar", "-javaagent", "-server",
	"-verbose",
}
