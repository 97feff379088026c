package headroom.cpu

import data.headroom.classify
import data.headroom.config
import data.headroom.measured
import data.headroom.quantity
import data.headroom.workload

# average is the average CPU of each container, aligned with workload.containers: {milli, text}; text
# is the annotation, or who measured it. milli is 0 where neither says it: a request is what was reserved, and
# tells nothing of what is used.
average := [_seen_average(c) | some c in workload.containers] if {
	workload.measured
} else := [_average(c) | some c in workload.containers] if {
	averages_known
} else := [_not_known | some _ in workload.containers]

# Fast path: most workloads have no average.
averages_known if count(_averages) > 0

averages_known if workload.annotations["headroom.dev/cpu-average"]

averages_known if workload.measured

_seen_average(c) := {"milli": m.cpu_average, "text": m.text} if {
	m := measured.containers[c.name]
	m.cpu_average > 0
} else := _average(c)

# The container's own annotation, or the workload's for the main container. Never both:
# the first that is there decides, and is reported by HR105 if it cannot be read.
_average(c) := {"milli": milli, "text": concat("", [
	"cpu-average.headroom.dev/", c.name,
	measured.beside(c.name, "cpu-average"),
])} if {
	milli := quantity.milli(_averages[c.name])
	milli > 0
} else := {"milli": milli, "text": concat("", [
	"headroom.dev/cpu-average",
	measured.beside(c.name, "cpu-average"),
])} if {
	value := workload.annotations["headroom.dev/cpu-average"]
	not _averages[c.name]
	c.id == classify.main
	milli := quantity.milli(value)
	milli > 0
} else := _not_known

_not_known := {"milli": 0, "text": ""}

_averages := workload.annotations_of("cpu-average.headroom.dev/")

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
# else twice its average (J3: average 1, no limit, 2 processors), and no less than least_cores.
cores := [cores_of(c) | some c in workload.containers]

cores_of(c) := ceil(c.cpu_limit / 1000) if {
	c.cpu_limit > 0
} else := max([least_cores(c), ceil((2 * average[c.id].milli) / 1000)]) if {
	average[c.id].milli > 0
} else := max([least_cores(c), ceil(object.get(c, "lost_limit", 0) / 1000)])

# least_cores are those that a container has without a limit, whatever it uses: what is reserved for it, in whole
# cores. With two at least a JVM takes the collector of a server.
least_cores(c) := max([2, ceil(max([0, c.cpu_request]) / 1000)]) if not shared(c.cpu_request_source)

least_cores(c) := 2 if shared(c.cpu_request_source)

# whole_cores are those that can be used up without being throttled, or that are meant without a limit.
whole_cores(c) := floor(c.cpu_limit / 1000) if c.cpu_limit > 0

whole_cores(c) := cores_of(c) if c.cpu_limit <= 0

# cores_known is false where least_cores alone stands for a container, without a limit and a known average. One
# that is about to lose its limit has the cores of that (lost_limit).
cores_known(c) if max([c.cpu_limit, average[c.id].milli, object.get(c, "lost_limit", 0)]) > 0

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
