# METADATA
# title: Batch CPU limit is not twice the average
# description: |
#   A batch container has no latency to lose, so a limit costs it little, and it is what
#   stops a runaway from taking every idle core of its node. Twice the average is the room
#   to catch up: less throttles ordinary work, more does not stop a runaway. A class of the
#   config that asks for another multiple is held to that one. The tolerance (25 % unless
#   the config says otherwise) is a share of the limit that is wanted.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR204
#   severity: error
#   harm: neighbours
#   facts: [T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set limits.cpu to twice the average CPU use. Without a measurement, the request
#     stands in for the average; record the measured one as cpu-average.headroom.dev/<container>.
package headroom.rules.cpu["batch-cpu-limit"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.workload

report contains finding if {
	cpu.asked_of_limits - _others_words != set()
	some c in workload.containers
	word := cpu.row[c.id].limit
	not word in _others_words
	factor := cpu.times(word)
	average := cpu.average[c.id].milli
	wanted := cpu.times_average(factor, average)
	not _of_no_use(c)
	why := _why(c, wanted)
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": cpu.said([cpu.limit_words(c), _average_words(c)]),
		"why": why,
		"expected": advice.limit_times_average(c, factor, average, wanted),
		"figures": {
			"limit_millicores": c.cpu_limit,
			"average_millicores": average,
			"times_average": factor,
			"wanted_limit_millicores": wanted,
		},
		"fix": fix.times_average(c, wanted),
		"harm": _harm(c, wanted),
	}
}

# Where one field is request and limit, and stands in for the average too, its double never comes true.
_of_no_use(c) if {
	workload.shared_field("cpu")
	cpu.average[c.id].assumed
}

# Words that other rules hold limits to. "measured" is HR205's: there the limit is the
# measured peak.
_others_words := {"allocation", "measured", "none", "peak"}

_why(c, _) := "A runaway takes every idle core of the node." if c.cpu_limit == 0

_why(c, wanted) := _effects[c.cpu_limit < wanted] if {
	c.cpu_limit > 0
	wanted > 0
	not cpu.shared(c.cpu_limit_source)
	cpu.outside(c.cpu_limit, wanted)
}

# A limit below the average use is what throttles; any other is no bound for a runaway.
_harm(c, wanted) := "throttled" if {
	c.cpu_limit > 0
	c.cpu_limit < wanted
} else := "neighbours"

_effects[true] := "So low a limit throttles ordinary work."

_effects[false] := "So high a limit does not stop a runaway."

_average_words(c) := cpu.average_words(c) if cpu.average[c.id].milli > 0

_average_words(c) := concat("", [
	"nothing says its average use, neither an annotation nor a request",
	measured.doubt(c, " (%s)"),
]) if {
	cpu.average[c.id].milli == 0
}
