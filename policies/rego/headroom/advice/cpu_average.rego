package headroom.advice

import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.quantity
import data.headroom.runtime.jvm

# cpu_request is [text, millicores] of the request that a class wants: the peak of a cron run,
# else the average. 0 if it was not measured.
cpu_request(c) := [_request_text(c, milli, cpu.peak_words(c)), milli] if {
	cpu.row[c.id].request == "peak"
	milli := cpu.peak[c.id]
	milli > 0
} else := [concat("", ["requests.cpu at its peak CPU use, as this class asks", measured.doubt(c, " (%s)")]), 0] if {
	cpu.row[c.id].request == "peak"
} else := [_request_text(c, milli, cpu.average_words(c)), milli] if {
	milli := cpu.average[c.id].milli
	milli > 0
} else := [concat("", ["requests.cpu at its average CPU use", measured.doubt(c, " (%s)")]), 0]

_request_text(c, milli, why) := sprintf("requests.cpu: %s%s%s; %s", [
	quantity.format_cpu(milli),
	limit_beside(c, milli),
	scaling_beside(c, milli),
	why,
])

# limit_times_average is the limit of a class that wants a multiple of the average.
limit_times_average(c, factor, _, 0) := sprintf("limits.cpu at %v × the average CPU use; %s", [
	factor,
	to_measure(c, "cpu-average"),
])

limit_times_average(c, factor, average, wanted) := concat("", [
	_times_average("limits.cpu", factor, average, wanted, request_beside(c, wanted)),
	_collector_beside(c, wanted),
	_peak_first(c, wanted),
]) if {
	wanted > 0
}

_peak_first(c, wanted) := "; measure its peak first (headroom annotate)" if {
	fix.may_throttle(c, wanted)
} else := ""

# One CPU makes a JVM take Serial.
_collector_beside(c, wanted) := concat("", [
	"; with it -XX:+UseG1GC or -XX:ActiveProcessorCount=2,",
	" or the JVM takes the Serial collector for a heap that is too large for it",
]) if {
	fix.serial_then(jvm.by_id[c.id], wanted)
} else := ""

# limit_fits_request is for a limit and a request of which one is wrong: which, only a measurement tells.
limit_fits_request(c, factor) := sprintf("requests.cpu at the average CPU use, limits.cpu at %v × that; %s", [
	factor,
	to_measure(c, "cpu-average"),
])

# request_times_average is a request that is so much of a known average.
request_times_average(c, factor, average, wanted) := text if {
	beside := concat("", [limit_beside(c, wanted), scaling_beside(c, wanted)])
	text := _times_average("requests.cpu", factor, average, wanted, beside)
}

# A multiple of an average, and what else passes.
_times_average(field, factor, average, wanted, beside) := sprintf("%s: %s%s%s; %s", [
	field,
	quantity.format_cpu(wanted),
	beside,
	cpu.product(factor, average),
	cpu.band(wanted),
])
