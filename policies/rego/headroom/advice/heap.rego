package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# heap_way names the largest heap that passes under a limit by the flag that decides. Beside an -Xmx
# a percentage has no effect, and where the JVM does not see the limit it is the node's. "" where
# none fits that the JVM could run with.
heap_way(j, limit_mib) := sprintf("at most %s under this limit", [share_text(j, percent, limit_mib)]) if {
	not j.flags.MaxHeapSize
	percent := largest_share(j, limit_mib)
	share_text(j, percent, limit_mib)
} else := sprintf("at most %s under this limit", [heap_in_place(
	j,
	sprintf("-XX:MaxRAMPercentage=%v.0 (-Xmx%vm)", [percent, largest_heap(j, limit_mib)]),
)]) if {
	not j.flags.MaxHeapSize
	percent := largest_share(j, limit_mib)
	percent > 0
} else := sprintf("at most %s under this limit", [size_text(j, heap_mib)]) if {
	heap_mib := largest_heap(j, limit_mib)
	heap_mib > 0
} else := ""

# passing are the figures of what would pass under a limit: a share of it, a heap, another limit.
passing(j, limit_mib) := {
	"passing_max_ram_percentage": largest_share(j, limit_mib),
	"passing_heap_mib": largest_heap(j, limit_mib),
	"passing_limit_mib": memory.smallest_limit_mib(j),
}

# largest_heap is the largest that passes under a limit, in MiB; 0 for none that a JVM could run with.
largest_heap(j, limit_mib) := heap_mib if {
	heap_mib := memory.largest_heap_mib(j, limit_mib)
	heap_mib >= memory.least_heap_mib(j, limit_mib)
} else := 0

# largest_share is the same as a percentage, of a JVM that takes a share of its limit, else 0.
largest_share(j, limit_mib) := percent if {
	jvm.seen_memory(j.c, j.flags, j.numbers) > 0
	percent := memory.largest_percentage(j, limit_mib)
	percent > 0
	heap := memory.heap_at_percentage(j, limit_mib, percent)
	memory.mebibytes(heap.bytes) >= memory.least_heap_mib(j, limit_mib)
} else := 0

# size_text is a heap of that size in the words of the place that decides on it. A JVM does not start
# with -Xms above -Xmx.
size_text(j, heap_mib) := sprintf("%s (-Xmx%vm)", [jvm.sized(j, heap_mib), heap_mib]) if {
	jvm.sized(j, heap_mib)
} else := heap_in_place(j, sprintf("-Xms%vm and -Xmx%vm", [heap_mib, heap_mib])) if {
	j.numbers.InitialHeapSize > heap_mib * 1048576
} else := heap_in_place(j, sprintf("-Xmx%vm", [heap_mib]))

# initial_grows holds where a script makes a share of the limit the initial heap, too: a larger one of a larger limit.
initial_grows(j) if {
	some part in j.script.parts
	part.share
	contains(part.text, "-Xms")
}

# share_text is a share of the limit in the words of the variable that decides on it, where that is one for shares.
share_text(j, percent, limit_mib) := sprintf("%s (-Xmx%vm)", [jvm.shared(j, percent), largest_heap(j, limit_mib)]) if {
	percent > 0
}
