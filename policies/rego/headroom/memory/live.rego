package headroom.memory

import data.headroom.measured
import data.headroom.runtime.jvm

# live is what a JVM's heap holds at the most after a collection of its old generation, against the heap that it may
# have: {bytes, heap_bytes, text, seen}. seen says that the JVM told it, and that its heap is still of that size. It is
# undefined where either is not known.
live(j) := {
	"bytes": j.facts.live,
	"heap_bytes": heap_bytes,
	"text": jvm.fact_text(j, "live"),
	"seen": _under_this_heap(j, heap_bytes),
} if {
	heap_bytes := heap_of(j)
	heap_bytes > 0
	j.facts.live > 0
}

# heap_of is the heap that a JVM may have, in bytes: what a flag says, else what the JVM itself says.
heap_of(j) := j.heap.bytes if {
	j.heap.flag != ""
	j.heap.bytes > 0
} else := told if {
	told := measured.runtime_of(j.container).heap_max
} else := j.heap.bytes

default _under_this_heap(_, _) := false

# What was measured under another heap says nothing of the time in collections under this one. Pools are told without
# a survivor space.
_under_this_heap(j, heap_bytes) if {
	"live" in object.get(j, "seen", set())
	told := measured.runtime_of(j.container).heap_max
	abs(told - heap_bytes) * 5 <= heap_bytes
}

# collections is the largest share of ten minutes in which collections stopped the program; undefined where it is not
# known under this heap.
collections(j) := share if {
	share := measured.runtime_of(j.container).gc_share
	told := measured.runtime_of(j.container).heap_max
	heap_bytes := heap_of(j)
	abs(told - heap_bytes) * 5 <= heap_bytes
}

# Shares that are healthy: of the heap that is live, and of the time in collections (M2).
most_live := 0.7

least_live := 0.2

most_collections := 0.1
