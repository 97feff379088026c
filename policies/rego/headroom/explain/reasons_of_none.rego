package headroom.explain

import data.headroom.memory
import data.headroom.runtime.jvm

# Why something does not pass, in words.

# _blind_to_limit says why no limit changes the heap that the JVM takes.
_blind_to_limit(j) := "container support is off" if {
	jvm.off(j.flags, "UseContainerSupport")
	memory.heap_under(j, memory.most_mib).bytes == 0
} else := sprintf("%s cannot be read", [jvm.origin(j, "MaxHeapSize")]) if {
	j.flags.MaxHeapSize
	j.heap.bytes == 0
} else := ""

# _heap_and_followers names what of the budget grows with the limit.
_heap_and_followers(j) := concat("", [_heap_words(j, memory.heap_under(j, memory.most_mib)), _direct_words(j)])

_heap_words(j, heap) := jvm.origin(j, heap.flag) if heap.flag != ""

_heap_words(_, heap) := sprintf("a heap of %v %% of it, the JVM's default,", [heap.percent]) if heap.flag == ""

_direct_words(j) := "" if {
	j.numbers.MaxDirectMemorySize >= 0
} else := " with as much direct memory again, which -XX:MaxDirectMemorySize would cap,"

# What stands against any heap, and against any thread.
_without_heap(j) := sprintf("at most %v MiB of heap pass, and with these flags no share of the limit is that little", [
	mib,
]) if {
	mib := memory.largest_heap_mib(j, _limit_mib(j))
	mib > 0
} else := sprintf("without any heap the other regions take %v MiB of the %v MiB, and %v may be taken", [
	memory.total_mib(j, 0),
	_limit_mib(j),
	floor(memory.allowed(_limit_mib(j))),
])

_without_threads(j) := sprintf("heap and all else take %v MiB of the %v MiB, %s", [
	others,
	_limit_mib(j),
	_leave(_limit_mib(j), others),
]) if {
	others := memory.total_mib(j, j.heap.bytes) - memory.stacks(j).mib
}

_leave(limit, others) := sprintf("and leave %v %%", [round(((limit - others) * 1000) / limit) / 10]) if others <= limit

_leave(limit, others) := sprintf("%v MiB more than there are", [others - limit]) if others > limit

# _percentage_is_idle says why MaxRAMPercentage would have no effect under this limit; "" where it
# has one.
_percentage_is_idle(j) := "container support is off: the JVM takes its share of the node's memory" if {
	jvm.off(j.flags, "UseContainerSupport")
	not j.flags.MaxRAM
} else := sprintf("MaxRAMPercentage has no effect on %v MiB: on so little memory MinRAMPercentage decides", [
	_limit_mib(j),
]) if {
	not memory.heap_at_percentage(j, _limit_mib(j), 100).flag in {"MaxRAMPercentage", "InitialHeapSize"}
} else := ""
