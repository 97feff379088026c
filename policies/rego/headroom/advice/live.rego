package headroom.advice

import data.headroom.classify
import data.headroom.evidence
import data.headroom.memory
import data.headroom.runtime.jvm

# heap_for_live is a heap for what is live in it, in MiB: {mib, why}. It is live times the factor of the class. Where
# the time in collections is known, that may not come to more than a twentieth: it grows as what is free of the heap
# shrinks.
heap_for_live(j) := {"mib": mib, "why": why} if {
	live := memory.live(j)
	factor := live_factor(j)
	[bytes, why] := max(array.concat(
		[[live.bytes * factor, sprintf("%v × the %v MiB that it holds after collections", [
			round(factor * 100) / 100,
			memory.mebibytes(live.bytes),
		])]],
		_for_collections(j, live),
	))
	mib := max([memory.least_server_mib, _whole(j, ceil(bytes / 1048576))])
}

# live_factor is by the collector and the class. The old generation of Parallel and Serial is two thirds of the heap.
# Once it is nearly full each collection is a whole one. A Parallel heap of which 60 % were live spent a fifth of
# the time in them. Else a service that answers leaves its collector half of the heap, others two fifths. None is
# under 5 / 4, with which collections run all the time. What they cost by the share that is live was measured:
# tests/system/kernel/live.json, as docs/size.md shows it.
live_factor(j) := 5 / 2 if {
	j.gc == "Parallel"
} else := 2 if {
	j.gc == "Serial"
} else := 2 if {
	classify.classes[j.c.id] in {"latency-sensitive", "multi-tenant"}
} else := 5 / 3

_for_collections(j, live) := [[bytes, why]] if {
	why := sprintf("collections in at most %v %% of any ten minutes", [100 * wanted_collections])
	pod := memory.busiest(j)
	held := object.get(pod, "live", live.bytes)
	free := memory.heap_in(j, pod) - held
	free > 0
	bytes := held + ((free * pod.gc_share) / wanted_collections)
} else := []

# wanted_collections is the share of the time in collections that a heap is sized for.
wanted_collections := 0.05

# A heap is in whole regions of its collector.
_whole(j, mib) := step * ceil(mib / step) if step := jvm.region_mib(j, mib)

# with_heap says that heap and the limit that it passes under; the limit only where so much of the budget is known that
# it is a number.
with_heap(j, mib) := sprintf("%s and %s", [size_text(j, mib), _limit_text(j, limit_mib)]) if {
	limit_mib := limit_with_heap(j, mib)
	limit_mib > 0
} else := sprintf("%s, and limits.memory with it", [size_text(j, mib)])

# limit_with_heap is the smallest limit, in MiB, under which a JVM with that heap passes; 0 where that is not known.
limit_with_heap(j, mib) := limit_mib if {
	then := jvm.changed(j, j.c, [sprintf("-Xmx%vm", [mib])])
	evidence.numbered(memory.figure(memory.budget(then)))
	limit_mib := memory.smallest_limit_mib(then)
} else := 0
