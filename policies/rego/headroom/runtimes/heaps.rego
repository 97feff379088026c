package headroom.runtimes

import data.headroom.measured
import data.headroom.registry

# heaps are the bounds of heaps that tell how full they are, by container, as HR612 wants them. One that the program
# told has the Pod that it is of.
heaps := {} if {
	measured.containers == {}
} else := object.union_n([found | some name in registry.names; found := data.headroom.runtime[name].heaps])

# held is what the heap of such a container holds for good: {bytes, text}. It is what is live after collections, or else
# what there was at the lowest of any hour.
held(c) := {"bytes": seen.live, "text": "after collections"} if {
	seen := _fullest(c)
	seen.live
} else := {"bytes": seen.floor, "text": "at the lowest of an hour"} if {
	seen := _fullest(c)
	seen.floor
}

_fullest(c) := object.get(heaps, [c.id, "pod"], measured.runtime_of(c.name))
