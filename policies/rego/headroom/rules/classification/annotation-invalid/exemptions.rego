package headroom.rules.classification["annotation-invalid"]

import data.headroom.catalogue
import data.headroom.exempt
import data.headroom.words

# Slugs are words and can be misspelt; one number is as near to another as any.
slugs := object.keys(catalogue.ids)

complaints contains [entry, why, "the ID or slug of a rule: `headroom rules` lists them"] if {
	some entry in entries
	entry.reads == "exemption"
	exempt.rule_id(entry.name) == ""
	why := sprintf("names no rule, and exempts nothing%s", [_meant(entry.name, slugs)])
}

complaints contains [entry, why, "a day such as until=2027-01-31, then a semicolon and the reason"] if {
	some entry in _texts
	entry.reads == "exemption"
	until := exempt.parse(entry.value).until
	until != ""
	not exempt.is_date(until)
	why := sprintf("ends with %s, which is no day of the calendar: it exempts nothing", [words.quoted(until)])
}
