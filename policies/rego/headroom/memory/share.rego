package headroom.memory

import data.headroom.config
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workload

# A share of the limit for the heap of a JVM that has none set (HR406): {flag, percent}.

# configured_share is the config's, with a decimal point, which Java 8 wants, also where it says 75.
configured_share := {
	"flag": sprintf("-XX:MaxRAMPercentage=%d.%d", [floor(_tenths / 10), _tenths % 10]),
	"percent": _tenths / 10,
}

_tenths := round(config.settings.jvm.maxRAMPercentage * 10)

# configured_heap_mib is that share of a limit, an even number.
configured_heap_mib(limit_mib) := max([2, 2 * floor((limit_mib * _tenths) / 2000)])

# least_share is what the JVM takes by itself: below it the default gives more.
least_share := 25

# fitting_share is the configured share, or the largest that the budget has room for, with the flags that set it:
# {percent, flags}; undefined where none fits. What headroom injects thus never has to be lowered again.
# Direct memory may grow as large as the heap: where the heap does, it is capped at what it may take now. The container
# is not OOMKilled at the high end of what is assumed either.
fitting_share(j, limit_mib) := [object.union(share, {"flags": array.concat([share.flag], cap)}) |
	cap := _direct_cap(j)
	capped := _capped(j, cap)
	some share in [configured_share, _largest_share(capped, limit_mib)]
	_fits_capped(capped, limit_mib, max([floor((j.c.memory_limit * share.percent) / 100), jvm.aligned(jvm.least_heap)]))
][0]

_direct_cap(j) := [sprintf("-XX:MaxDirectMemorySize=%vm", [mebibytes(j.heap.bytes)])] if {
	not j.flags.MaxDirectMemorySize
	j.heap.bytes > 0
} else := []

_capped(j, []) := j

_capped(j, cap) := jvm.changed(j, j.c, cap) if count(cap) > 0

_fits_capped(j, limit_mib, heap_bytes) if {
	fits(j, room_mib(limit_mib), heap_bytes)
	high_end_mib(j, heap_bytes) <= room_mib(limit_mib)
}

# high_end_mib is the sum with the most of each region that is assumed, and with as much direct memory as its cap and
# the heap allow.
high_end_mib(j, heap_bytes) := heap_mib + sum([_high_end(term, heap_mib) |
	some term in terms_at(j, heap_bytes)
	term.name != "heap"
]) if {
	heap_mib := mebibytes(heap_bytes)
}

_high_end(term, heap_mib) := min([term.bound_mib, heap_mib]) if {
	term.name == "direct"
} else := term.bound_mib if {
	"assumed" in {term.grade, term.source}
} else := term.mib

_largest_share(j, limit_mib) := {"flag": sprintf("-XX:MaxRAMPercentage=%d.0", [percent]), "percent": percent} if {
	heap_mib := largest_heap_mib(j, room_mib(limit_mib))
	over_mib := max([0, high_end_mib(j, heap_mib * 1048576) - room_mib(limit_mib)])
	percent := min([floor(_tenths / 10), floor(((heap_mib - over_mib) * 100) / limit_mib)])
}

# sees_limit says that a share has an effect.
sees_limit(j) if {
	j.c.memory_limit >= share_counts_from
	not jvm.off(j.flags, "UseContainerSupport")
}

# Under 250 MiB, MinRAMPercentage decides.
share_counts_from := 262144000

# room_mib is what files on memory-backed volumes leave of a limit: they are charged to the
# container that writes them.
room_mib(limit_mib) := limit_mib - _in_memory_mib

_in_memory_mib := sum([mebibytes(size) |
	some volume in workload.pod_spec.volumes
	volume.emptyDir.medium == "Memory"
	size := quantity.bytes(volume.emptyDir.sizeLimit)
])
