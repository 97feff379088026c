package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# limit_way names the smallest limit that passes, with room for a measured peak. A heap that is a share
# grows with it, and may leave none, or one out of all proportion. Then it is the limit for a heap of the
# same size, as it is where -Xms alone decides. "" if no limit passes.
limit_way(j, limit_mib) := _limit_text(j, mib) if {
	mib := memory.sufficient_limit_mib(j)
	mib > 0
	in_proportion(j, mib, limit_mib)
} else := same_heap_way(j)

# same_heap_way names a limit for a heap of the size that it has, and no less than a JVM runs with.
same_heap_way(j) := sprintf("%s and %s", [heap_in_place(j, _with_initial(j, flag)), _limit_text(j, mib)]) if {
	flag := same_heap(j)
	mib := memory.sufficient_limit_mib(jvm.changed(j, j.c, [flag]))
	mib > 0
} else := ""

same_heap(j) := sprintf("-Xmx%vm", [max([memory.least_server_mib, memory.mebibytes(j.heap.bytes)])])

_with_initial(j, flag) := sprintf("-Xms%s and %s", [trim_prefix(flag, "-Xmx"), flag]) if {
	initial_grows(j)
} else := flag

_limit_text(j, mib) := sprintf("limits.memory of %vMi%s", [mib, and_request(j.c)])

in_proportion(j, _, _) if {
	j.flags.MaxHeapSize
	not jvm.share_of_limit(j)
}

in_proportion(j, mib, limit_mib) if {
	jvm.share_of_limit(j)
	mib <= 2 * limit_mib
}

in_proportion(j, mib, limit_mib) if {
	j.heap.percent > 0
	mib <= 2 * limit_mib
}
