# METADATA
# title: One object judged
# description: |
#   Evaluates every rule that can apply to the object, and puts into each finding what the
#   rule need not repeat: its ID, slug, severity, the class and the resource.
package headroom.judge

import data.headroom.catalogue
import data.headroom.classify
import data.headroom.config
import data.headroom.exempt
import data.headroom.fix
import data.headroom.runtimes
import data.headroom.workload

result := {
	"findings": [f | some f in _judged; not f.suppressed],
	"exempted": [f | some f in _judged; f.suppressed],
	"skipped": [object.union(s, {"resource": workload.resource}) | some s in workload.skipped],
	"objects": [summary],
}

# Categories are the directories under rules/. Those that cannot apply are not evaluated.
_categories := {"manifest", "classification", "cpu", "memory", "runtimes"} | (runtimes.categories | _measured) if {
	workload.judged
} else := {"manifest", "classification"} if {
	workload.kind == "Namespace"
} else := {"manifest", "node"} if {
	workload.kind == "KubeletConfiguration"
} else := {"manifest"}

_measured := {name | some name in ["measured"]; _is_told} | {name | some name in ["running"]; _moves}

# Something was measured now, or an annotation says what was measured of a heap.
_is_told if workload.measured

_is_told if {
	some text in workload.annotations_of("jvm.headroom.dev/")
	is_string(text)
	regex.match(`(?:^| )(?:live|processors)=`, text)
}

# Something changes the Pods while they run: a resize that is asked for, or what scales and boosts them.
_moves if workload.before

_moves if count(workload.context.autoscalers) + count(workload.context.boosts) > 0

_judged := [object.union(finding, {"group": _group(finding, follows)}) | some [finding, follows] in _found]

_found := array.concat(_of_rules, _of_comments) if {
	count(workload.comments) > 0
} else := _of_rules

# What comments say wrong, and those that exempt from nothing that is found.
_of_comments := [[finding, []] |
	some [entry, why, expected, more] in array.concat(exempt.comment_problems, _idle)
	finding := _finding("HR106", catalogue.rules.HR106.slug, object.union(more, {
		"container": "",
		"path": entry.path,
		"message": sprintf("The comment %s %s, and exempts nothing.", [entry.shown, why]),
		"expected": expected,
	}))
	finding.severity != "off"
]

# A fix may have ended what a comment is about: that is no warning, which would undo the fix.
_idle := [[entry, "speaks for nothing that this rule finds", "no comment", {"severity": "info"}] |
	some entry in exempt.comments
	exempt.holds(entry)
	exempt.within(entry)
	not _covers_a_finding(entry)
]

_covers_a_finding(entry) if {
	some [finding, _] in _of_rules
	entry.rule == finding.rule
	some path in entry.paths
	exempt.covers(path, finding.path)
}

_of_rules := [[finding, object.get(report, "follows", [])] |
	some category in _categories
	some slug in _slugs[category]
	not slug in _silent
	not data.headroom.broken[slug]
	some report in data.headroom.rules[category][slug].report
	id := catalogue.ids[slug]
	finding := _finding(id, slug, report)
	finding.severity != "off"
]

# _slugs are the rules of each category. The engine names as broken what it could not evaluate, and asks again.
_slugs := {category: {rule.slug | some rule in catalogue.rules; rule.category == category} |
	some category in {rule.category | some rule in catalogue.rules}
}

# A finding may follow from what other rules, in the order of their slugs, say of its container. The
# first that speaks, and at least as loud, speaks for it.
_group(finding, []) := finding.rule

_group(finding, follows) := speakers[0] if {
	speakers := [rule |
		some slug in follows
		some [rule, loudness] in _speaking[[slug, finding.container]]
		loudness >= _loudness[finding.severity]
	]
} else := finding.rule if {
	follows != []
}

_speaking[[other.slug, other.container]] contains [other.rule, _loudness[other.severity]] if {
	some [other, _] in _found
	not other.suppressed
}

_loudness := {"info": 1, "warning": 2, "error": 3}

# A resource that has no pod template does not show what these rules rest on: the command, the
# image's script, the rest of the environment.
default _silent := set()

_silent := {"jvm-flags-not-read", "jvm-flags-unknown", "jvm-gc-log", "jvm-stack-unset"} | _unsized if workload.entry.at

