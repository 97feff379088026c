# METADATA
# title: Details
# description: |
#   What is known of each container beside what is wrong with it: its CPU and what its class
#   asks for, its memory, a JVM's budget, and what hurts it today. For reports; no rule reads it.
package headroom.detail

import data.headroom.cpu
import data.headroom.measured
import data.headroom.memory
import data.headroom.workload

# result has one entry per container, in the order of main.result.objects.
result := [_detail(c) | some c in workload.containers] if {
	not workload.several
} else := [entry |
	some review in workload.reviews
	some entry in result_of(review)
]

# result_of is that of one of several objects.
result_of(review) := found if {
	found := [_detail(c) | some c in workload.containers] with input as review
}

_detail(c) := {
	"container": c.name,
	"cpu": _cpu(c),
	"memory": {"request": _known(c.memory_request), "limit": _known(c.memory_limit), "peak": _memory_peak(c)},
	"budget": _budget(c),
	"harm": _harm(c),
	"evidence": _evidence(c),
	"facts": memory.facts_of(c),
}

# What is set and cannot be read is HR001's to report.
_known(amount) := max([0, amount])

_cpu(c) := {
	"request": _known(c.cpu_request),
	"limit": _known(c.cpu_limit),
	"average": cpu.average[c.id].milli,
	"peak": cpu.peak[c.id],
	"cores": cpu.cores[c.id],
	"wanted_request": _wanted_request(c),
	"wanted_limit": _wanted_limit(c),
}

_memory_peak(c) := object.get(memory.peak, [c.name, "bytes"], 0)

# A kill is a fact, and throttling a share; both are 0 if not counted (T5).
_harm(c) := {
	"oom_kills": object.get(measured.containers, [c.name, "oom_kills"], 0),
	"throttled_cores": (object.get(measured.containers, [c.name, "ratio"], 0) * _known(c.cpu_request)) / 1000,
	"headroom_left": _left(c),
}

_evidence(c) := [text |
	m := measured.containers[c.name]
	some text in [m.doubt, m.text]
	text != ""
][0] if {
	_ = measured.containers[c.name]
} else := ""
