package headroom.rules.classification["annotation-invalid"]

import data.headroom.classify
import data.headroom.exempt
import data.headroom.quantity
import data.headroom.words

_texts := [pair | some pair in known; is_string(pair[0].value)]

complaints contains [entry, why, "the value in quotes"] if {
	some [entry, _] in known
	not is_string(entry.value)
	why := sprintf("is %s, and the values of annotations are text", [words.quoted(entry.value)])
}

complaints contains [entry, why, expected] if {
	some [entry, _] in known
	entry.domain in container_domains
	not entry.name in containers
	why := sprintf("names no container of this Pod%s", [_meant(entry.name, containers)])
	expected := sprintf("the name of a container behind the slash: %s", [words.listed(_shown_containers)])
}

_shown_containers := {words.shown(name) | some name in containers}

complaints contains [entry, why, "a quantity such as 500m or 2"] if {
	some [entry, "cpu"] in _texts
	why := _no_amount(entry.value, quantity.milli(entry.value))
}

complaints contains [entry, why, "a quantity such as 512Mi or 2Gi"] if {
	some [entry, "memory"] in _texts
	why := _no_amount(entry.value, quantity.bytes(entry.value))
}

complaints contains [entry, why, "a number of cores such as 1 or 0.5"] if {
	some [entry, "cores"] in _texts
	why := _no_amount(entry.value, quantity.milli(entry.value))
}

_no_amount(text, -1) := sprintf("is %s, which %s", [words.quoted(text), reason]) if {
	reason := quantity.parse(text).reason
} else := sprintf("is %s, less than nothing", [words.quoted(text)])

_no_amount(text, 0) := sprintf("is %s, which says nothing: it is read as not set", [words.quoted(text)])

complaints contains [entry, why, "an annotation for each container that was measured"] if {
	some [entry, "cpu"] in _texts
	entry.domain == ""
	entry.name == "cpu-average"
	count(containers) > 0
	not classify.main
	why := "speaks for the main container, and this Pod has none: all of its containers are sidecars"
}

complaints contains [entry, why, "static"] if {
	some [entry, "pinning"] in _texts
	entry.value != "static"
	why := sprintf("is %s; the one value it has is static", [words.quoted(entry.value)])
}

complaints contains [entry, why, "the ID or slug of a rule: `headroom rules` lists them"] if {
	some [entry, "exemption"] in known
	exempt.rule_id(entry.name) == ""
	why := sprintf("names no rule, and exempts nothing%s", [_meant(entry.name, slugs)])
}

complaints contains [entry, why, "a day such as until=2027-01-31, then a semicolon and the reason"] if {
	some [entry, "exemption"] in _texts
	until := exempt.parse(entry.value).until
	until != ""
	not exempt.is_date(until)
	why := sprintf("ends with %s, which is no day of the calendar: it exempts nothing", [words.quoted(until)])
}

# _meant proposes what resembles a name most.
_meant(name, names) := sprintf("; did you mean %s?", [words.shown(near)]) if {
	near := words.nearest(name, names)
	near != ""
} else := ""
