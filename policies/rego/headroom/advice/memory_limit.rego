package headroom.advice

import data.headroom.config
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.go
import data.headroom.runtime.jvm

# memory_for_peak is the limit of which a peak is no more than so many thousandths (M2).
memory_for_peak(c, peak, permille) := sprintf("limits.memory: %s or more (peak / %v)%s", [
	quantity.format_memory(limit_for_peak(peak, permille)),
	permille / 1000,
	{true: ", and requests.memory with it", false: ""}[and_request(c) != ""],
])

limit_for_peak(peak, permille) := _mib * ceil((peak * 1000) / (permille * _mib))

# memory_enough is the smallest limit, in bytes, for a container with such a peak, and for what the
# flags of its JVM or GOMEMLIMIT bound. It is 0 if a limit is also the size of something.
memory_enough(c, peak) := max(array.concat([limit_for_peak(peak, permille)], _bounds(c))) if {
	permille := round(config.settings.memory.peak * 1000)
	permille >= 1
	not _sized_by_limit(c)
} else := 0

_sized_by_limit(c) if {
	j := jvm.by_id[c.id]
	not j.flags.MaxHeapSize
}

_sized_by_limit(c) if jvm.share_of_limit(jvm.by_id[c.id])

_sized_by_limit(c) if {
	some g in go.gos
	g.c.id == c.id
	g.gomemlimit.state == "resource"
}

_bounds(c) := array.concat(
	[bytes | j := jvm.by_id[c.id]; bytes := _mib * memory.smallest_limit_mib(j)],
	[bytes | some g in go.gos; g.c.id == c.id; bytes := _mib * ceil((g.gomemlimit.bytes * 10) / (9 * _mib))],
)

# and_request says, behind a limit, that the request follows it: one that stays behind is what HR302 is
# about. A request that is not written follows by itself.
and_request(c) := " (and requests.memory)" if {
	c.raw.resources.requests.memory != null
} else := ""

_mib := 1048576
