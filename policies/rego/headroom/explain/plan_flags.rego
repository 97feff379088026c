package headroom.explain

import data.headroom.memory
import data.headroom.runtime.jvm

# The flags of a plan.

# _cap is the cap on direct memory that nobody has bounded.
_cap(j) := [trim_prefix(memory.capped(j).flag, " with ")] if {
	memory.capped(j).flag != ""
} else := []

_without_cap(j, mib) := [sprintf("without the cap on direct memory %vMi", [more])] if {
	more := memory.smallest_limit_mib(j)
	more > mib
} else := []

# The heap that it has now, whatever the limit; undefined where that is said or not known.
_same_heap(j) := [sprintf("-Xmx%vm", [memory.mebibytes(j.heap.bytes)])] if {
	not j.flags.MaxHeapSize
	j.heap.bytes > 0
	_percentage_is_idle(j) == ""
}

# Half of the limit for the heap, and a cap on what follows it (J3).
_usual_flags(j) := ["-XX:MaxRAMPercentage=50.0"] if {
	j.numbers.MaxDirectMemorySize
} else := ["-XX:MaxRAMPercentage=50.0", "-XX:MaxDirectMemorySize=256m"]

_with_usual_flags(j) := jvm.changed(_without_flags(j, _heap_flags), j.c, _usual_flags(j))

# The record is merged key by key, so that what is to go has to be taken out first.
_without_flags(j, names) := object.union(object.remove(j, {"flags", "numbers"}), {
	"flags": object.remove(j.flags, names),
	"numbers": object.remove(j.numbers, names),
})

_heap_flags := {
	"InitialHeapSize",
	"MaxHeapSize",
	"MaxRAM",
	"MaxRAMFraction",
	"MaxRAMPercentage",
	"MinHeapSize",
	"MinRAMFraction",
	"MinRAMPercentage",
	"UseContainerSupport",
}

_added := "beside the flags that are there"

# Without any of these flags a quarter is the heap, and some limit passes.
_in_place_of(j) := sprintf("in place of %s", [concat(" and ", _present(j))])

_present(j) := [jvm.origin(j, name) | some name in sort(_heap_flags); j.flags[name]]

_limit_notes(j) := [] if {
	_has_limit(j)
} else := ["the smallest limit for these flags, as there is none"]

_no_plan(j) := sprintf("whether this passes is not known: %s", [_blind_to_limit(j)]) if {
	_blind_to_limit(j) != ""
} else := "no limit passes with these flags"
