package headroom.memory

import data.headroom.runtime.jvm

# largest_percentage is the largest whole MaxRAMPercentage that passes under a limit; 0 for none.
# The JVM rounds the heap up, gives no less than a least heap, and on little memory does not look at
# the percentage at all. Each answer is worked out as the JVM would.
largest_percentage(j, limit_mib) := max(array.concat([0], [percent |
	seen := max([1, _seen(j, limit_mib)])
	most := min([100, floor((largest_heap_mib(j, limit_mib) * 104857600) / seen)])
	some back in [0, 1, 2]
	percent := most - back
	percent > 0
	heap := heap_at_percentage(j, limit_mib, percent)
	heap.flag in {"MaxRAMPercentage", "InitialHeapSize"}
	fits(j, limit_mib, heap.bytes)
]))

# heap_at_percentage is the heap (see jvm.max_heap) with that share under a limit, and no -Xmx.
heap_at_percentage(j, limit_mib, percent) := jvm.fitted(heap, flags, j.numbers, j.gc, j.version) if {
	share := {"MaxRAMPercentage": {"value": sprintf("%v.0", [percent]), "source": ""}}
	flags := object.union(object.remove(j.flags, {"MaxHeapSize"}), share)
	heap := jvm.max_heap(flags, j.numbers, _seen(j, limit_mib))
}

# What the JVM takes a share of, in bytes; the limit itself need not be whole MiB.
_seen(j, limit_mib) := jvm.seen_memory(j.c, j.flags, j.numbers) if {
	bits.rsh(max([j.c.memory_limit, 0]), 20) == limit_mib
} else := jvm.seen_memory({"memory_limit": limit_mib * 1048576}, j.flags, j.numbers)
