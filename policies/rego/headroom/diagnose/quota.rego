package headroom.diagnose

import data.headroom.quantity

# quota says what the kernel grants in each period, and how long one is: [] where it was not read, and without a limit.
quota := [verdict("cpu-quota", "ok", value, concat(" ", said), "")] if {
	granted := positive(input.read.quota_us)
	period := positive(input.read.period_us)
	value := sprintf("%v ms each %v ms", [_ms(granted), _ms(period)])
	said := array.concat([_grants(granted, period)], array.concat(_carried(granted), _length(period)))
} else := []

_grants(granted, period) := sprintf("Each period of %v ms grants %v ms of CPU time: a limit of %v.", [
	_ms(period),
	_ms(granted),
	quantity.format_cpu(round((granted * 1000) / period)),
])

# A burst of the kernel adds what earlier periods left unused, up to that much: cpu.max.burst (v2) or cpu.cfs_burst_us.
# The kubelet sets none.
_carried(granted) := [sprintf("Up to %v ms that it left unused may be added, so that %v ms is the most in a period.", [
	_ms(burst),
	_ms(granted + burst),
])] if {
	burst := positive(input.read.burst_us)
} else := []

# What the length of the period does is told to those whom it concerns. The kubelet's default is 100 ms (T1).
_length(period) := [concat(" ", [
	"The node's cpuCFSQuotaPeriod of 10 to 20 ms shortens the waits of bursty services (T9);",
	"work that is busy all the time is throttled more often by it (T10).",
])] if {
	period >= 100000
	throttled.status == "warning"
} else := [
	"Under 10 ms the scheduler itself takes 0.5 to 1 % of a core for each container (T9).",
] if {
	period < 10000
} else := []

_ms(us) := round(us / 100) / 10
