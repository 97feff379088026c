package headroom.memory

import data.headroom.measured

# direct is memory outside the heap that the program asks for (NIO, Netty). Unset, the JVM
# allows as much as the heap; an explicit 0 allows no direct memory (M4). A cap that is a guard changes what
# is expected no more than that; a larger one is set because so much is used, and is expected in full.
direct(j, heap_bytes) := object.union(seen_region(j, "direct", "direct", mib), {
	"least_mib": floor(mib / 2),
	"bound_mib": max([mebibytes(j.facts.direct), most]),
	"flag": _direct_flag(j),
}) if {
	_counts_direct(j)
	most := _most_direct(j, heap_bytes)
	mib := mebibytes(_direct_with_others(j))
} else := {
	"name": "direct",
	"mib": mib,
	"least_mib": min([least.direct, mib]),
	"bound_mib": mib,
	"source": "flag",
	"flag": "MaxDirectMemorySize",
	"grade": "declared",
} if {
	j.numbers.MaxDirectMemorySize > guard_mib * 1048576
	not _as_by_itself(j)
	mib := mebibytes(j.numbers.MaxDirectMemorySize + _netty_bytes(j))
} else := {
	"name": "direct",
	"mib": mib,
	"least_mib": min([found.least_mib, mib]),
	"bound_mib": cap,
	"source": object.get({true: found.source}, cap > mib, "flag"),
	"flag": "MaxDirectMemorySize",
	"grade": "declared",
} if {
	cap := mebibytes(j.numbers.MaxDirectMemorySize)
	j.numbers.MaxDirectMemorySize >= 0
	found := region(j, "direct", heap_bytes)
	mib := min([found.mib, mebibytes(heap_bytes), cap])
} else := object.union(found, {
	"name": "direct",
	"mib": mib,
	"least_mib": min([found.least_mib, mib]),
	"bound_mib": mebibytes(heap_bytes),
	"flag": "",
}) if {
	found := region(j, "direct", heap_bytes)
	mib := min([found.mib, mebibytes(heap_bytes)])
}

# _direct_with_others is what the program asked for when metaspace, code cache and this took the most together. The most
# of each need not be at one time: without it their sum is an upper bound.
_direct_with_others(j) := min([j.facts.direct, max([0, (together - j.facts.metaspace) - j.facts.code_cache])]) if {
	count({"direct", "metaspace", "code_cache"} - object.get(j, "seen", set())) == 0
	together := measured.runtime_of(j.container).beside_heap
} else := j.facts.direct

# _counts_direct says that what was measured is all of it: where Netty uses buffers without a cleaner, as on Java 8,
# the JVM does not count them. What an annotation says is so.
_counts_direct(j) if {
	j.facts.direct
	not "direct" in object.get(j, "seen", set())
}

_counts_direct(j) if {
	j.facts.direct
	j.version != 8
	_netty_bytes(j) == 0
}

_direct_flag(j) := "MaxDirectMemorySize" if {
	j.numbers.MaxDirectMemorySize >= 0
} else := ""

_most_direct(j, heap_bytes) := mebibytes(j.numbers.MaxDirectMemorySize) if {
	j.numbers.MaxDirectMemorySize >= 0
} else := mebibytes(heap_bytes)

# guard_mib is the largest cap that is taken for a guard: twice what is usual. What was measured stays below.
guard_mib := 128

# A quarter of the limit, up to a region of the collector more, is as much as the JVM allows by itself before anybody
# sets a heap. Such a cap keeps direct memory from growing with the heap, and says nothing of its use. Under another
# limit than the present one it counts in full.
_as_by_itself(j) if {
	not j.direct_in_full
	over := j.numbers.MaxDirectMemorySize - (j.c.memory_limit / 4)
	over >= 0
	over <= region_mib * 1048576
}

# region_mib is the largest region of a heap that a JVM rounds up to.
region_mib := 32

# _netty_bytes is what Netty takes beside the cap. Where it may use buffers without a cleaner, it
# counts them by itself, up to io.netty.maxDirectMemory or else as much again. 234 MiB were measured
# under a cap of 160 (M7).
_netty_bytes(j) := to_number(own) if {
	_property(j, "-Dio.netty.tryReflectionSetAccessible") == "true"
	own := _property(j, "-Dio.netty.maxDirectMemory")
	regex.match(`^[0-9]{1,15}$`, own)
} else := j.numbers.MaxDirectMemorySize if {
	_property(j, "-Dio.netty.tryReflectionSetAccessible") == "true"
} else := 0

# _property is the last value of a system property.
_property(j, option) := values[count(values) - 1] if {
	values := [value | some source in j.sources; some value in source.options[option]]
	count(values) > 0
} else := ""
