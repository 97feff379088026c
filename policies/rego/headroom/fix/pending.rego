package headroom.fix

import data.headroom.catalogue
import data.headroom.config
import data.headroom.exempt
import data.headroom.workload

# Fixes that rest on each other are made one after the other. What comes later is judged by what the
# earlier has made: first CPU limits, then a JVM's caps, then its heap.

# limit_changes says that a container's CPU limit is about to change: what goes by it waits.
default limit_changes(_) := false

limit_changes(c) if _field(c, "limits", "cpu") in _changed_paths

_changed_paths := {change.path | some change in _cpu_changes}

# by_limit are the changes that come with another CPU limit: of a finding that they cure.
by_limit(c) := [change |
	some report in data.headroom.rules.cpu[slug].report
	report.container == c.name
	_counts(slug, report)
	some change in report.fix
]

_cpu_changes := [change |
	some report in data.headroom.rules.cpu[slug].report
	_counts(slug, report)
	some change in report.fix
	change.change in {"set", "remove"}
]

# Only what is not exempted, nor turned off, is made.
_counts(slug, report) if {
	count(object.get(report, "fix", [])) > 0
	_in_force(slug, report)
}

_in_force(slug, report) if {
	id := catalogue.ids[slug]
	not exempt.rules[id]
	not exempt.from_comment(id, workload.located(report.path))
	not exempt.from_config(id, slug, report.container)
	config.severity(id, slug, "error") != "off"
}

# capped_first says that caps on a JVM's regions are about to be set.
default capped_first(_) := false

capped_first(c) if regions_first(c)

capped_first(c) if {
	some report in data.headroom.rules.jvm["jvm-code-cache-unset"].report
	report.container == c.name
	_counts("jvm-code-cache-unset", report)
}

default regions_first(_) := false

regions_first(c) if {
	some report in data.headroom.rules.memory["jvm-region-unbounded"].report
	report.container == c.name
	_counts("jvm-region-unbounded", report)
}

# memory_changes are those of requests: nothing changes a memory limit.
_memory_changes := [change |
	some report in data.headroom.rules.memory["memory-request-not-limit"].report
	_counts("memory-request-not-limit", report)
	some change in report.fix
]

# proposed are all changes of CPU and memory.
proposed := array.concat(_cpu_changes, _memory_changes)
