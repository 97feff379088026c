package headroom.explain

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

# _plan is how a JVM comes to pass: {bytes (memory), notes, flags (for JAVA_TOOL_OPTIONS),
# flags_note}. First the present limit, then a larger one, each without and with a cap on direct
# memory, then a share of the present limit, a limit for a heap of the same size, and last a share
# with a limit for it. No limit out of all proportion is advice.
_plan(j) := _plan_of(j.c.memory_limit, [], [], "") if {
	_passes_now(j)
} else := _plan_of(j.c.memory_limit, [], _cap(j), _added) if {
	_cap(j) != []
	_passes_now(memory.capped(j).jvm)
} else := _plan_of(_in_bytes(mib), array.concat(_limit_notes(j), _without_cap(j, mib)), _cap(j), _added) if {
	_cap(j) != []
	mib := _smallest_for(memory.capped(j).jvm)
	mib > 0
	_in_proportion(j, mib)
} else := _plan_of(_in_bytes(mib), _limit_notes(j), [], "") if {
	mib := _smallest_for(j)
	mib > 0
	_in_proportion(j, mib)
} else := _plan_of(j.c.memory_limit, [], array.concat(share, _cap(j)), _in_place_of(j)) if {
	_has_limit(j)
	_percentage_is_idle(j) == ""
	percent := memory.largest_percentage(memory.capped(j).jvm, _limit_mib(j))
	percent >= _least_share
	share := [sprintf("-XX:MaxRAMPercentage=%v.0", [percent])]
} else := _plan_of(_in_bytes(mib), _limit_notes(j), flags, _added) if {
	flags := array.concat(_same_heap(j), _cap(j))
	mib := _smallest_for(jvm.changed(j, j.c, flags))
	mib > 0
} else := _plan_of(_in_bytes(mib), _limit_notes(j), _usual_flags(j), _in_place_of(j)) if {
	mib := memory.smallest_limit_mib(_with_usual_flags(j))
	mib > 0
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
	_has_limit(j)
	_limit_mib(j) >= limit_of_peak_mib(j.c)
	j.heap.bytes > 0
	memory.fits(j, _limit_mib(j), j.heap.bytes)
}

# What the measured peak asks for may be more.
_smallest_for(j) := max([mib, at_peak]) if {
	mib := memory.smallest_limit_mib(j)
	mib > 0
	at_peak := ceil(limit_of_peak_mib(j.c) / memory.step_mib) * memory.step_mib
	memory.passes_under(j, max([mib, at_peak]))
}

# Where there is no limit, none is out of proportion to it.
_in_proportion(j, _) if not _has_limit(j)

_in_proportion(j, mib) if advice.in_proportion(j, mib, _limit_mib(j))
