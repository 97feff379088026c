# METADATA
# title: Memory or threads that only rise, as measured
# description: |
#   What the runtime tells of itself grew through all of the last two to four days: the least of each quarter of them is
#   more than 5 % above that of the quarter before, and above that of the same hours a day before. A cache fills once,
#   and load comes and goes; what does neither is a leak: of classes (metaspace), of threads, of buffers outside the
#   heap, or of what the heap still holds after collections. The finding says by how much it grows in a day, and when
#   that meets its cap or the memory limit. A larger limit only puts the end off.
# related_resources:
# - ref: https://prometheus.io/docs/prometheus/latest/querying/functions/#deriv
#   description: The slope of a gauge
# custom:
#   id: HR614
#   severity: warning
#   harm: OOMKilled
#   certain: true
#   size: "% a day"
#   facts: [M2]
#   remediation: |
#     Find what holds it: jcmd <pid> VM.classloader_stats for metaspace, jcmd <pid> Thread.print for threads, a heap
#     dump or snapshot for the heap. Until then restart before the day that the finding names.
package headroom.rules.measured["runtime-grows"]

import data.headroom.cpu
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	c.role != "init"
	seen := measured.runtime_of(c.name)
	some what, name in _names
	rise := seen[sprintf("%s_rise", [what])]
	pod := measured.of_pod(c.name, sprintf("%s_rise", [what]))
	now := pod[what]
	_span(seen) >= 1
	end := _end(c, what, pod, rise)
	finding := {
		"container": c.name,
		"path": memory.limit_path(c),
		"message": sprintf("%s only %s: %s a day over %s, to %s (%s).%s", [
			name.text,
			name.verb,
			_amount(what, rise),
			words.span(_span(seen) * 86400),
			_amount(what, now),
			seen.text,
			end.text,
		]),
		"why": "What grows day and night outgrows a larger limit, too.",
		"expected": sprintf("find the leak: something holds the %s", [name.leaked]),
		"figures": object.union(
			{"rise_a_day": _figure(what, rise), "now": _figure(what, now)},
			{"days_left": end.days | end.days >= 0},
		),
		"size": round((rise * 1000) / now) / 10,
		"severity": _severity(seen, end),
		"outcome": "possible",
	}
}

_names := {
	"metaspace": {"text": "Metaspace", "verb": "rises", "leaked": "classes"},
	"threads": {"text": "The number of threads", "verb": "rises", "leaked": "threads"},
	"direct": {"text": "Memory of buffers outside the heap", "verb": "rises", "leaked": "buffers"},
	"live": {"text": "What the heap holds after collections", "verb": "rises", "leaked": "objects"},
	"floor": {"text": "What the heap holds at the lowest", "verb": "rises", "leaked": "objects"},
}

_amount("threads", count_of) := cpu.plural(round(count_of), "thread")

_amount(what, bytes) := sprintf("%v MiB", [round((bytes * 10) / 1048576) / 10]) if what != "threads"

_figure("threads", count_of) := round(count_of * 10) / 10

_figure(what, bytes) := quantity.mib(bytes) if what != "threads"

# A leak is looked for in the last four days at most.
_span(seen) := min([4, max([0, seen.days])])

# A quarter that is no whole day may have the load's own rise in it.
_severity(seen, end) := "warning" if {
	_span(seen) >= 3.5
	end.days >= 0
	end.days <= 30
} else := "info"
