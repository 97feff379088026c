package headroom.rules.classification["annotation-invalid"]

import data.headroom.config
import data.headroom.exempt
import data.headroom.words
import data.headroom.workload

complaints contains [entry, why, sprintf("some of %s, with commas between them", [words.listed(config.classes)])] if {
	some entry in _texts
	entry.reads == "classes"
	some part in split(entry.value, ",")
	name := trim_space(part)
	name != ""
	not name in config.classes
	why := sprintf("allows %s, which is no class%s", [words.quoted(name), _meant(name, config.classes)])
}

complaints contains [entry, why, "IDs or slugs of rules, with commas between them: `headroom rules` lists them"] if {
	some entry in _texts
	entry.reads == "rules"
	some part in split(entry.value, ",")
	name := trim_space(part)
	name != ""
	exempt.rule_id(name) == ""
	why := sprintf("allows %s, which is no rule%s", [words.quoted(name), _meant(name, slugs)])
}

_labels := {"mode": {"audit", "enforce", "off", "warn"}, "mutate": {"disabled", "enabled"}}

complaints contains [entry, why, expected] if {
	_namespace
	some key, value in workload.manifest.metadata.labels
	startswith(key, "headroom.dev/")
	entry := {"key": key, "path": ["metadata", "labels", key], "domain": "", "name": ""}
	[why, expected] := _label(substring(key, 13, -1), value)
}

_label(name, value) := [why, sprintf("one of %s", [words.listed(_labels[name])])] if {
	not value in _labels[name]
	why := sprintf("is %s; the label is one of %s", [words.quoted(value), words.listed(_labels[name])])
}

_label(name, _) := ["is an annotation, and has no effect as a label", "the annotation"] if {
	_ = _readers[name]
}

_label(name, _) := [why, "headroom.dev/mode or headroom.dev/mutate"] if {
	not name in object.keys(_labels)
	not name in object.keys(_readers)
	why := sprintf("is no label that headroom knows, and has no effect%s", [_label_meant(name)])
}

_label_meant(name) := sprintf("; did you mean headroom.dev/%s?", [near]) if {
	near := words.nearest(name, object.keys(_labels))
	near != ""
} else := ""
