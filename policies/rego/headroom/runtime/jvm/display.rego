package headroom.runtime.jvm

# shown is an option as its author wrote it, as far as it is a JVM's. The flags of a JVM
# are no secrets; a word that is no option, and what an option of another kind is set to
# (-Dpassword=…), may be, and are left out.
shown(s, option, value) := "a word that is not shown" if {
	not startswith(option, "-")
} else := _clean_text(_written(s, option, value)) if {
	regex.match(`^-(?:XX:|Xm[a-z]|Xs[a-z]|Xlog|Xint$|Xbatch$|Xincgc$|Xconcgc$)`, option)
} else := _clean_text(regex.replace(_written(s, option, value), `[:=](?s:.+)$`, "…"))

_clean_text(text) := _cut(regex.replace(replace(text, unresolved, "…"), `[\p{C}\p{Zl}\p{Zp}]`, "?"))

_cut(text) := text if count(text) <= 80

_cut(text) := concat("", [substring(text, 0, 79), "…"]) if count(text) > 80

_short := {"-XX:MaxHeapSize": "-Xmx", "-XX:InitialHeapSize": "-Xms"}

_written(s, option, value) := concat("", [_short[option], value]) if {
	not contains(s.text, substring(option, 4, -1))
} else := concat("", ["-", value]) if {
	startswith(value, "Xss")
} else := concat("", ["-XX:", substring(value, 0, 1), trim_prefix(option, "-XX:"), substring(value, 1, -1)]) if {
	regex.match(`^[+-]`, value)
	startswith(option, "-XX:")
} else := option if {
	value == ""
} else := concat("=", [option, value])

# flag_text is the flag that wins, as written.
flag_text(jvm, name) := text if {
	flag := jvm.flags[name]
	text := [shown(s, concat("", ["-XX:", name]), flag.value) | some s in jvm.sources; s.name == flag.source][0]
}

# origin says where the flag that wins was set, for a message.
origin(jvm, name) := concat("", [flag_text(jvm, name), " (", jvm.flags[name].source, ")"])

# listed is "8", "8 and 11" or "8, 11 and 17".
listed(items) := concat(" and ", [part |
	texts := [sprintf("%v", [item]) | some item in items]
	last := count(texts) - 1
	some part in [concat(", ", array.slice(texts, 0, last)), concat("", array.slice(texts, last, last + 1))]
	part != ""
])
