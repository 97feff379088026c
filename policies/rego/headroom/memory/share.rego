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

# fitting_share is the configured share, or the largest that the budget has room for; undefined
# where none fits. What headroom injects thus never has to be lowered again.
fitting_share(j, limit_mib) := [share |
	some share in [configured_share, _largest_share(j, limit_mib)]
	fits(j, room_mib(limit_mib), floor((j.c.memory_limit * share.percent) / 100))
][0]

_largest_share(j, limit_mib) := {"flag": sprintf("-XX:MaxRAMPercentage=%d.0", [percent]), "percent": percent} if {
	heap_mib := largest_heap_mib(j, room_mib(limit_mib))
	percent := min([floor(_tenths / 10), floor((heap_mib * 100) / limit_mib)])
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
