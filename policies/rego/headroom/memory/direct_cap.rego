package headroom.memory

# direct_cap is what a JVM allows buffers outside of its heap to take: {bytes, text}. Unset, it is as much as the heap
# (M4). It is undefined where neither is known. Of a heap that no flag sets that of the same Pod counts.
direct_cap(j, pod) := {"bytes": j.numbers.MaxDirectMemorySize, "text": "-XX:MaxDirectMemorySize allows"} if {
	j.numbers.MaxDirectMemorySize > 0
} else := {"bytes": bytes, "text": "the JVM allows without -XX:MaxDirectMemorySize, as much as the heap"} if {
	object.get(j.numbers, "MaxDirectMemorySize", -1) < 0
	bytes := heap_in(j, pod)
	bytes > 0
}
