# METADATA
# title: Exemptions
# description: |
#   Which rules a workload, a comment of its file, or the config, has been exempted from, with the reason.
#   An exemption without a reason, or past its date, exempts nothing; HR106 says so.
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

# parse takes "until=2027-01-31; reason" or "reason" apart. What is no text says nothing.
parse(value) := {"until": "", "reason": ""} if {
	not is_string(value)
} else := {"until": trim_space(until), "reason": trim_space(reason)} if {
	[[_, until, reason]] := regex.find_all_string_submatch_n(`^until=([^;]*);?((?s:.*))$`, trim_space(value), -1)
} else := {"until": "", "reason": trim_space(value)}

# is_date tells a day of the calendar, written as 2027-01-31.
is_date(text) if regex.match(calendar, text)

# calendar are the days that there are: those of long and short months, and the 29th of
# February where the year divides by 4, and a century's by 400.
calendar := concat("", [
	`^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])`,
	`|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))`,
	`|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$`,
])

# now is the time of the decision. data.headroom.now stands in for it where the same
# answer is wanted every day.
now := data.headroom.now if {
	is_number(data.headroom.now)
} else := time.now_ns()

_today := time.format([now, "UTC", "2006-01-02"])

# expired is true for a date that has passed, and for one that cannot be read: an
# exemption without a readable end must not last for ever. The day that is named still
# counts. Dates are compared as text: a clock cannot count to the year 9999.
expired(until) if {
	is_date(until)
	until < _today
}

expired(until) if {
	until != ""
	not is_date(until)
}

# allowed says whether the namespace lets its workloads exempt themselves from a rule: its
# headroom.dev/allow-ignore lists them. Without one, every rule but those that its bounds rest on. A list
# that cannot be read allows none.
allowed(id) if {
	not _restricted
	not id in bounds
	not _of_allowed_class(id)
}

allowed(id) if id in _allowed_rules

# bounds are the rules that hold a tenant to what its Namespace says, and those by which it would
# get around them. A class that does not exist has no row, a quantity that cannot be read no amount.
# HR106 says which exemptions do not hold.
bounds := {"HR001", "HR102", "HR104", "HR106", "HR207"}

# The rules that want the CPU limit of a class. Where a Namespace says which classes it allows, that
# limit is why.
class_limits := {"HR204", "HR205", "HR206"}

_of_allowed_class(id) if {
	id in class_limits
	_ = workload.namespace_annotations["headroom.dev/allowed-classes"]
}

_restricted if _ = workload.namespace_annotations["headroom.dev/allow-ignore"]

_allowed_rules := {rule_id(trim_space(name)) |
	list := workload.namespace_annotations["headroom.dev/allow-ignore"]
	is_string(list)
	some name in split(list, ",")
}

# is_reason tells words from what says nothing: punctuation, digits, blanks, marks, a letter or two.
is_reason(text) if regex.match(reason, text)

# reason finds three letters, or two of a script without capitals, where one may be a word. The fillers of Hangul are
# letters without a shape, and do not count.
reason := `(?:[\p{Lu}\p{Ll}\p{Lt}\p{Lm}][\s\S]*?){3}|(?:[^\P{Lo}\x{115F}\x{1160}\x{3164}\x{FFA0}][\s\S]*?){2}`

# rules are the exemptions that hold: rule ID to {reason, until, source}. A rule may be
# named by its ID and its slug; the first decides.
rules := {id: {"reason": entry.reason, "until": entry.until, "source": "annotation"} |
	some id in {entry.rule | some entry in _holding}
	entry := [entry | some entry in _holding; entry.rule == id][0]
}

_holding := [entry | some entry in annotations; holds(entry)]

# holds tells an exemption that exempts, if there is something to exempt from, from one that does not.
holds(entry) if {
	entry.rule != ""
	is_reason(entry.reason)
	not expired(entry.until)
	allowed(entry.rule)
}

# from_config is the exemption that the config gives a finding.
from_config(id, slug, container) := {
	"reason": entry.reason,
	"until": object.get(entry, "until", ""),
	"source": "config",
} if {
	entry := [entry |
		some entry in config.settings.ignore
		_covers(entry, id, slug, container)
	][0]
}

_covers(entry, id, slug, container) if {
	some name in [id, slug, "*"]
	name in entry.rules
	config.matches(object.get(entry, "namespace", "*"), workload.namespace)
	config.matches(object.get(entry, "kind", "*"), workload.kind)
	config.matches(object.get(entry, "name", "*"), workload.resource.name)
	config.matches(object.get(entry, "container", "*"), container)
	trim_space(entry.reason) != ""
	not expired(object.get(entry, "until", ""))
}
