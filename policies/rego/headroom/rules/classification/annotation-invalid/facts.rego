package headroom.rules.classification["annotation-invalid"]

import data.headroom.runtime.jvm
import data.headroom.words

_facts := "words such as version=17 threads=200 native=100Mi classes=20000 pause=20ms"

complaints contains [entry, why, _facts] if {
	some entry in _texts
	entry.reads == "facts"
	some word in split(entry.value, " ")
	word != ""
	jvm.fact_of(word) == {}
	why := sprintf("says %s, which headroom cannot read", [words.quoted(word)])
}

complaints contains [entry, "says nothing", _facts] if {
	some entry in _texts
	entry.reads == "facts"
	trim_space(entry.value) == ""
}

_caps := {"code-cache", "direct", "metaspace", "stack"}

complaints contains [entry, why, sprintf("some of %s, with commas between them", [words.listed(_caps)])] if {
	some entry in _texts
	entry.reads == "caps"
	some part in split(entry.value, ",")
	name := trim_space(part)
	not name in _caps
	why := sprintf("asks for %s, which headroom cannot inject%s", [words.quoted(name), _meant(name, _caps)])
}
