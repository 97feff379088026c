package headroom.memory

import data.headroom.config
import data.headroom.quantity

# native is what the JVM needs for itself: 50 MiB and the collector's own memory, which grows with
# the heap (M3). At least 100 MiB is expected of a large heap, of what is neither declared, configured nor known.
native(j, heap_bytes) := _declared_native("annotation", mebibytes(j.facts.native)) if {
	j.facts.native
} else := _declared_native("config", mebibytes(bytes)) if {
	config.settings.jvm.native != ""
	bytes := quantity.bytes(config.settings.jvm.native)
	bytes >= 0
} else := {
	"name": "native",
	"mib": mib,
	"least_mib": min([mib, least.native + floor(_collector_mib(j, heap_bytes) / 2)]),
	"bound_mib": mib + ceil(mib / 2),
	"source": family.text,
	"flag": "",
	"grade": "known",
} if {
	family := family_of(j)
	mib := family.takes.native + _collector_mib(j, heap_bytes)
} else := {
	"name": "native",
	"mib": mib,
	"least_mib": min([mib, least.native + floor(_collector_mib(j, heap_bytes) / 2)]),
	"bound_mib": mib + ceil(mib / 2),
	"source": "assumed",
	"flag": "",
	"grade": "assumed",
} if {
	mib := max([usual_mib("native", heap_bytes), own_mib + _collector_mib(j, heap_bytes)])
}

_collector_mib(j, heap_bytes) := books.base + ceil((mebibytes(heap_bytes) * books.percent) / 100) if {
	books := bookkeeping[j.gc]
}

_declared_native(source, mib) := {
	"name": "native",
	"mib": mib,
	"least_mib": mib,
	"bound_mib": mib,
	"source": source,
	"flag": "",
	"grade": "declared",
}

own_mib := 50

# bookkeeping is each collector's own memory: base in MiB, and a share of the heap in percent (M3).
# CMS was not measured and is treated as Parallel. ZGC's tables and threads took 80 to 94 MiB whatever the heap.
bookkeeping := {
	"G1": {"base": 40, "percent": 4},
	"Parallel": {"base": 10, "percent": 4},
	"CMS": {"base": 10, "percent": 4},
	"Shenandoah": {"base": 0, "percent": 4},
	"ZGC": {"base": 80, "percent": 2},
	"Serial": {"base": 0, "percent": 1},
	"Epsilon": {"base": 0, "percent": 1},
}
