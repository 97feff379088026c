package headroom.runtime.jvm

# max_heap is the maximum heap: {bytes, set, source, flag, percent}. bytes is 0 where the
# manifest does not tell, flag "" where nothing sets it, percent 0 where no share decides.
# memory is what the JVM sees, 0 for the node's. The steps are HotSpot's own
# (Arguments::set_heap_size), held against JDK 8 to 28.
max_heap(flags, numbers, memory) := {
	"bytes": _rounded(flags, max([numbers.MaxHeapSize, 0])),
	"set": true,
	"source": flags.MaxHeapSize.source,
	"flag": "MaxHeapSize",
	"percent": 0,
} if {
	flags.MaxHeapSize
} else := {
	"bytes": aligned(max([0, min([floor(memory / 2), memory - aggressive_rest])])),
	"set": true,
	"source": flags.AggressiveHeap.source,
	"flag": "AggressiveHeap",
	"percent": 0,
} if {
	on(flags, "AggressiveHeap")
	memory > 0
} else := _limited(_shared(flags, numbers, memory), numbers) if {
	not flags.InitialHeapSize
} else := _lifted(_limited(_shared(flags, numbers, memory), numbers), flags, numbers.InitialHeapSize)

# AggressiveHeap takes half of the memory, and leaves 160 MiB.
aggressive_rest := 167772160

# ErgoHeapSizeLimit bounds what the JVM works out.
_limited(heap, numbers) := object.union(heap, {"bytes": aligned(limit)}) if {
	limit := numbers.ErgoHeapSizeLimit
	limit > 0
	limit < heap.bytes
} else := heap

# fitted rounds a heap to what its collector counts in: the regions of G1 and Shenandoah.
fitted(heap, flags, _, "G1", feature) := object.union(heap, {"bytes": _up(heap.bytes, region)}) if {
	heap.bytes > 0
	region := _g1_region(flags, heap.bytes, feature)
	region > 2097152
} else := heap

fitted(heap, flags, numbers, "Shenandoah", _) := object.union(heap, {"bytes": _up(numbers.MaxHeapSize, region)}) if {
	flags.MaxHeapSize
	numbers.MaxHeapSize > 0
	region := max([262144, _power_below(numbers.MaxHeapSize / 2048)])
} else := heap

fitted(heap, _, _, gc, _) := heap if not gc in {"G1", "Shenandoah"}

# region_mib is what a collector counts a heap of so many MiB in, and no less than the 2 MiB of them all.
region_mib(j, heap_mib) := max([2, bits.rsh(_g1_region(j.flags, heap_mib * 1048576, j.version), 20)]) if {
	j.gc == "G1"
} else := max([2, bits.rsh(_power_below(heap_mib * 512), 20)]) if {
	j.gc == "Shenandoah"
} else := 2

# lifted_to_least: from 17 on MinHeapSize lifts a heap that is less (measured).
lifted_to_least(heap, flags, numbers, feature) := {
	"bytes": aligned(numbers.MinHeapSize),
	"set": true,
	"source": flags.MinHeapSize.source,
	"flag": "MinHeapSize",
	"percent": 0,
} if {
	feature >= 17
	not flags.InitialHeapSize
	not heap.flag in {"MaxHeapSize", "AggressiveHeap"}
	heap.bytes > 0
	numbers.MinHeapSize > heap.bytes
} else := heap

# with_generations lifts a heap that is not set, up to 21, to what its two generations ask for.
with_generations(heap, flags, sources, gc, feature) := object.union(heap, {"bytes": asked}) if {
	heap.flag != "MaxHeapSize"
	heap.bytes > 0
	feature >= 8
	feature <= 21
	gc in {"Serial", "Parallel", "CMS"}
	old := number_of(object.get(flags, ["OldSize", "value"], sprintf("%v", [_least_old])))
	old >= 0
	asked := aligned(_young(heap.bytes, flags, sources, feature) + old)
	asked > heap.bytes
} else := heap

# The sizes without flags, in bytes.
_least_young := 1363144

_least_old := 5452592

# A young one as large as the heap is cut below it, on 8 only where its maximum says so; -Xmn sets both.
_young(heap, flags, sources, feature) := min([asked[count(asked) - 1], heap - 524288]) if {
	asked := _xmn(sources)
	count(asked) > 0
	not flags.NewSize
} else := number_of(flags.NewSize.value) if {
	number_of(flags.NewSize.value) >= 0
	feature == 8
	not flags.MaxNewSize
} else := min([number_of(flags.NewSize.value), heap - 524288]) if {
	number_of(flags.NewSize.value) >= 0
} else := _least_young

