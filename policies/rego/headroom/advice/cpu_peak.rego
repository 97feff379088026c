package headroom.advice

import data.headroom.bursts
import data.headroom.cpu
import data.headroom.measured
import data.headroom.quantity

# at_peak asks for the peak in each of the fields, request and limit, of a cron run.
at_peak(c, fields) := concat(" = ", array.concat(
	[sprintf("%ss.cpu", [f]) | some f in fields],
	[_peak(c, cpu.peak[c.id])],
))

_peak(c, 0) := cpu.not_measured(c, "peak")

_peak(_, milli) := sprintf("%s, its measured peak", [quantity.format_cpu(milli)]) if milli > 0

# one_value is for a run whose request and limit are two: which is right, only a measurement tells. A limit that is
# lowered without one may throttle, so that no number of it is told.
one_value(c) := concat(", or ", [
	sprintf("one value for both, the peak CPU use (%s)", [to_measure(c, "cpu-peak")]),
	sprintf("requests.cpu: %s", [quantity.format_cpu(c.cpu_limit)]),
	"limits.cpu at the request, where the peak is no higher",
])

# as_measured asks for a sidecar's average as its request and its peak as its limit, as far as it
# lacks them.
as_measured(c) := concat("; ", array.concat(
	[_as_measured(c, "requests.cpu", "average", cpu.average[c.id].milli) | c.cpu_request == 0],
	[_as_measured(c, "limits.cpu", "peak", _limit_at_peak(c)) | _peak_missed(c)],
))

_peak_missed(c) if cpu.under_peak(c)

_peak_missed(c) if bursts.far_above_peak(c, cpu.own_request(c))

_peak_missed(c) if {
	c.cpu_request == 0
	c.cpu_limit > 0
	c.cpu_limit < cpu.average[c.id].milli
}

# A limit is not below its request (HR208).
_limit_at_peak(c) := max([cpu.peak[c.id], cpu.own_request(c), _request_at_average(c)]) if {
	cpu.peak[c.id] > 0
} else := 0

_request_at_average(c) := cpu.average[c.id].milli if c.cpu_request == 0

_request_at_average(c) := 0 if c.cpu_request != 0

_as_measured(c, field, what, milli) := sprintf("%s: its measured %s, %s%s", [
	field,
	what,
	quantity.format_cpu(milli),
	_by(c, what),
]) if {
	milli > 0
} else := sprintf("%s: %s", [field, cpu.not_measured(c, concat(" ", ["measured", what]))])

# Readers look at annotations first; a measurement is not in the manifest, so its source is named.
_by(c, what) := sprintf(" (%s)", [measured.containers[c.name].text]) if {
	measured.counts(c.name, concat("_", ["cpu", what]))
} else := ""
