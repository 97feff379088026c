package headroom.explain

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

# _plan is how a JVM comes to pass: {bytes (memory), notes, flags (for JAVA_TOOL_OPTIONS),
# flags_note}. First the present limit, without and with a cap on direct memory, then a larger one,
# then a share of the present limit, a limit for a heap of the same size, and last a share with a
# limit for it. No limit out of all proportion is advice.
_plan(j) := _plan_of(j.c.memory_limit, [], [], "") if {
	_passes_now(j)
} else := _plan_of(j.c.memory_limit, [], _cap(j), _added) if {
	_passes_now(memory.capped(j).jvm)
} else := _plan_of(_in_bytes(mib), array.concat(_limit_notes(j), _without_cap(j, mib)), _cap(j), _added) if {
	mib := _smallest_for(memory.capped(j).jvm)
	_in_proportion(j, mib)
} else := _plan_of(j.c.memory_limit, [], array.concat(share, _cap(j)), _in_place_of(j)) if {
	_percentage_is_idle(j) == ""
	percent := memory.largest_percentage(memory.capped(j).jvm, _limit_mib(j))
	percent >= _least_share
	share := [sprintf("-XX:MaxRAMPercentage=%v.0", [percent])]
} else := _plan_of(_in_bytes(mib), _limit_notes(j), flags, _added) if {
	flags := array.concat(_same_heap(j), _cap(j))
	mib := _smallest_for(jvm.changed(j, j.c, flags))
} else := _plan_of(_in_bytes(mib), _limit_notes(j), _usual_flags(j), _in_place_of(j)) if {
	mib := memory.smallest_limit_mib(_with_usual_flags(j))
	mib != 0
} else := _plan_of(max([j.c.memory_limit, 0]), [_no_plan(j)], [], "")

_plan_of(bytes, notes, flags, flags_note) := {
	"bytes": bytes,
	"notes": notes,
	"flags": concat(" ", flags),
	"flags_note": flags_note,
}

# A heap of less than the default quarter is no advice.
_least_share := 25

_passes_now(j) if {
	_limit_mib(j) >= limit_of_peak_mib(j.c)
	j.heap.bytes != 0
	memory.fits(j, _limit_mib(j), j.heap.bytes)
}

# What the measured peak asks for may be more.
_smallest_for(j) := max([mib, at_peak]) if {
	mib := memory.smallest_limit_mib(j)
	mib != 0
	at_peak := ceil(limit_of_peak_mib(j.c) / memory.step_mib) * memory.step_mib
	memory.passes_under(j, max([mib, at_peak]))
}

# Where there is no limit, none is out of proportion to it.
_in_proportion(j, _) if not _has_limit(j)

_in_proportion(j, mib) if advice.in_proportion(j, mib, _limit_mib(j))

# The flags of a plan.

# _cap is the cap on direct memory that nobody has bounded.
_cap(j) := [trim_prefix(memory.capped(j).flag, " with ")] if {
	memory.capped(j).flag != ""
} else := []

_without_cap(j, mib) := [sprintf("without the cap on direct memory %vMi", [more])] if {
	more := memory.smallest_limit_mib(j)
	more > mib
} else := []

# The heap that it has now, whatever the limit; no limit passes with one that is not known.
_same_heap(j) := [sprintf("-Xmx%vm", [memory.mebibytes(j.heap.bytes)])] if _percentage_is_idle(j) == ""

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
