package headroom.explain

import data.headroom.memory
import data.headroom.runtime.jvm

# The flags of a plan.

_capped(j) := memory.capped(j)

# Half of the limit for the heap, and a cap on what follows it (J3).
_usual_flags := ["-XX:MaxRAMPercentage=50.0", "-XX:MaxDirectMemorySize=256m"]

_with_usual_flags(j) := jvm.changed(_without_flags(j, _heap_flags), j.c, _usual_flags)

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

_in_place_of(j) := "in JAVA_TOOL_OPTIONS" if {
	_present(j) == []
} else := sprintf("in place of %s", [concat(" and ", _present(j))])

_present(j) := [jvm.origin(j, name) | some name in sort(_heap_flags); j.flags[name]]

_limit_notes(j) := [] if {
	_has_limit(j)
} else := ["the smallest limit for these flags, as there is none"]

# A cap on direct memory may save much of the limit.
_cap_notes(j, mib) := [sprintf("%s %vMi would do", [trim_space(capped.flag), less])] if {
	capped := memory.capped(j)
	capped.flag != ""
	less := memory.smallest_limit_mib(capped.jvm)
	less > 0
	less < mib
} else := []

_blind_note(j) := sprintf("whether this passes is not known: %s", [_blind_to_limit(j)]) if {
	_blind_to_limit(j) != ""
} else := "no memory passes with these flags"