_xmn(sources) := [size |
	some s in sources
	some option, _ in s.options
	startswith(option, "-Xmn")
	size := size_of(substring(option, 4, -1))
	size >= 0
]

_up(bytes, step) := step * ceil(bytes / step)

# A 2048th of the heap, or what is set: rounded down to a power of two up to 11, else up.
_g1_region(flags, heap, feature) := _power(size, feature, _largest_region(feature)) if {
	size := number_of(flags.G1HeapRegionSize.value)
	size > 0
} else := _power(heap / 2048, feature, 33554432) if {
	not feature in {8, 11}
} else := 0

_largest_region(8) := 33554432

_largest_region(feature) := 536870912 if feature != 8

_power(size, feature, most) := min([most, _power_below(size)]) if feature in {8, 11}

_power(size, feature, most) := min([most, power]) if {
	not feature in {8, 11}
	below := _power_below(size)
	power := {true: below, false: 2 * below}[below >= size]
}

_power_below(size) := max({1} | {power | some power in _powers; power <= size})

_powers := {bits.lsh(1, n) | some n in numbers.range(18, 29)}

# On little memory, where MinRAMPercentage gives less than 124.8 MiB (96 MiB x 1.3), that
# percentage decides: 249 MiB and less by default. No larger container gets less than that.
least_heap := 130862280

_shared(flags, numbers, memory) := {
	"bytes": 0,
	"set": most.set,
	"source": most.source,
	"flag": most.flag,
	"percent": most.percent,
} if {
	memory == 0
	most := _max_share(flags, numbers)
} else := {
	"bytes": _rounded(flags, floor((memory * least.percent) / 100)),
	"set": least.set,
	"source": least.source,
	"flag": least.flag,
	"percent": least.percent,
} if {
	least := _min_share(flags, numbers)
	memory * least.percent < least_heap * 100
} else := {
	"bytes": _rounded(flags, max([least_heap, floor((memory * most.percent) / 100)])),
	"set": most.set,
	"source": most.source,
	"flag": most.flag,
	"percent": most.percent,
} if {
	most := _max_share(flags, numbers)
}

# end_of_little is the memory, in bytes, from which on that percentage no longer decides.
end_of_little(flags, numbers) := ceil((least_heap * 100) / percent) if {
	percent := _min_share(flags, numbers).percent
	percent > 0.0001
} else := most_memory

# 100 TiB, more than any node has.
most_memory := 109951162777600

_max_share(flags, numbers) := _percentage(flags, "MaxRAMPercentage") if {
	flags.MaxRAMPercentage
} else := _fraction(flags, "MaxRAMFraction", numbers.MaxRAMFraction) if {
	numbers.MaxRAMFraction > 0
} else := _fraction(flags, "DefaultMaxRAMFraction", numbers.DefaultMaxRAMFraction) if {
	numbers.DefaultMaxRAMFraction > 0
} else := {"percent": 25, "set": false, "source": "JVM default", "flag": ""}

_min_share(flags, numbers) := _percentage(flags, "MinRAMPercentage") if {
	flags.MinRAMPercentage
} else := _fraction(flags, "MinRAMFraction", numbers.MinRAMFraction) if {
	numbers.MinRAMFraction > 0
} else := {"percent": 50, "set": false, "source": "JVM default", "flag": ""}

_percentage(flags, name) := {
	"percent": max([percent(flags[name].value), 0]),
	"set": true,
	"source": flags[name].source,
	"flag": name,
}

# The older fractions are reciprocals of the percentages.
_fraction(flags, name, number) := {
	"percent": 100 / number,
	"set": true,
	"source": flags[name].source,
	"flag": name,
}

# -Xms above the share lifts the maximum to it.
_lifted(heap, _, initial) := heap if initial <= heap.bytes

_lifted(heap, flags, initial) := {
	"bytes": _rounded(flags, initial),
	"set": heap.set,
	"source": flags.InitialHeapSize.source,
	"flag": "InitialHeapSize",
	"percent": 0,
} if {
	initial > heap.bytes
}

# Epsilon rounds up to whole pages of 4 KiB (measured on 11 to 25).
_rounded(flags, bytes) := _up(bytes, 4096) if {
	on(flags, "UseEpsilonGC")
} else := aligned(bytes)

# The maximum is rounded up to whole 2 MiB (measured for every collector but Epsilon, and Shenandoah,
# whose regions are smaller on a small heap).
aligned(bytes) := bits.lsh(bits.rsh(bytes + 2097151, 21), 21)