# The operator sizes a heap that the resource does not.
_unsized := set() if {
	regex.match(`-Xmx|-XX:MaxRAMPercentage`, workload.jvm_text)
} else := set() if {
	workload.entry.line
} else := {"jvm-heap-unset", "jvm-headroom", "jvm-heap-reaches-limit", "jvm-region-unbounded"}

_finding(id, slug, report) := object.union(bare, _suppression(id, slug, report.container, bare.path)) if {
	bare := _bare(id, slug, report)
}

_bare(id, slug, report) := {
	"rule": id,
	"slug": slug,
	"severity": config.severity(id, slug, _severity(id, report)),
	"harm": object.get(report, "harm", catalogue.rules[id].harm),
	"certain": _sure(id, report),
	"unclassed": _unclassed(id, report),
	"bound": _bound(id),
	"class": _class(report.container),
	"resource": workload.resource,
	"container": report.container,
	"path": workload.located(report.path),
	"message": workload.worded(concat(" ", array.concat([report.message], _why(report)))),
	"why": workload.worded(concat("", _why(report))),
	"expected": workload.worded(fix.wanted_of(report.expected, report.container)),
	"price": workload.worded(object.get(report, "price", "")),
	"figures": figures,
	"size": _size(id, report, figures),
	"fix": changes,
	"fixable": count(changes) > 0,
	"withheld": _withheld(slug, report),
} if {
	figures := _figures(report)
	changes := fix.admitted(object.get(report, "fix", []), report.container)
}

_withheld(slug, report) := fix.withheld(slug, report.container) if report.fix == []

default _withheld(_, _) := ""

# The Namespace may forbid to exempt from a rule. Advice to do so would lead nowhere.
_bound(id) := false if exempt.allowed(id)

_bound(id) if not exempt.allowed(id)

# The end of a message that is the same for every container.
_why(report) := [report.why] if {
	report.why
} else := []

# How much is wrong: the larger, the worse. It is empty where the rule has no measure, and where the
# amount follows from what was measured, which is another one each time.
_size(id, report, figures) := {"value": report.size, "unit": catalogue.rules[id].size} if {
	is_number(report.size)
	not figures.measured
} else := {}

# A rule may be certain that something is wrong, and a finding of it tell what can come of that.
_sure(id, report) := catalogue.rules[id].certain if object.get(report, "outcome", "certain") == "certain"

_sure(_, report) := false if object.get(report, "outcome", "certain") != "certain"

# Without a class, only what is certain whatever the container is refuses it.
_severity(id, report) := "warning" if {
	_softened(id, report)
} else := _own_severity(id, report)

_own_severity(id, report) := object.get(report, "severity", catalogue.rules[id].severity)

_softened(id, report) if {
	_own_severity(id, report) == "error"
	not catalogue.rules[id].certain
	workload.judged
	not classify.said(report.container)
}

# unclassed tells that the finding is a warning only because no class is set: with one, it is an error.
_unclassed(id, report) if {
	_softened(id, report)
	config.severity(id, catalogue.rules[id].slug, "warning") == "warning"
	config.severity(id, catalogue.rules[id].slug, "error") == "error"
} else := false

_suppression(id, slug, container, path) := {"suppressed": exempt.rules[id]} if {
	exempt.rules[id]
} else := {"suppressed": suppression} if {
	suppression := exempt.from_comment(id, path)
} else := {"suppressed": suppression} if {
	suppression := exempt.from_config(id, slug, container)
} else := {}

# The class of the container that a finding names; of the Pod where it names none.
_class(container) := class if {
	class := _class_by_name[container]
} else := classify.pod_class if {
	workload.judged
} else := ""

# Of two containers of a name, which no Pod may have, the first counts.
_class_by_name := object.union_n([{c.name: classify.classes[c.id]} | some c in array.reverse(workload.containers)])

# summary describes the containers for a person: class, what says so, and what runs there.
summary := {
	"resource": workload.resource,
	"path": workload.path_prefix,
	"judged": workload.judged,
	"containers": [{
		"name": c.name,
		"role": c.role,
		"path": workload.located(c.path),
		"class": classify.evidence[id].class,
		"evidence": classify.evidence[id].text,
		"runtime": runtimes.running[id].id,
		"runtime_text": runtimes.running[id].text,
		"runtime_evidence": runtimes.running[id].evidence,
		"image": concat("", [image | image := c.raw.image; is_string(image)]),
	} |
		some id, c in workload.containers
	],
}
