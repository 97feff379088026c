package headroom.size

import data.headroom.advice
import data.headroom.cpu
import data.headroom.explain
import data.headroom.fix
import data.headroom.quantity

# cpus are what each container gets, aligned with workload.containers:
# {request, limit (millicores, 0 for none), changes, unsized (why a value stays that should not), request_why,
# limit_why}.
cpus[c.id] := _cpu(c) if some c in cpu.running

_cpu(c) := _stays(c, why) if {
	why := cpu_unknown(c)
	why != ""
} else := object.union(_whys(c), {
	"request": request,
	"limit": c.cpu_limit,
	"changes": changed,
	"unsized": unpaid(c),
}) if {
	request := _request(c)
	_limit(c, request) == c.cpu_limit
	changed := array.concat(_request_change(c, request), _counted(c))
} else := object.union(_whys(c), {"request": request, "limit": limit, "changes": changed, "unsized": ""}) if {
	request := _request(c)
	limit := _limit(c, request)
	changed := fix.with_limit(c, limit, request)
	count(changed) > 0
} else := object.union(_whys(c), {
	# No change of the limit is known that makes nothing worse.
	"request": request,
	"limit": c.cpu_limit,
	"changes": _request_change(c, request),
	"unsized": sprintf("limits.cpu stays: %s", [_limit_needs(c)]),
}) if {
	request := _under_limit(c, _request(c))
}

_stays(c, why) := {
	"request": max([0, c.cpu_request]),
	"limit": max([0, c.cpu_limit]),
	"changes": [],
	"unsized": why,
	"request_why": "not sized",
	"limit_why": "not sized",
}

_whys(c) := {"request_why": asked.cpu_request_why, "limit_why": asked.cpu_limit_why} if {
	asked := explain.cpu_passing(c)
}

_limit_needs(c) := advice.no_cpu_limit(c, []) if {
	cpu.row[c.id].limit == "none"
} else := sprintf("%s is what its class asks for, and what runs here may be worse off with it", [
	quantity.format_cpu(explain.block_limit(c)),
])

_under_limit(c, request) := min([request, c.cpu_limit]) if c.cpu_limit > 0

_under_limit(c, request) := request if c.cpu_limit <= 0

# _request and _limit are what the class asks for, or what is there where that passes: a manifest is not to change
# every night.
_request(c) := c.cpu_request if {
	wanted := explain.block_request(c)
	_passes(c.cpu_request, wanted, cpu.row[c.id].request)
	_both_at_peak(c, wanted)
} else := explain.block_request(c)

# A run's request and limit are one value (HR206).
_both_at_peak(c, _) if cpu.row[c.id] != {"request": "peak", "limit": "peak"}

_both_at_peak(c, wanted) if {
	c.cpu_limit == c.cpu_request
	_passes(c.cpu_limit, wanted, "peak")
}

_limit(c, request) := _limit_of(c, request, cpu.row[c.id].limit)

_limit_of(_, _, "none") := 0

_limit_of(c, request, "allocation") := max([explain.block_limit(c), request]) if explain.block_limit(c) > 0

_limit_of(c, _, "allocation") := 0 if explain.block_limit(c) <= 0

_limit_of(c, request, word) := c.cpu_limit if {
	not word in {"none", "allocation"}
	c.cpu_limit >= request
	_passes(c.cpu_limit, explain.block_limit(c), word)
	_both_at_peak(c, explain.block_request(c))
} else := max([request, explain.block_limit(c)]) if {
	not word in {"none", "allocation"}
}

# Within the tolerance a value passes; below a peak none does.
_passes(now, wanted, "peak") if {
	now >= wanted
	not cpu.outside(now, wanted)
}

_passes(now, wanted, "measured") if {
	now >= wanted
	not cpu.outside(now, wanted)
}

_passes(now, wanted, word) if {
	not word in {"peak", "measured"}
	not cpu.outside(now, wanted)
}

_request_change(c, request) := [] if {
	request == c.cpu_request
	c.cpu_request_source == "container"
} else := [fix.set_cpu_request(c, request)]

# _counted are the changes that a runtime needs which counts cores, where the limit stays.
_counted(c) := [change |
	some report in _counting
	report.container == c.name
	some change in report.fix
]

_counting := array.concat(
	[report | some report in data.headroom.rules.jvm["jvm-processors"].report; report.fix],
	[report |
		some slug in ["go-procs", "runtime-counts-node"]
		some report in data.headroom.rules.runtimes[slug].report
		report.fix
	],
)

# cpu_values are {name, now, wanted, why} of request and limit; "" means not set.
cpu_values(c) := [
	{
		"name": "requests.cpu",
		"now": _text(c.cpu_request),
		"wanted": _text(cpus[c.id].request),
		"why": cpus[c.id].request_why,
	},
	{
		"name": "limits.cpu",
		"now": _text(c.cpu_limit),
		"wanted": _text(cpus[c.id].limit),
		"why": cpus[c.id].limit_why,
	},
]

_text(milli) := quantity.format_cpu(milli) if milli > 0

_text(milli) := "" if milli <= 0
