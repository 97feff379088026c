package headroom.runtime.jvm

# max_heap is the maximum heap: {bytes, set, source, flag, percent}. bytes is 0 where the
# manifest does not tell, flag "" where nothing sets it, percent 0 where no share decides.
# memory is what the JVM sees, 0 for the node's. The steps are HotSpot's own
# (Arguments::set_heap_size), held against JDK 8 to 28.
max_heap(flags, memory) := {
	"bytes": aligned(max([size(flags, "MaxHeapSize"), 0])),
	"set": true,
	"source": flags.MaxHeapSize.source,
	"flag": "MaxHeapSize",
	"percent": 0,
} if {
	flags.MaxHeapSize
} else := heap if {
	not flags.InitialHeapSize
	heap := _shared(memory, _max_share(flags), _min_share(flags))
} else := _lifted(_shared(memory, _max_share(flags), _min_share(flags)), flags, size(flags, "InitialHeapSize"))

# On little memory, where MinRAMPercentage gives less than 124.8 MiB (96 MiB x 1.3), that
# percentage decides: 249 MiB and less by default. No larger container gets less than that.
least_heap := 130862280

_shared(memory, most, least) := {
	"bytes": aligned(floor((memory * least.percent) / 100)),
	"set": least.set,
	"source": least.source,
	"flag": "MinRAMPercentage",
	"percent": least.percent,
} if {
	memory * least.percent < least_heap * 100
} else := {
	"bytes": aligned(max([least_heap, floor((memory * most.percent) / 100)])),
	"set": most.set,
	"source": most.source,
	"flag": most.flag,
	"percent": most.percent,
}

_max_share(flags) := _percentage(flags, "MaxRAMPercentage") if {
	flags.MaxRAMPercentage
} else := _fraction(flags, "MaxRAMFraction") if {
	size(flags, "MaxRAMFraction") > 0
} else := {"percent": 25, "set": false, "source": "JVM default", "flag": ""}

_min_share(flags) := _percentage(flags, "MinRAMPercentage") if {
	flags.MinRAMPercentage
} else := _fraction(flags, "MinRAMFraction") if {
	size(flags, "MinRAMFraction") > 0
} else := {"percent": 50, "set": false, "source": "JVM default", "flag": ""}

_percentage(flags, name) := {
	"percent": max([percent(flags, name), 0]),
	"set": true,
	"source": flags[name].source,
	"flag": name,
}

# The older fractions are reciprocals of the percentages.
_fraction(flags, name) := {
	"percent": 100 / size(flags, name),
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

# stack_size is one thread's: {bytes, flag, set}. -Xss counts bytes, ThreadStackSize KiB; 0 is
# the default again.
stack_size(flags) := {"bytes": bytes, "flag": "ThreadStackSize", "set": true} if {
	flags.ThreadStackSize
	bytes := _stack_bytes(flags.ThreadStackSize.value)
	bytes > 0
} else := {"bytes": 1048576, "flag": "", "set": false}

_stack_bytes(value) := size_of(trim_prefix(value, "Xss")) if startswith(value, "Xss")

_stack_bytes(value) := size_of(value) * 1024 if not startswith(value, "Xss")

# small_code_cache is true where the JVM reserves 48 instead of 240 MiB for compiled code.
small_code_cache(jvm) if {
	jvm.version >= 11
	interpreted(jvm)
}

small_code_cache(jvm) if off(jvm.flags, "TieredCompilation")

small_code_cache(jvm) if {
	jvm.version >= 17
	size(jvm.flags, "TieredStopAtLevel") in {0, 1, 2, 3}
	not jvm.version >= 28
}

small_code_cache(jvm) if {
	jvm.version >= 28
	size(jvm.flags, "TieredStopAtLevel") in {0, 1}
}
