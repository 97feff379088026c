# METADATA
# title: Measured use
# description: |
#   What somebody measured of the containers, read once. It takes the place of the annotations
#   that declare the same, container by container and value by value. Too few samples, or too
#   old ones, are unknown: then the annotation or the assumption stands, and the messages say so.
package headroom.measured

import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

# containers are the containers of which something was measured, by name. These are 0 if not known: cpu_average
# and cpu_peak (millicores), memory_peak and memory_growth (bytes; over the window, in each part of it). So is
# memory_grown, the peak of the Pod that has grown so. So are ratio (share of throttled periods) and long (seconds in
# ten-minute pieces of which more than 5 % of the periods were throttled). So is waiting (share of the time in which
# some thread waited for a CPU). days is from the first sample to the newest, -1 if not known. runtime is what the
# program measures of itself (runtime.rego). The others are oom_kills, probe_kills, text, doubt and figures. doubt
# is "", or why none of it counts.
containers := {name: _read(entry) |
	some name, entry in workload.measured
	is_object(entry)
}

_read(entry) := object.union(_values(entry, doubt), {
	# A kill is a fact, however few the samples: what is killed all the time has few.
	"oom_kills": max([0, _number(entry, "oom_kills")]),
	"probe_kills": max([0, _number(entry, "probe_kills")]),
	"doubt": doubt,
	"text": _text(source, figures),
	"figures": figures,
	"days": _days(_number(entry, "seen_seconds")),
	"runtime": _runtime(entry, source, figures, doubt),
}) if {
	source := _source(entry)
	figures := {
		"source": source,
		"window_seconds": _number(entry, "window_seconds"),
		"samples": _number(entry, "samples"),
		"age_seconds": _number(entry, "age_seconds"),
	}
	doubt := _doubt(source, figures)
}

_values(entry, "") := {
	"cpu_average": max([0, quantity.milli(object.get(entry, "cpu_average", ""))]),
	"cpu_peak": max([0, quantity.milli(object.get(entry, "cpu_peak", ""))]),
	"memory_peak": max([0, quantity.bytes(object.get(entry, "memory_peak", ""))]),
	"memory_growth": max([0, _number(entry, "memory_growth_bytes")]),
	"memory_grown": max([0, _number(entry, "memory_grown_bytes")]),
	"ratio": _ratio(_number(entry, "throttled"), _number(entry, "periods")),
	"long": max([0, _number(entry, "throttled_long_seconds")]),
	"waiting": _ratio(_number(entry, "cpu_waiting_seconds"), _number(entry, "observed_seconds")),
}

_values(_, doubt) := {
	"cpu_average": 0, "cpu_peak": 0, "memory_peak": 0, "memory_growth": 0, "memory_grown": 0,
	"ratio": 0, "long": 0, "waiting": 0,
} if {
	doubt != ""
}

_days(seconds) := seconds / 86400 if seconds > 0

_days(seconds) := -1 if seconds <= 0

# A share of periods (T5) or of seconds.
_ratio(part, all) := 0 if {
	all <= 0
} else := min([1, max([0, part]) / all])

_source(entry) := words.shown(entry.source) if {
	is_string(entry.source)
	entry.source != ""
} else := "an unnamed source"

# A number that is too long, or no number, tells nothing. -1 means not counted.
_number(entry, key) := entry[key] if {
	regex.match(`^(?:-1|[0-9]{1,15}(?:\.[0-9]{1,20})?)$`, json.marshal(entry[key]))
} else := 0
