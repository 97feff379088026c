package headroom.rules.measured["runtime-grows"]

import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.runtimes

# _end is what growth meets first, and in how many days: {text, days}; -1 where that is not known.
_end(c, what, pod, rise) := {"text": concat("", [text, _when(days), "."]), "days": days} if {
	ends := [[left / _bytes(c, what, rise), text] |
		some [left, text] in _ends(c, what, pod)
		left < 365 * _bytes(c, what, rise)
	]
	count(ends) > 0
	[least, text] := min(ends)
	days := max([0, floor(least)])
} else := {"text": "", "days": -1}

_when(0) := " within a day"

_when(1) := " in a day"

_when(days) := sprintf(" in %v days", [days]) if days > 1

# _ends are what the Pod that grows has left in bytes up to the memory limit, and up to a cap of its own. What a heap
# holds grows in memory that the heap has already: only its own bound is its end.
_ends(c, what, pod) := array.concat(
	[[left, sprintf(" It meets limits.memory, %s,", [quantity.format_memory(c.memory_limit)])] |
		c.memory_limit > 0
		not what in {"live", "floor"}
		pod.memory_peak > 0
		left := c.memory_limit - pod.memory_peak
	],
	[[cap.bytes - pod[what], sprintf(" It meets %s, %v MiB,", [cap.name, quantity.mib(cap.bytes)])] |
		cap := _cap(c, what, pod)
	],
)

# Threads take their stacks. How much those of other runtimes take is not known.
_bytes(c, "threads", rise) := rise * memory.used_of_stack(jvm.stack_size(jvm.by_id[c.id].flags).bytes)

_bytes(_, what, rise) := rise if what != "threads"

_cap(c, "metaspace", _) := {"name": "-XX:MaxMetaspaceSize", "bytes": bytes} if {
	bytes := jvm.by_id[c.id].numbers.MaxMetaspaceSize
	bytes > 0
}

_cap(c, "direct", pod) := {"name": "the cap of direct memory", "bytes": memory.direct_cap(jvm.by_id[c.id], pod).bytes}

_cap(c, "live", pod) := {"name": "the heap's maximum", "bytes": bytes} if {
	bytes := memory.heap_in(jvm.by_id[c.id], pod)
	bytes > 0
}

_cap(c, what, pod) := {"name": "the heap's bound", "bytes": _bound(runtimes.heaps[c.id], pod)} if {
	what in {"live", "floor"}
	not jvm.by_id[c.id]
	runtimes.heaps[c.id].said
}

# A bound that the program told is that of its own Pod.
_bound(heap, pod) := pod.memory_limit if heap.pod

_bound(heap, _) := heap.bytes if not heap.pod
