package headroom.advice

import data.headroom.images
import data.headroom.memory
import data.headroom.runtime.jvm

# region_caps are the flags that bound regions of a JVM: {flag, cap, term (its place in the budget)}. They are empty
# where nothing tells what one of the regions takes, and no cap on it is asked for: a cap that is too low ends the
# program.
region_caps(j, regions, budget) := [sprintf("-XX:%s=%vm", [region.flag, _region_mib(region, j, budget)]) |
	count(_to_measure(j, regions, budget)) == 0
	some region in regions
]

# region_way is how regions of a JVM get a bound: by caps, or by what to measure before there are any. native says
# that memory which no flag bounds has to be measured, too.
region_way(j, regions, budget, native) := concat(" and ", array.concat(
	[in_place(j, concat(" and ", caps)) | count(caps) > 0],
	[sprintf("native= in the annotation jvm.headroom.dev/%s, as measured", [j.container]) | native != ""],
)) if {
	count(_to_measure(j, regions, budget)) == 0
	caps := region_caps(j, regions, budget)
} else := measured_first(
	j,
	array.concat(
		[sprintf("%s=", [region.cap]) | some region in _to_measure(j, regions, budget)],
		["native=" | native != ""],
	),
	[sprintf("-XX:%s", [region.flag]) | some region in regions],
)

# measured_first asks for facts, which an annotation says, before flags that go by them. It names no container, so that
# what is the same of several is said once.
measured_first(j, facts, flags) := sprintf("annotate %s (headroom diagnose POD shows %s), then set %s", [
	jvm.listed(facts),
	object.get({1: "it"}, count(facts), "them"),
	in_place(j, jvm.listed(flags)),
])

_to_measure(j, regions, budget) := [region | some region in regions; not _cap_known(region, j, budget)]

# A cap is known by what is taken; one that the JVM has by itself changes nothing.
_cap_known(region, _, budget) if budget.terms[region.term].grade in {"declared", "measured"}

_cap_known(region, _, budget) if {
	region.cap == "metaspace"
	budget.terms[region.term].grade == "known"
}

_cap_known(region, j, budget) if {
	region.cap == "direct"
	j.heap.bytes > 0
	_region_mib(region, j, budget) >= budget.terms[region.term].bound_mib
}

# A cap is asked for: the usual one is wanted then, unless the program's memory is known to grow with its load.
_cap_known(region, j, _) if {
	region.cap in jvm.requested(j)
	not _grows(region, j)
}

_grows(region, j) if {
	region.cap == "direct"
	images.found[j.c.id].record.unbounded
}

# What is known to have been taken has room under its cap.
_region_mib(region, j, budget) := max([
	_cap_mib(region, j, budget),
	cap_for_taken_mib(object.get(j, ["facts", region.cap], 0)),
])

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

# code_cache_cap is the size of the code cache where what is taken is known, or where somebody asked for one; "" else.
# The usual one has room for what most services compile (J3).
code_cache_cap(j) := sprintf("-XX:ReservedCodeCacheSize=%vm", [max([
	_usual_code_cache_mib,
	cap_for_taken_mib(j.facts.code_cache),
])]) if {
	j.facts.code_cache
} else := sprintf("-XX:ReservedCodeCacheSize=%vm", [_usual_code_cache_mib]) if {
	"code-cache" in jvm.requested(j)
} else := ""

_usual_code_cache_mib := 128
