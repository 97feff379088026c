package headroom.advice

import data.headroom.memory
import data.headroom.runtime.jvm

# heap_text is a flag for a heap of so many MiB: a whole percentage where it decides, else -Xmx.
heap_text(j, limit_mib, heap_mib) := sprintf("-XX:MaxRAMPercentage=%v.0", [percent]) if {
	jvm.seen_memory(j.c, j.flags, j.numbers) > 0
	percent := floor((heap_mib * 100) / limit_mib)
	share := memory.heap_at_percentage(j, limit_mib, percent)
	share.flag == "MaxRAMPercentage"
	share.bytes <= heap_mib * 1048576
} else := size_text(j, heap_mib)
