package headroom.advice_test

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

bare := {"c": {"memory_limit": 1}, "flags": {}, "numbers": {}, "heap": {"bytes": 0, "percent": 0}}

# way is the heap that is advised where so many percent and so many MiB are the most that pass.
way(j, percent, heap_mib) := text if {
	text := advice.heap_way(j, 100) with memory.largest_percentage as percent with memory.largest_heap_mib as heap_mib
}

test_the_largest_heap_by_the_flag_that_decides if {
	set := object.union(bare, {"flags": {"MaxHeapSize": {}}})
	unseen := object.union(bare, {"c": {"memory_limit": 0}})
	every case in [
		[bare, 2, 9, "at most -XX:MaxRAMPercentage=2.0 (-Xmx9m) under this limit"],
		[bare, 1, 9, "at most -XX:MaxRAMPercentage=1.0 (-Xmx9m) under this limit"],
		[bare, 0, 2, "at most -Xmx2m under this limit"],
		[bare, 0, 1, "at most -Xmx1m under this limit"],
		[bare, 0, 0, ""],
		[set, 2, 9, "at most -Xmx9m under this limit"],
		[set, 2, 0, ""],
		[unseen, 2, 9, "at most -Xmx9m under this limit"],
	] {
		way(case[0], case[1], case[2]) == case[3]
	}
}

test_figures_of_what_passes if {
	figures := advice.passing(bare, 100) with memory.largest_percentage as 2
		with memory.largest_heap_mib as 3
		with memory.smallest_limit_mib as 4
	figures == {"passing_max_ram_percentage": 2, "passing_heap_mib": 3, "passing_limit_mib": 4}
	advice.largest_share(object.union(bare, {"c": {"memory_limit": 0}}), 100) == 0 with memory.largest_percentage as 2
}

limit_said(j, mib, mib_with_xmx) := text if {
	text := advice.limit_way(j, 100) with memory.smallest_limit_mib as mib
		with advice.with_flags as {"xmx": mib_with_xmx}
} else := "none"

test_the_smallest_limit_in_proportion if {
	share := object.union(bare, {"heap": {"bytes": 1048577, "percent": 1}})
	set := object.union(bare, {"flags": {"MaxHeapSize": {}}})
	every case in [
		[share, 200, "limits.memory of 200Mi"],
		[share, 1, "limits.memory of 1Mi"],
		[share, 201, "-Xmx2m and limits.memory of 201Mi"],
		[share, 0, ""],
		[object.union(share, {"heap": {"percent": 0}}), 1, "-Xmx2m and limits.memory of 1Mi"],
		[object.union(share, {"heap": {"percent": 0}}), 0, ""],
		[set, 900, "limits.memory of 900Mi"],
		[set, 1, "limits.memory of 1Mi"],
		[set, 0, ""],
	] {
		limit_said(case[0], case[1], 0) == case[2]
	}
}

test_no_flags_more_change_nothing if {
	advice.with_flags({"c": "its container"}, []) == {"c": "its container"} with jvm.changed as "another"
	advice.with_flags({"c": "its container"}, ["-Xmx1m"]) == "another" with jvm.changed as "another"
}

# caps_with are the caps that are advised where a heap of so many MiB passes without any.
caps_with(heap_mib, limit_mib) := caps if {
	caps := advice.heap_caps(bare, limit_mib) with memory.largest_heap_mib as heap_mib
		with advice.direct_cap as ["-Xa"]
		with advice.all_caps as ["-Xa", "-Xb"]
		with jvm.changed as {}
		with memory.code_cache as {"mib": 128}
} else := "none"

test_caps_that_make_room if {
	every case in [[25, 100, []], [24, 100, []], [1, 100, []], [0, 100, "none"]] {
		caps_with(case[0], case[1]) == case[2]
	}
}

# The code cache of one compiler is no larger than the cap.
test_what_is_capped_beside_direct_memory if {
	every mib, wanted in {
		128: ["-Xss512k"],
		129: ["-XX:ReservedCodeCacheSize=128m", "-Xss512k"],
	} {
		advice.all_caps(bare) == wanted with memory.capped as {"flag": ""} with memory.code_cache as {"mib": mib}
	}
	own := object.union(bare, {"flags": {"ReservedCodeCacheSize": {}, "ThreadStackSize": {}}})
	advice.all_caps(own) == ["-Xa"] with memory.capped as {"flag": " with -Xa"} with memory.code_cache as {"mib": 240}
}
