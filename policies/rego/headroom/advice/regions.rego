package headroom.advice

import data.headroom.memory

# region_caps are the flags that bound regions of a JVM: {flag, cap, term (its place in the budget)}.
region_caps(j, regions, budget) := [sprintf("-XX:%s=%vm", [region.flag, _cap_mib(region, j, budget)]) |
	some region in regions
]

# A cap is no more than what direct memory may take now, no less than what the classes that are
# declared need, and no more than the budget has room for.
_cap_mib(region, j, budget) := min([_usual_mib, budget.terms[region.term].mib]) if {
	region.cap == "direct"
	j.heap.bytes > 0
} else := budget.terms[region.term].mib if {
	budget.terms[region.term].source == "annotation"
	not _usual_fits(budget, budget.terms[region.term].mib)
} else := _usual_mib

_usual_mib := 256

_usual_fits(budget, mib) if {
	mib < _usual_mib
	(budget.total_mib - mib) + _usual_mib <= memory.allowed(budget.limit_mib)
}

_usual_fits(budget, mib) if {
	mib < _usual_mib
	not budget.complete
}
