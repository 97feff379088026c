package headroom.size

import data.headroom.advice
import data.headroom.classify
import data.headroom.cpu
import data.headroom.measured

# cpu_unknown is why no CPU value is given; "" where one is.
cpu_unknown(c) := sprintf("CPU: %s", [elsewhere]) if {
	elsewhere != ""
} else := "CPU: its class is not set: annotate headroom.dev/workload-class" if {
	cpu.row[c.id] == null
	classify.classes[c.id] == "unclassified"
} else := sprintf("CPU: no CPU rule applies to class %s", [classify.classes[c.id]]) if {
	cpu.row[c.id] == null
} else := "CPU: the node gives it whole cores of its own (static CPU manager)" if {
	cpu.pinned(c)
} else := "CPU: a quantity cannot be read (HR001)" if {
	min([c.cpu_request, c.cpu_limit]) < 0
} else := sprintf("CPU: its %s is not known: %s", [
	concat(" and its ", sort(missing)),
	measured.missing(c, "headroom annotate measures it"),
]) if {
	missing := {_words[what] | some what in _needed(c); _known(c)[what] == 0}
	count(missing) > 0
} else := ""

_words := {"average": "average use", "peak": "peak use"}

_known(c) := {"average": cpu.average[c.id].milli, "peak": cpu.peak[c.id]}

_needed(c) := {what | some field, word in cpu.row[c.id]; what := _need(field, word)}

# A request that is measured is the average, a limit that is measured is the peak.
_need("request", "measured") := "average"

_need("limit", "measured") := "peak"

_need(_, "average") := "average"

_need(_, "peak") := "peak"

_need(_, word) := "average" if is_object(word)

# unpaid says that a tenant lacks a limit whose amount is not known; "" otherwise.
unpaid(c) := sprintf("CPU: %s", [advice.allocated_limit(c, 0)]) if {
	cpu.row[c.id].limit == "allocation"
	c.cpu_limit == 0
} else := ""
