package headroom.explain

import data.headroom.memory
import data.headroom.runtime.jvm

# _plan is how a JVM comes to pass: {bytes (memory), notes, flags (for JAVA_TOOL_OPTIONS),
# flags_note}. First the present limit, then a larger one, then flags for the present one, and
# last flags with a limit for them.
_plan(j) := {"bytes": j.c.memory_limit, "notes": [], "flags": "", "flags_note": ""} if {
	_has_limit(j)
	_limit_mib(j) >= limit_of_peak_mib(j.c)
	j.heap.bytes > 0
	memory.fits(j, _limit_mib(j), j.heap.bytes)
} else := {"bytes": _in_bytes(mib), "notes": notes, "flags": "", "flags_note": ""} if {
	mib := _smallest_for(j)
	mib > 0
	notes := array.concat(_limit_notes(j), _cap_notes(j, mib))
} else := {
	"bytes": j.c.memory_limit,
	"notes": [],
	"flags": sprintf("-XX:MaxRAMPercentage=%v.0%s", [percent, capped.flag]),
	"flags_note": _in_place_of(j),
} if {
	_has_limit(j)
	_percentage_is_idle(j) == ""
	capped := _capped(j)
	percent := memory.largest_percentage(capped.jvm, _limit_mib(j))
	percent >= 25
} else := {
	"bytes": _in_bytes(mib),
	"notes": ["the limit is that for the flags below"],
	"flags": concat(" ", _usual_flags),
	"flags_note": _in_place_of(j),
} if {
	mib := memory.smallest_limit_mib(_with_usual_flags(j))
	mib > 0
} else := {"bytes": max([j.c.memory_limit, 0]), "notes": [_blind_note(j)], "flags": "", "flags_note": ""}

# What the measured peak asks for may be more.
_smallest_for(j) := max([memory.smallest_limit_mib(j), at_peak]) if {
	at_peak := ceil(limit_of_peak_mib(j.c) / 64) * 64
	memory.smallest_limit_mib(j) > 0
	_passes_at(j, max([memory.smallest_limit_mib(j), at_peak]))
}

_passes_at(j, mib) if {
	under := jvm.changed(j, object.union(j.c, {"memory_limit": _in_bytes(mib)}), [])
	memory.fits(under, mib, under.heap.bytes)
}
