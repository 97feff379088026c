package headroom.explain

import data.headroom.detail
import data.headroom.memory

# What would pass, each as {value, why}: why is in words where the value is 0, which is none.

_none(why) := {"value": 0, "why": why}

# _found is a value, or why there is none.
_found(value, _) := {"value": value, "why": ""} if value > 0

_found(value, why) := _none(why) if value <= 0

passing_of_any(c) := object.union(cpu_passing(c), object.union(block(c), {
	"smallest_limit_mib": _found(limit_of_peak_mib(c), "nobody has measured its peak, and a manifest does not tell it"),
	"largest_heap_mib": _none("no JVM"),
	"largest_percentage": _none("no JVM"),
	"largest_threads": _none("no JVM"),
}))

passing_of_jvm(j) := object.union(cpu_passing(j.c), object.union(block_of_jvm(j), {
	"smallest_limit_mib": smallest_limit(j),
	"largest_heap_mib": largest_heap(j),
	"largest_percentage": largest_percentage(j),
	"largest_threads": largest_threads(j),
}))

smallest_limit(j) := _none(sprintf("the JVM does not size its heap by the limit: %s", [_blind_to_limit(j)])) if {
	_blind_to_limit(j) != ""
} else := _found(memory.smallest_limit_mib(j), concat(" ", [
	_heap_and_followers(j),
	"passes under no limit: what grows with it leaves less than the budget has to leave free",
]))

largest_heap(j) := _none(_no_limit_why) if {
	not _has_limit(j)
} else := _found(memory.largest_heap_mib(j, _limit_mib(j)), _without_heap(j))

largest_percentage(j) := _none(_no_limit_why) if {
	not _has_limit(j)
} else := _none(_percentage_is_idle(j)) if {
	_percentage_is_idle(j) != ""
} else := _found(memory.largest_percentage(j, _limit_mib(j)), _without_heap(j))

largest_threads(j) := _none(_no_limit_why) if {
	not _has_limit(j)
} else := _none("the heap is not known") if {
	j.heap.bytes == 0
} else := _found(memory.largest_threads(j, _limit_mib(j)), _without_threads(j))

_no_limit_why := "there is no memory limit"

_has_limit(j) if _limit_mib(j) > 0

_limit_mib(j) := detail.result[j.c.id].budget.limit_mib
