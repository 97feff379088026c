package headroom.advice

import data.headroom.memory

# region_caps are the flags that bound regions of a JVM: {flag, cap, term (its place in the budget)}.
# What is known to have been taken has room under its cap.
region_caps(j, regions, budget) := [sprintf("-XX:%s=%vm", [region.flag, mib]) |
	some region in regions
	mib := max([_cap_mib(region, j, budget), cap_for_taken_mib(object.get(j, ["facts", region.cap], 0))])
]

# cap_for_taken_mib is half as much again, in steps of 32 MiB.
cap_for_taken_mib(bytes) := ceil((bytes * 1.5) / 33554432) * 32

# A cap is no more than what direct memory may take now, nor than the budget has room for, and no
# less than what the classes that are declared need. No cap raises what is expected.
_cap_mib(region, j, budget) := min([_room_for_direct_mib(region, budget), budget.terms[region.term].bound_mib]) if {
	region.cap == "direct"
	j.heap.bytes > 0
} else := max([_usual_mib, budget.terms[region.term].mib]) if {
	region.cap == "metaspace"
} else := _usual_mib

_usual_mib := 256

# A guard counts no more than no cap; a larger one counts in full.
_room_for_direct_mib(region, budget) := memory.guard_mib if {
	budget.complete
	(budget.total_mib - budget.terms[region.term].mib) + _usual_mib > memory.allowed(budget.limit_mib)
} else := _usual_mib
