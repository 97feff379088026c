package headroom.memory

import data.headroom.measured
import data.headroom.runtime.jvm

# live is what a JVM's heap holds at the most after a collection of its old generation, against the heap that it may
# have: {bytes, heap_bytes, text, pod, seen}. pod is the Pod that told it, {} of an annotation. seen says that the JVM
# told it, and that its heap is still of that size. It is undefined where either is not known.
live(j) := {
	"bytes": object.get(pod, "live", j.facts.live),
	"heap_bytes": heap_bytes,
	"text": jvm.fact_text(j, "live"),
	"pod": pod,
	"seen": _under_this_heap(pod, heap_bytes),
} if {
	pod := _fullest(j)
	heap_bytes := heap_in(j, pod)
	heap_bytes > 0
	j.facts.live > 0
}

# Under the heap of a flag the most that is live decides, else what is live in the heap that its own Pod told.
_fullest(j) := {} if {
	not "live" in object.get(j, "seen", set())
} else := measured.of_pod(j.container, "live") if {
	_flagged(j)
} else := measured.of_pod(j.container, "live_share")

_flagged(j) if {
	j.heap.flag != ""
	j.heap.bytes > 0
}

# heap_of is the heap that a JVM may have, in bytes: what a flag says, else what the JVM itself says.
heap_of(j) := heap_in(j, measured.runtime_of(j.container))

# heap_in is that of one Pod.
heap_in(j, pod) := j.heap.bytes if {
	_flagged(j)
} else := pod.heap_max if {
	pod.heap_max
} else := j.heap.bytes

default _under_this_heap(_, _) := false

# What was measured under another heap says nothing of the time in collections under this one. Pools are told without
# a survivor space.
_under_this_heap(pod, heap_bytes) if {
	pod.live
	abs(pod.heap_max - heap_bytes) * 5 <= heap_bytes
}

# busiest is the Pod in which collections stopped the program for the largest share of ten minutes; undefined where
# that is not known under this heap.
busiest(j) := pod if {
	pod := measured.of_pod(j.container, "gc_share")
	_ = collections_in(j, pod)
}

# collections is that share.
collections(j) := busiest(j).gc_share

collections_in(j, pod) := pod.gc_share if {
	heap_bytes := heap_in(j, pod)
	abs(pod.heap_max - heap_bytes) * 5 <= heap_bytes
}

# Shares that are healthy: of the heap that is live, and of the time in collections (M2).
most_live := 0.7

least_live := 0.2

most_collections := 0.1
