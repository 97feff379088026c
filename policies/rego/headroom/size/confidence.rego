package headroom.size

import data.headroom.cpu
import data.headroom.measured
import data.headroom.memory

# confidence is how well the use is known: {known, days, samples, left_out, text}. Days and samples are -1 if
# not counted. left_out are the samples that no value rests on: none of Prometheus, whose highest is the peak.
confidence(c) := {
	"known": m.doubt == "",
	"days": m.days,
	"samples": m.figures.samples,
	"left_out": _left_out(m),
	"text": [text | some text in [m.doubt, m.text]; text != ""][0],
} if {
	m := measured.containers[c.name]
} else := {
	"known": true,
	"days": days_seen(c),
	"samples": -1,
	"left_out": "not known",
	"text": _annotated(c),
} if {
	_declared(c)
} else := {
	"known": false,
	"days": -1,
	"samples": -1,
	"left_out": "none",
	"text": measured.missing(c, "nothing was measured: --prometheus, --vpa or annotations"),
}

_declared(c) if cpu.average[c.id].milli > 0

_declared(c) if cpu.peak[c.id] > 0

_declared(c) if memory.peak[c.name].bytes > 0

_annotated(c) := sprintf("annotations of the manifest%s", [text]) if {
	some of in measured.of_container
	text := measured.beside(c.name, of)
	text != ""
} else := "annotations of the manifest, whose age is not known"

# days_seen are from the first sample to the newest, of what an annotation gives too; -1 is not known.
days_seen(c) := measured.containers[c.name].days if {
	measured.containers[c.name].doubt == ""
} else := measured.dated[c.name].over / measured.day if {
	not measured.containers[c.name]
	measured.dated[c.name].over > 0
} else := -1

# The 90th percentile of what it saw is an autoscaler's target.
_left_out(m) := "one in ten, as its recommendation is a 90th percentile" if {
	m.figures.source == "VerticalPodAutoscaler"
} else := "none"

# A day has a night: with less of it, a high peak may be missing and a limit is not lowered.
_least_days := 1

may_lower(c) if measured.containers[c.name].days >= _least_days

may_lower(c) if {
	not measured.counts(c.name, "memory_peak")
	memory.peak[c.name].bytes > 0
	not _in_part_of_a_day(c)
}

_in_part_of_a_day(c) if {
	measured.by_annotation(c.name, "memory-peak")
	measured.span_of(c.name, "memory-peak") < measured.day
}
