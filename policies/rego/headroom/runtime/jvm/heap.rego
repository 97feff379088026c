package headroom.runtime.jvm

# max_heap is the maximum heap: {bytes, set, source, flag, percent}. bytes is 0 where the
# manifest does not tell, flag "" where nothing sets it, percent 0 where no share decides.
# memory is what the JVM sees, 0 for the node's. The steps are HotSpot's own
# (Arguments::set_heap_size), held against JDK 8 to 28.
max_heap(flags, numbers, memory) := {
	"bytes": aligned(max([numbers.MaxHeapSize, 0])),
	"set": true,
	"source": flags.MaxHeapSize.source,
	"flag": "MaxHeapSize",
	"percent": 0,
} if {
	flags.MaxHeapSize
} else := _shared(flags, numbers, memory) if {
	not flags.InitialHeapSize
} else := _lifted(_shared(flags, numbers, memory), flags, numbers.InitialHeapSize)

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
	"bytes": aligned(floor((memory * least.percent) / 100)),
	"set": least.set,
	"source": least.source,
	"flag": least.flag,
	"percent": least.percent,
} if {
	least := _min_share(flags, numbers)
	memory * least.percent < least_heap * 100
} else := {
	"bytes": aligned(max([least_heap, floor((memory * most.percent) / 100)])),
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
	"bytes": aligned(initial),
	"set": heap.set,
	"source": flags.InitialHeapSize.source,
	"flag": "InitialHeapSize",
	"percent": 0,
} if {
	initial > heap.bytes
}

# The maximum is rounded up to whole 2 MiB (measured for every collector but Shenandoah,
# whose regions are smaller on a small heap).
aligned(bytes) := bits.lsh(bits.rsh(bytes + 2097151, 21), 21)
