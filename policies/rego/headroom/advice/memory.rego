# METADATA
# title: Advice on a JVM's memory
# description: |
#   How a JVM comes to leave free what has to be left of its limit (M1), in words. HR303, HR304
#   and HR406 ask for the same, so that whoever does what one of them wants satisfies the others.
package headroom.advice

import data.headroom.memory

# wanted_memory names the mildest way that passes: caps alone where they are enough, else a
# smaller heap or a larger limit, and only a limit where no heap fits.
wanted_memory(j, limit_mib) := concat("", array.concat([caps_text(caps)], without)) if {
	caps := _enough(j, limit_mib)
	without := [text |
		heap_way(j, limit_mib) != ""
		text := sprintf(", or, without %s, %s", [_them(caps), concat(", or ", _ways(j, limit_mib))])
	]
} else := concat("", [_with(caps), concat(", or ", _ways(with_flags(j, caps), limit_mib))]) if {
	caps := heap_caps(j, limit_mib)
} else := sprintf("%s (no heap fits under this limit)", [concat(", or ", limits)]) if {
	limits := _limits(j, limit_mib)
	count(limits) > 0
} else := "other flags: no limit passes with these"

# Caps, all of them in use, with which the flags as they are pass.
_enough(j, limit_mib) := [caps |
	some caps in [direct_cap(j), all_caps(j)]
	count(caps) > 0
	capped := with_flags(j, caps)
	memory.fits(capped, limit_mib, capped.heap.bytes)
][0]

_ways(j, limit_mib) := [way | some way in [heap_way(j, limit_mib), limit_way(j, limit_mib)]; way != ""]

_with([]) := ""

_with(caps) := sprintf("with %s: ", [caps_text(caps)]) if count(caps) > 0

_them(caps) := "it" if count(caps) == 1

_them(caps) := "them" if count(caps) > 1

# The limit for the flags as they are, and the smaller one that caps make enough.
_limits(j, limit_mib) := [limit |
	some caps in array.concat([[]], [caps | caps := all_caps(j); count(caps) > 0])
	way := limit_way(with_flags(j, caps), limit_mib)
	way != ""
	limit := concat("", [_with(caps), way])
]
