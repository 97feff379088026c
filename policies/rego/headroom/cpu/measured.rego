package headroom.cpu

import data.headroom.classify
import data.headroom.config
import data.headroom.measured
import data.headroom.quantity
import data.headroom.workload

# average is the average CPU of each container, aligned with workload.containers:
# {milli, assumed, text}; text is the annotation, or who measured it. Without either,
# the request stands in for it.
average := [_seen_average(c) | some c in workload.containers] if {
	workload.measured
} else := [_average(c) | some c in workload.containers] if {
	averages_known
} else := [_assumed(c) | some c in workload.containers]

# Fast path: most workloads have no average.
averages_known if count(_averages) > 0

averages_known if workload.annotations["headroom.dev/cpu-average"]

averages_known if workload.measured

_seen_average(c) := {"milli": m.cpu_average, "assumed": false, "text": m.text} if {
	m := measured.containers[c.name]
	m.cpu_average > 0
} else := _average(c)

# The container's own annotation, or the workload's for the main container. Never both:
# the first that is there decides, and is reported by HR105 if it cannot be read.
_average(c) := {"milli": milli, "assumed": false, "text": concat("", ["cpu-average.headroom.dev/", c.name])} if {
	milli := quantity.milli(_averages[c.name])
	milli > 0
} else := {"milli": milli, "assumed": false, "text": "headroom.dev/cpu-average"} if {
	value := workload.annotations["headroom.dev/cpu-average"]
	not _averages[c.name]
	c.id == classify.main
	milli := quantity.milli(value)
	milli > 0
} else := _assumed(c)

_assumed(c) := {"milli": max([c.cpu_request, 0]), "assumed": true, "text": ""}

_averages := workload.annotations_of("cpu-average.headroom.dev/")

# measured_average is 0 where it is not measured: a request is not a measurement.
measured_average := [_measured(a) | some a in average]

_measured(a) := a.milli if not a.assumed

_measured(a) := 0 if a.assumed

# peak is the measured peak of each container in millicores, 0 if it was not measured or
# cannot be read (HR105 says so).
peak := [_seen_peak(c.name) | some c in workload.containers] if {
	workload.measured
} else := [_peak(c.name) | some c in workload.containers]

_seen_peak(name) := milli if {
	milli := measured.containers[name].cpu_peak
	milli > 0
} else := _peak(name)

_peak(name) := max([0, quantity.milli(_peaks[name])]) if _peaks[name]

_peak(name) := 0 if not _peaks[name]

_peaks := workload.annotations_of("cpu-peak.headroom.dev/")

# row is each container's row of the matrix, null where none judges it.
row := [object.get(matrix, class, null) |
	matrix := config.settings.matrix
	some class in classify.classes
]

# cores are the whole processors that each container can use at once. That is its limit rounded up,
# else twice its average, and at least two (J3: average 1, no limit, 2 processors).
cores := [cores_of(c) | some c in workload.containers]

cores_of(c) := ceil(c.cpu_limit / 1000) if {
	c.cpu_limit > 0
} else := max([2, ceil((2 * average[c.id].milli) / 1000)])

# whole_cores are those that can be used up without being throttled, or that are meant without a limit.
whole_cores(c) := floor(c.cpu_limit / 1000) if c.cpu_limit > 0

whole_cores(c) := cores_of(c) if c.cpu_limit <= 0

# cores_known is true if the cores are more than the default, which stands for a container without a
# limit and without a known average.
cores_known(c) if max([c.cpu_limit, average[c.id].milli]) > 0

# under_peak says that a limit is missing, or cuts off what a container needs at its peak.
under_peak(c) if c.cpu_limit == 0

under_peak(c) if {
	c.cpu_limit > 0
	c.cpu_limit < peak[c.id]
}

# own_request is what the container itself asks for, which no limit may be below.
own_request(c) := c.cpu_request if c.cpu_request_source == "container"

own_request(c) := 0 if c.cpu_request_source != "container"

# times_average is that multiple of an average, rounded: in whole thousandths, since 1.3 * 45
# in floating point is less than 58.5.
times_average(factor, milli) := round((round(factor * 1000) * milli) / 1000)

# outside says whether a value lies further from what it should be than the tolerance
# allows, which is a share of what it should be. Exactly the tolerance passes: in whole
# thousandths, since 0.3 * 1000 in floating point is less than 300.
outside(value, wanted) if abs(value - wanted) * 1000 > tolerance_permille * wanted

tolerance_permille := round(config.settings.tolerance * 1000)
