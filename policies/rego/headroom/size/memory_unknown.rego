package headroom.size

import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.words

# memory_unknown is why no memory value is given; "" where one is.
memory_unknown(c) := sprintf("memory: %s", [elsewhere]) if {
	elsewhere != ""
} else := "memory: a quantity cannot be read (HR001)" if {
	min([c.memory_request, c.memory_limit]) < 0
} else := sprintf("memory: its peak is not known: %s", [
	measured.missing(c, sprintf("headroom annotate measures it (memory-peak.headroom.dev/%s)", [c.name])),
]) if {
	not _peak_known(c)
} else := leak(c)

_peak_known(c) if memory.peak[c.name].bytes > 0

# leak says that memory grows and nothing bounds it; "" where it does not. No limit is enough for that, and a
# larger one only puts the kill off.
leak(c) := sprintf("memory: %s", [grows(c)]) if {
	measured.containers[c.name].memory_growth > 0
	not bounded(c)
} else := ""

grows(c) := sprintf("it has grown all the time, by %vMi in %s: a leak, or a cache that nothing bounds%s", [
	quantity.mib(m.memory_growth),
	words.span(m.figures.window_seconds),
	_until(c, m),
]) if {
	m := measured.containers[c.name]
}

_until(c, m) := sprintf(". It reaches %s in some %s", [
	quantity.format_memory(c.memory_limit),
	words.span((m.figures.window_seconds * (c.memory_limit - now)) / m.memory_growth),
]) if {
	m.figures.window_seconds > 0
	now := _grown(m)
	c.memory_limit > now
	now > 0
} else := ""

# The peak of the Pod that grows, not that of another.
_grown(m) := m.memory_grown if {
	m.memory_grown > 0
} else := m.memory_peak

# bounded says that what grows is a JVM's heap below the maximum that it has.
bounded(c) if {
	budget := memory.told[c.id]
	budget.complete
	memory.peak[c.name].bytes <= budget.total_mib * 1048576
}
