package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# direct_cap bounds direct memory that would grow to the size of a heap that is larger than it.
direct_cap(j) := [trim_prefix(flag, " with ") | flag := memory.capped(j).flag; flag != ""]

# all_caps are those of HR407 and HR408 too. A flag that is there is nobody's to change.
all_caps(j) := array.concat(direct_cap(j), _other_caps(j))

_other_caps(j) := array.concat(
	["-XX:ReservedCodeCacheSize=128m" | not j.flags.ReservedCodeCacheSize; memory.code_cache(j).mib > 128],
	["-Xss512k" | not j.flags.ThreadStackSize],
)

# heap_caps are the caps that make room for a heap under a limit: none, or one on direct memory,
# which a small heap does without; the others where less than the default quarter is left for it.
# It is undefined where no heap fits.
heap_caps(j, limit_mib) := [set.caps |
	sets := [{"caps": caps, "heap_mib": memory.largest_heap_mib(with_flags(j, caps), limit_mib)} |
		some caps in [[], direct_cap(j), _other_caps(j), all_caps(j)]
	]
	some some_of in [array.slice(sets, 0, 2), sets]
	most := max([set.heap_mib | some set in some_of])
	most >= _least(limit_mib, count(some_of))
	some set in some_of
	set.heap_mib == most
][0]

_least(limit_mib, 2) := limit_mib / 4

_least(_, 4) := 1

caps_text(caps) := jvm.listed(caps)

# with_flags is a JVM with these flags more.
with_flags(j, []) := j

with_flags(j, added) := jvm.changed(j, j.c, added) if count(added) > 0
