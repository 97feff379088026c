package headroom.memory

import data.headroom.config
import data.headroom.quantity

# native is what the JVM needs for itself: 50 MiB and the collector's own memory, which grows with
# the heap (M3). At least 100 MiB is assumed.
native(j, heap_bytes) := {
	"name": "native",
	"mib": mebibytes(j.facts.native),
	"source": "annotation",
	"flag": "",
	"assumed": false,
} if {
	j.facts.native
} else := {"name": "native", "mib": mebibytes(bytes), "source": "config", "flag": "", "assumed": true} if {
	config.settings.jvm.native != ""
	bytes := quantity.bytes(config.settings.jvm.native)
	bytes >= 0
} else := {
	"name": "native", "mib": max([least_native_mib, collector_mib]),
	"source": "assumed", "flag": "", "assumed": true,
} if {
	books := bookkeeping[j.gc]
	collector_mib := (own_mib + books.base) + ceil((mebibytes(heap_bytes) * books.percent) / 100)
}

own_mib := 50

least_native_mib := 100

# bookkeeping is each collector's own memory: base in MiB, and a share of the heap in percent (M3).
# CMS was not measured and is treated as Parallel.
bookkeeping := {
	"G1": {"base": 40, "percent": 4},
	"Parallel": {"base": 10, "percent": 4},
	"CMS": {"base": 10, "percent": 4},
	"Shenandoah": {"base": 0, "percent": 4},
	"ZGC": {"base": 0, "percent": 2},
	"Serial": {"base": 0, "percent": 1},
	"Epsilon": {"base": 0, "percent": 1},
}
