package headroom.advice

import data.headroom.config
import data.headroom.evidence
import data.headroom.memory
import data.headroom.quantity
import data.headroom.runtime.jvm

# all_memory is the memory of a container that lacks its request or limit, with a number where one is
# known. That is a measured peak, what a JVM's heap of a fixed size needs, or what the container has of
# the two.
all_memory(c) := sprintf("requests.memory and limits.memory: %s, %s%s", [
	quantity.format_memory(most[0]),
	most[1],
	_heap_beside(c),
]) if {
	known := array.concat(_at_peak_memory(c), _of_flags(c))
	count(known) > 0
	most := max(array.concat(known, _as_is(c)))
} else := concat("", [
	"requests.memory = limits.memory: the measured peak and a quarter",
	sprintf("%s (headroom annotate measures it: memory-peak.headroom.dev/%s)", [_beside(c), c.name]),
])

_at_peak_memory(c) := [[limit_for_peak(peak, permille), sprintf("its measured peak / %v", [permille / 1000])] |
	peak := memory.peak[c.name].bytes
	peak > 0
	permille := round(config.settings.memory.peak * 1000)
	permille >= 1
]

# A heap that is a share of the limit says nothing of how much the program needs.
_of_flags(c) := [[mib * _mib, sprintf("the least for its heap of %v MiB", [memory.mebibytes(j.heap.bytes)])] |
	j := jvm.by_id[c.id]
	not j.secret
	j.flags.MaxHeapSize
	evidence.numbered(memory.figure(memory.budget(j)))
	not jvm.share_of_limit(j)
	mib := memory.smallest_limit_mib(j)
	mib > 0
]

# What was measured without a limit is not what a heap takes that is a share of one.
_heap_beside(c) := sprintf("; its heap is %v %% of that: HR303 tells whether the rest fits", [_share_said(c)]) if {
	_share_said(c)
} else := ""

_share_said(c) := j.heap.percent if {
	j := jvm.by_id[c.id]
	j.flags.MaxRAMPercentage
	not j.flags.MaxHeapSize
}

_as_is(c) := [[amount, "what it has of one of them"] | amount := max([c.memory_request, c.memory_limit]); amount > 0]

_beside(c) := sprintf(", and no less than %s", [quantity.format_memory(amount)]) if {
	amount := max([c.memory_request, c.memory_limit])
	amount > 0
} else := ""
