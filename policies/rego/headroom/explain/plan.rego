package headroom.explain

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

# memory_plan is how a JVM comes to pass: {bytes (memory), notes, flags (for JAVA_TOOL_OPTIONS),
# flags_note}. First the present limit, then a larger one, for its flags or for a heap of the same
# size, and last a share with a limit for it. No limit out of all proportion is advice.
memory_plan(j) := _plan_of(j.c.memory_limit, [], [], "") if {
	_passes_now(j)
} else := _plan_of(_in_bytes(mib), _limit_notes(j), [], "") if {
	mib := memory.sufficient_limit_mib(j)
	mib > 0
	_in_proportion(j, mib)
} else := _plan_of(_in_bytes(mib), _limit_notes(j), flags, beside) if {
	j.heap.bytes > 0
	flags := [advice.same_heap(j)]
	mib := memory.sufficient_limit_mib(jvm.changed(j, j.c, flags))
	mib > 0
} else := _plan_of(_in_bytes(mib), _limit_notes(j), _usual_flags, _in_place_of(j)) if {
	not jvm.release_lacks(j) # and with it these flags
	mib := memory.smallest_limit_mib(_with_usual_flags(j))
	mib != 0
} else := _plan_of(max([j.c.memory_limit, 0]), [_no_plan(j)], [], "")

_plan_of(bytes, notes, flags, flags_note) := {
	"bytes": bytes,
	"notes": notes,
	"flags": concat(" ", flags),
	"flags_note": flags_note,
}

_passes_now(j) if {
	_limit_mib(j) >= memory.limit_of_peak_mib(j.c)
	j.heap.bytes != 0
	memory.fits(j, _limit_mib(j), j.heap.bytes)
}

# Where there is no limit, none is out of proportion to it.
_in_proportion(j, _) if not _has_limit(j)

_in_proportion(j, mib) if advice.in_proportion(j, mib, _limit_mib(j))

# The flags of a plan.

# Half of the limit for the heap (J3).
_usual_flags := ["-XX:MaxRAMPercentage=50.0"]

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

# beside says that flags are added, and nothing has to go.
beside := "beside the flags that are there"

# Without any of these flags a quarter is the heap, and some limit passes.
_in_place_of(j) := sprintf("in place of %s", [concat(" and ", _present(j))])

_present(j) := [jvm.origin(j, name) | some name in sort(_heap_flags); j.flags[name]]

_limit_notes(j) := [] if {
	_has_limit(j)
} else := ["the smallest limit for these flags, as there is none"]

_no_plan(j) := sprintf("whether this passes is not known: %s", [_blind_to_limit(j)]) if {
	_blind_to_limit(j) != ""
} else := "no limit passes with these flags"
