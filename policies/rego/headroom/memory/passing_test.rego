package headroom.memory_test

import data.headroom.memory
import data.headroom.runtime.jvm

model(flags, limit, facts) := found if {
	[found] := jvm.jvms with input as pod(flags, limit, facts)
}

# What is said to pass does, and a little more does not.
test_the_largest_heap if {
	cases := [
		{"flags": [], "limit": 4096, "facts": ""},
		{"flags": chapter, "limit": 4096, "facts": declared},
		{"flags": chapter, "limit": 4096, "facts": "threads=200"},
		{"flags": ["-XX:+UseSerialGC"], "limit": 2048, "facts": ""},
		{"flags": ["-XX:+UseZGC"], "limit": 65536, "facts": ""},
		{"flags": [], "limit": 450, "facts": ""},
		{"flags": [], "limit": 526, "facts": ""},
	]
	every row in cases {
		j := model(row.flags, sprintf("%dMi", [row.limit]), row.facts)
		largest := memory.largest_heap_mib(j, row.limit)
		largest > 0
		memory.fits(j, row.limit, largest * 1048576)
		not memory.fits(j, row.limit, (largest + 6) * 1048576)
	}
}

test_no_heap_fits if {
	j := model([], "60Mi", "")
	memory.largest_heap_mib(j, 60) == 0
	memory.largest_percentage(j, 60) == 0
}

test_the_largest_percentage if {
	j := model(chapter, "4096Mi", declared)
	memory.largest_percentage(j, 4096) == 66
	not budget_breaks("66.0")
	budget_breaks("67.0")
}

budget_breaks(percentage) if {
	found := budget(array.concat([concat("=", ["-XX:MaxRAMPercentage", percentage])], chapter), "4096Mi", declared)
	found.total_mib > memory.allowed(found.limit_mib)
}

test_the_smallest_limit_of_a_heap if is_smallest([["-Xmx2g"], array.concat(["-Xmx4g"], chapter)])

test_the_smallest_limit_of_a_share if is_smallest([["-XX:MaxRAMPercentage=25.0"]])

test_the_smallest_limit_of_a_heap_of_its_own if is_smallest([["-XX:MaxRAM=4g"]])

is_smallest(cases) if {
	every flags in cases {
		smallest := memory.smallest_limit_mib(model(flags, "1Gi", ""))
		smallest > 0
		passing := budget(flags, sprintf("%dMi", [smallest]), "")
		passing.total_mib <= memory.allowed(passing.limit_mib)
		failing := budget(flags, sprintf("%dMi", [smallest - 128]), "")
		failing.total_mib > memory.allowed(failing.limit_mib)
	}
}

# The heap alone takes all that may be taken, or G1's books do the rest.
test_no_limit_will_do if {
	memory.smallest_limit_mib(model(["-XX:MaxRAMPercentage=97.0"], "1Gi", "")) == 0
	memory.smallest_limit_mib(model(["-XX:MaxRAMPercentage=99.0"], "1Gi", "")) == 0
	memory.smallest_limit_mib(model(["-XX:MaxRAMPercentage=77.0"], "1Gi", "")) == 6912
}

# Direct memory follows a small heap, and no larger one.
test_the_limit_of_a_small_heap if {
	every heap, limit in {2: 128, 16: 192, 60: 256, 64: 256, 100: 320, 384: 960} {
		found := memory.smallest_limit_mib(model([sprintf("-Xmx%vm", [heap])], "4Gi", ""))
		found == limit
	}
}

# The measured peak may ask for more than the flags do, in steps, and only where they pass.
test_a_limit_with_room_for_the_peak if {
	every peak, limit in {1: 1728, 1382: 1728, 1383: 1792, 2000: 2560} {
		j := model(["-Xmx1g"], "1Gi", "")
		found := memory.sufficient_limit_mib(j) with memory.peak as {"app": {"bytes": peak * 1048576}}
		found == limit
	}
	greedy := model(["-XX:MaxRAMPercentage=99.0"], "1Gi", "")
	memory.sufficient_limit_mib(greedy) == 0 with memory.peak as {"app": {"bytes": 2147483648}}
	memory.limit_of_peak_mib({"name": "other"}) == 0
}

limit_of_peak(share) := mib if {
	mib := memory.limit_of_peak_mib({"name": "app"}) with data.headroom.memory.peak as {"app": {"bytes": 1048576}}
		with data.headroom.config.settings as {"memory": {"peak": share}}
}

test_a_peak_that_may_be_no_share_of_the_limit_asks_for_nothing if {
	limit_of_peak(1) == 1
	limit_of_peak(0.9) == 2
	limit_of_peak(0.001) == 1000
	limit_of_peak(0.0004) == 0
	limit_of_peak(0) == 0
	limit_of_peak(-1) == 0
}

# The JVM rounds a heap up to whole regions, of 8 MiB here: what is advised is such a heap.
test_the_largest_heap_in_whole_regions if {
	every row in [
		{"flags": [], "limit": 16384, "step": 8, "facts": ""},
		{"flags": [], "limit": 12288, "step": 8, "facts": "version=21"},
		{"flags": ["-XX:+UseShenandoahGC"], "limit": 16384, "step": 4, "facts": ""},
		{"flags": ["-XX:+UseParallelGC"], "limit": 16384, "step": 2, "facts": ""},
		{"flags": [], "limit": 4096, "step": 2, "facts": ""},
	] {
		limit := sprintf("%dMi", [row.limit])
		j := model(array.concat(["-Xmx12g"], row.flags), limit, row.facts)
		largest := memory.largest_heap_mib(j, row.limit)
		largest % row.step == 0
		passing := budget(array.concat([sprintf("-Xmx%vm", [largest])], row.flags), limit, row.facts)
		passing.total_mib <= memory.allowed(row.limit)
	}
}

test_the_largest_percentage_in_whole_regions if {
	every limit in [16384, 40960, 65536] {
		percent := memory.largest_percentage(model([], sprintf("%dMi", [limit]), ""), limit)
		percent > 25
		passing := budget([sprintf("-XX:MaxRAMPercentage=%v.0", [percent])], sprintf("%dMi", [limit]), "")
		passing.total_mib <= memory.allowed(limit)
	}
}
