package headroom.rules.measured["runtime-grows"]

import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.runtimes

# _end is what growth meets first, and in how many days: {text, days}; -1 where that is not known.
_end(c, what, now, rise) := {"text": concat("", [text, _when(days), "."]), "days": days} if {
	ends := [[left / _bytes(c, what, rise), text] |
		some [left, text] in _ends(c, what, now)
		left < 365 * _bytes(c, what, rise)
	]
	count(ends) > 0
	[least, text] := min(ends)
	days := max([0, floor(least)])
} else := {"text": "", "days": -1}

_when(0) := " within a day"

_when(1) := " in a day"

_when(days) := sprintf(" in %v days", [days]) if days > 1

# _ends are what is left in bytes up to the memory limit, and up to a cap of its own. What a heap holds grows in memory
# that the heap has already: only its own bound is its end.
_ends(c, what, now) := array.concat(
	[[left, sprintf(" It meets limits.memory, %s,", [quantity.format_memory(c.memory_limit)])] |
		c.memory_limit > 0
		not what in {"live", "floor"}
		peak := measured.containers[c.name].memory_peak
		peak > 0
		left := c.memory_limit - peak
	],
	[[cap.bytes - now, sprintf(" It meets %s, %v MiB,", [cap.name, quantity.mib(cap.bytes)])] | cap := _cap(c, what)],
)

# Threads take their stacks. How much those of other runtimes take is not known.
_bytes(c, "threads", rise) := rise * memory.used_of_stack(jvm.stack_size(jvm.by_id[c.id].flags).bytes)

_bytes(_, what, rise) := rise if what != "threads"

_cap(c, "metaspace") := {"name": "-XX:MaxMetaspaceSize", "bytes": bytes} if {
	bytes := jvm.by_id[c.id].numbers.MaxMetaspaceSize
	bytes > 0
}

_cap(c, "direct") := {"name": "the cap of direct memory", "bytes": memory.direct_cap(jvm.by_id[c.id]).bytes}

_cap(c, "live") := {"name": "the heap's maximum", "bytes": bytes} if {
	bytes := memory.heap_of(jvm.by_id[c.id])
	bytes > 0
}

_cap(c, what) := {"name": "the heap's bound", "bytes": runtimes.heaps[c.id].bytes} if {
	what in {"live", "floor"}
	not jvm.by_id[c.id]
	runtimes.heaps[c.id].said
}
