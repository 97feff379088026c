package headroom.size

import data.headroom.advice
import data.headroom.config
import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

# heaps are the heaps that JVMs get for what is live in them, by the container's id: {mib, now_mib, limit (bytes), why,
# change}. The JVM tells what is live, and how long its collections take. A heap within the tolerance stays, and so
# does one that no single visible flag sets.
heaps[c.id] := {
	"mib": wanted.mib,
	"now_mib": memory.mebibytes(j.heap.bytes),
	"limit": limit_mib * 1048576,
	"why": sprintf("%s (%s)", [wanted.why, memory.live(j).text]),
	"change": change,
} if {
	some c in cpu.running
	j := sized_jvm(c)
	_ = memory.collections(j)
	wanted := advice.heap_for_live(j)
	_differs(wanted.mib, memory.mebibytes(j.heap.bytes))
	_may_set(c, j, wanted.mib)
	change := _heap_change(j, wanted.mib)

	# What is assumed of the rest is in the measured peak, which bounds the limit as well.
	limit_mib := memory.smallest_limit_mib(jvm.changed(j, j.c, [sprintf("-Xmx%vm", [wanted.mib])]))
	limit_mib > 0
}

_differs(wanted, now) if abs(wanted - now) * 1000 > wanted * cpu.tolerance_permille

# A smaller heap wants a day that was seen. No other size of the heap may be at odds with it: such a JVM does not start.
_may_set(c, j, mib) if {
	not killed(c)
	_seen_long(c, j, mib)
	count(object.keys(j.flags) & {"NewSize", "MaxNewSize", "MinHeapSize", "SoftMaxHeapSize"}) == 0
	object.get(j.numbers, "InitialHeapSize", 0) <= mib * 1048576
	not jvm.heap_is_scripts(j)
	not jvm.blind(j)
}

_seen_long(_, j, mib) if mib * 1048576 >= j.heap.bytes

_seen_long(c, j, mib) if {
	mib * 1048576 < j.heap.bytes
	may_lower(c)
	measured.runtime_of(j.container).days >= _least_days
}

# _heap_change puts another -Xmx where the one stands that decides: a word of the command, or a variable's.
_heap_change(j, mib) := fix.set(array.concat(path, [places[0]]), sprintf("-Xmx%vm", [mib])) if {
	path := j.flags.MaxHeapSize.path
	last := path[count(path) - 1]
	last in {"command", "args"}
	places := [i | some i, word in j.c.raw[last]; is_string(word); regex.match(_xmx, word)]
	count(places) == 1
	regex.match(concat("", [`^`, _xmx, `$`]), j.c.raw[last][places[0]])
} else := fix.set(path, regex.replace(text, _xmx, sprintf("-Xmx%vm", [mib]))) if {
	path := j.flags.MaxHeapSize.path
	["env", i, "value"] = array.slice(path, count(path) - 3, count(path))
	text := j.c.raw.env[i].value
	count(regex.find_n(_xmx, text, -1)) == 1
}

_xmx := `-Xmx[0-9]+[kKmMgGtT]?\b`

heap_changes(c) := [heaps[c.id].change] if {
	heaps[c.id]
	memories[c.id].unsized == ""
} else := []

heap_values(c) := [{
	"name": "-Xmx",
	"now": sprintf("%vm", [heap.now_mib]),
	"wanted": sprintf("%vm", [heap.mib]),
	"why": heap.why,
}] if {
	count(heap_changes(c)) > 0
	heap := heaps[c.id]
} else := []

# heap_memory is the limit for such a heap. The peak was measured with the heap that there was: a limit is not lowered
# below it before another one was seen.
heap_memory(c) := {"bytes": max([heap.limit, _for_peak(c)]), "why": why, "flags": []} if {
	heap := heaps[c.id]
	why := sprintf("heap %v MiB, and %v %% of the limit free; %s", [
		heap.mib,
		round(config.settings.memory.headroom * 100),
		peak_why(c),
	])
}

# heap_note says what the limit comes to once a peak with the new heap was measured.
heap_note(c) := [sprintf(
	concat(" ", [
		"The peak was measured with a heap of %v MiB: with %v, %s is enough.",
		"Size again after a day.",
	]),
	[
		heap.now_mib,
		heap.mib,
		quantity.format_memory(heap.limit),
	],
)] if {
	count(heap_changes(c)) > 0
	heap := heaps[c.id]
	heap.limit < _for_peak(c)
} else := []
