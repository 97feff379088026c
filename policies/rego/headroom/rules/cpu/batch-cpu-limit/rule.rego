# METADATA
# title: Batch CPU limit is not twice the average
# description: |
#   A batch container has no latency to lose, so a limit costs it little, and stops a runaway from
#   taking every idle core of its node. Twice the average leaves room to catch up: less throttles normal
#   load, more does not stop a runaway. Where the config asks for another multiple, that one counts;
#   within the tolerance (25 % of the limit that is wanted, unless the config says otherwise) nothing is
#   reported. Where the average is not known no number is wanted: a request says what was reserved, not
#   what is used. A class that was named is then told that its limit is missing, or, as a warning, that
#   limit and request do not fit each other. A class that only the kind shows, as of a Job, is not
#   judged until its use is known.
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
#     Set limits.cpu to twice the average CPU use. `headroom annotate` measures that and records it as
#     cpu-average.headroom.dev/<container>, and the peak as cpu-peak.headroom.dev/<container>: a limit that is new or
#     lower is written only where it is not under a measured peak.
package headroom.rules.cpu["batch-cpu-limit"]

import data.headroom.advice
import data.headroom.classify
import data.headroom.cpu
import data.headroom.fix
import data.headroom.workload

report contains finding if {
	cpu.asked_of_limits - _others_words != set()
	some c in workload.containers
	word := cpu.row[c.id].limit
	not word in _others_words
	factor := cpu.times(word)
	average := cpu.average[c.id].milli
	wanted := cpu.times_average(factor, average)
	not _of_no_use(c, average)
	why := _why(c, wanted)
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": cpu.said([cpu.limit_words(c), cpu.average_words(c)]),
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

# A limit and a request of which one is not what the class asks for. Only a measurement tells which.
report contains finding if {
	cpu.asked_of_limits - _others_words != set()
	some c in workload.containers
	word := cpu.row[c.id].limit
	not word in _others_words
	factor := cpu.times(word)
	cpu.average[c.id].milli == 0
	classify.said(c.name)
	_both_said(c)
	cpu.outside(c.cpu_limit, cpu.times_average(factor, c.cpu_request))
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": cpu.said([cpu.limit_words(c), cpu.request_words(c), cpu.average_words(c)]),
		"why": sprintf("This class has a limit of %v × the request: measure the average to see which of the two is wrong.", [
			factor,
		]),
		"expected": advice.limit_fits_request(c, factor),
		"figures": {
			"limit_millicores": c.cpu_limit,
			"request_millicores": c.cpu_request,
			"times_average": factor,
		},
		"severity": "warning",
	}
}

# A request that the limit only lends its value to says nothing.
_both_said(c) if {
	c.cpu_limit > 0
	c.cpu_request > 0
	c.cpu_request_source != "limit"
	not workload.shared_field("cpu")
	not cpu.shared(c.cpu_limit_source)
	not cpu.shared(c.cpu_request_source)
}

# What may run for seconds only has its class by its kind, or the one field that there is is the request, too.
_of_no_use(c, 0) if not classify.said(c.name)

_of_no_use(_, 0) if workload.shared_field("cpu")

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

_effects[true] := "This limit throttles normal load."

_effects[false] := "This limit is too high to stop a runaway."
