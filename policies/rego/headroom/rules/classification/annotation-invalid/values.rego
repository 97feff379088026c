package headroom.rules.classification["annotation-invalid"]

import data.headroom.classify
import data.headroom.words

_texts := [entry | some entry in entries; is_string(entry.value); not _to_be_filled(entry)]

# A placeholder's value is not known. The reason of an exemption is free text.
_to_be_filled(entry) if {
	is_string(entry.reads)
	not entry.reads in {"", "exemption"}
	words.placeholder(entry.value)
}

complaints contains [entry, why, "the value in quotes"] if {
	some entry in entries
	entry.reads != null
	not is_string(entry.value)
	why := sprintf("is %s, and the values of annotations are text", [words.quoted(entry.value)])
}

complaints contains [entry, why, expected] if {
	some entry in entries
	entry.domain in container_domains
	not entry.name in containers
	not _namespace
	why := sprintf("names no container of this Pod%s", [_meant(entry.name, containers)])
	expected := sprintf("the name of a container behind the slash: %s", [words.listed(_shown_containers)])
}

_shown_containers := {words.shown(name) | some name in containers}

complaints contains [entry, why, "an annotation for each container that was measured"] if {
	some entry in _texts
	entry.domain == ""
	entry.name == "cpu-average"
	count(containers) > 0
	not classify.main
	why := "speaks for the main container, and this Pod has none: all of its containers are sidecars"
}

complaints contains [entry, why, "static"] if {
	some entry in _texts
	entry.reads == "pinning"
	entry.value != "static"
	why := sprintf("is %s; the one value it has is static", [words.quoted(entry.value)])
}

# _meant proposes what resembles a name most.
_meant(name, names) := words.did_you_mean(words.shown(words.nearest(name, names)))
