# METADATA
# title: Exemptions
# description: |
#   Which rules a workload, or the config, has been exempted from, with the reason. An
#   exemption without a reason, or past its date, exempts nothing; HR106 says so.
package headroom.exempt

import data.headroom.catalogue
import data.headroom.config
import data.headroom.workload

# annotations are the ignore annotations as they stand: {key, name, rule (an ID, "" when
# no rule has that name), reason, until, path}.
annotations := [entry |
	some name, value in workload.annotations_of("ignore.headroom.dev/")
	key := concat("", ["ignore.headroom.dev/", name])
	parsed := parse(value)
	entry := {
		"key": key,
		"name": name,
		"rule": rule_id(name),
		"reason": parsed.reason,
		"until": parsed.until,
		"path": workload.annotation_path(key),
	}
]

# rule_id gives the ID for an ID or a slug, "" for neither.
rule_id(name) := name if {
	catalogue.rules[name]
} else := object.get(catalogue.ids, name, "")

# parse takes "until=2027-01-31; reason" or "reason" apart.
parse(value) := {"until": until, "reason": trim_space(reason)} if {
	is_string(value)
	startswith(trim_space(value), "until=")
	[[_, until, reason]] := regex.find_all_string_submatch_n(`^\s*until=([^;]*);?((?s:.*))$`, value, 1)
} else := {"until": "", "reason": trim_space(value)} if {
	is_string(value)
} else := {"until": "", "reason": ""}

# date_ns is a date's first instant after it, in ns since 1970 UTC; undefined for what is
# no date. The day that is named still counts.
date_ns(until) := time.parse_rfc3339_ns(concat("", [until, "T00:00:00Z"])) + _day_ns if {
	regex.match(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`, until)
	_day_exists(until)
}

_day_ns := 86400000000000

# time.parse_rfc3339_ns fails on the 31st of a month of 30 days.
_day_exists(until) if {
	[year, month, day] := [to_number(trim_left(part, "0")) | some part in split(until, "-")]
	day <= _days(year, month)
}

_days(year, 2) := 29 if _leap(year)

_days(year, 2) := 28 if not _leap(year)

_days(_, month) := 30 if month in {4, 6, 9, 11}

_days(_, month) := 31 if month in {1, 3, 5, 7, 8, 10, 12}

_leap(year) if {
	year % 4 == 0
	year % 100 != 0
}

_leap(year) if year % 400 == 0

# now is the time of the decision. data.headroom.now stands in for it where the same
# answer is wanted every day.
now := data.headroom.now if {
	is_number(data.headroom.now)
} else := time.now_ns()

# expired is true for a date that has passed, and for one that cannot be read: an
# exemption whose end nobody can tell must not last for ever.
expired(until) if date_ns(until) <= now

expired(until) if {
	until != ""
	not date_ns(until)
}

# allowed says whether the namespace lets its workloads exempt themselves from a rule;
# every rule, unless its headroom.dev/allow-ignore lists some.
allowed(_) if not workload.namespace_annotations["headroom.dev/allow-ignore"]

allowed(id) if id in allowed_rules

allowed_rules := {rule_id(trim_space(name)) |
	some name in split(workload.namespace_annotations["headroom.dev/allow-ignore"], ",")
}

# rules are the exemptions that hold: rule ID to {reason, until, source}.
rules := {entry.rule: {"reason": entry.reason, "until": entry.until, "source": "annotation"} |
	some i, entry in annotations
	_holds(entry)
	not entry.rule in {e.rule | some j, e in annotations; j < i; _holds(e)}
}

_holds(entry) if {
	entry.rule != ""
	entry.reason != ""
	not expired(entry.until)
	allowed(entry.rule)
}

# from_config is the exemption that the config gives a finding.
from_config(id, slug, container) := {
	"reason": object.get(entry, "reason", ""),
	"until": object.get(entry, "until", ""),
	"source": "config",
} if {
	entry := [e |
		some e in config.settings.ignore
		_covers(e, id, slug, container)
	][0]
}

_covers(entry, id, slug, container) if {
	some name in object.get(entry, "rules", [])
	name in {id, slug, "*"}
	_matches(entry, "namespace", workload.namespace)
	_matches(entry, "kind", workload.kind)
	_matches(entry, "name", workload.resource.name)
	_matches(entry, "container", container)
	trim_space(object.get(entry, "reason", "")) != ""
	not expired(object.get(entry, "until", ""))
}

# A key that the entry does not have matches everything; `*` in it stands for any part.
_matches(entry, key, value) if {
	pattern := object.get(entry, key, "*")
	glob.match(pattern, [], value)
}
