package headroom.rules.classification["annotation-invalid"]

import data.headroom.registry
import data.headroom.runtimes
import data.headroom.words

complaints contains [entry, why, registry.annotated[name].expected] if {
	some entry in _texts
	entry.reads == "facts"
	name := trim_suffix(entry.domain, ".")
	some word in split(entry.value, " ")
	word != ""
	not runtimes.reads(name, word)
	why := sprintf("says %s, which headroom cannot read", [words.quoted(word)])
}

complaints contains [entry, "says nothing", registry.annotated[name].expected] if {
	some entry in _texts
	entry.reads == "facts"
	name := trim_suffix(entry.domain, ".")
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
