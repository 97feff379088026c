package headroom.memory_test

import data.headroom.memory
import data.headroom.runtime.jvm

# threads_passing are the threads that pass where so much is taken and so much allowed.
threads_passing(taken, allowed, stack_bytes) := threads if {
	threads := memory.largest_threads({"heap": {"bytes": 0}, "flags": {}}, 1) with memory.total_mib as taken
		with memory.stacks as {"mib": 2}
		with memory.allowed as allowed
		with jvm.stack_size as {"bytes": stack_bytes}
}

test_the_largest_number_of_threads_at_its_bounds if {
	every case in [
		[12, 11, 131072, 8],
		[12, 11, 1048576, 8],
		[12, 11.9, 1048576, 8],
		[12, 10.9, 1048576, 0],
		[12, 10, 1048576, 0],
		[12, 3, 1048576, 0],
		[12, 11, 131071, 8],
		[12, 11, 65536, 16],
		[12, 9765634, 1024, 9999999],
	] {
		threads_passing(case[0], case[1], case[2]) == case[3]
	}
}

# What is the same in all of its regions passes exactly at the headroom that is left free.
test_what_fits_is_what_is_allowed if {
	memory.allowed(100) == 80
	memory.allowed(5120) == 4096
	memory.allowed(5122) == 4098
	memory.allowed(25600) == 24576
	memory.allowed(25600) == 23552 with data.headroom.overrides as {"memory": {"headroomAtMost": "2Gi"}}
	memory.allowed(25600) == 24576 with data.headroom.overrides as {"memory": {"headroomAtMost": "much"}}
	memory.allowed(100) == 50 with data.headroom.overrides as {"memory": {"headroom": 0.5}}
	memory.fits({}, 100, 0) with memory.total_mib as 80
	not memory.fits({}, 100, 0) with memory.total_mib as 81
	memory.total_mib(model(chapter, "4096Mi", declared), 1) == 394
	memory.total_mib(model(chapter, "4096Mi", declared), 1048577) == 395
}

# A pool of what is declared grows with the heap alone. Else the collector's part of 4 % does, too, and
# direct memory as much as the heap, up to what is usual.
test_the_largest_heap_exactly if {
	every case in [
		[chapter, 678, declared, 108],
		[chapter, 681, declared, 108],
		[chapter, 682, declared, 110],
		[chapter, 4096, declared, 2734],
		[chapter, 4096, "threads=200", 2638],
		[["-XX:+UseSerialGC"], 365, "", 126],
		[["-XX:+UseSerialGC"], 400, "", 142],
		[["-XX:+UseSerialGC"], 480, "", 178],
		[["-XX:+UseSerialGC"], 524, "", 198],
		[["-XX:+UseSerialGC"], 525, "", 200],
		[["-XX:+UseSerialGC"], 528, "", 200],
		[["-XX:+UseSerialGC"], 2048, "", 1282],
		[[], 4096, "", 2816],
		[[], 8192, "", 6556],
	] {
		heap(case[0], case[1], case[2]) == case[3]
	}
}

heap(flags, limit_mib, facts) := memory.largest_heap_mib(model(flags, "4096Mi", facts), limit_mib)

# percentage is the largest that passes where the largest heap is so many MiB and the JVM sees so many bytes.
percentage(heap_mib, seen, flag) := percent if {
	j := {"c": {"memory_limit": 1048576}, "flags": {}, "numbers": {}, "gc": "Serial", "version": 0}
	percent := memory.largest_percentage(j, 1) with memory.largest_heap_mib as heap_mib
		with jvm.seen_memory as seen
		with jvm.max_heap as {"flag": flag, "bytes": 0}
		with memory.fits as true
}

test_the_largest_percentage_at_its_bounds if {
	every case in [
		[50, 104857600, "MaxRAMPercentage", 50],
		[1, 104857600, "MaxRAMPercentage", 1],
		[1, 104857601, "MaxRAMPercentage", 0],
		[0, 104857600, "MaxRAMPercentage", 0],
		[50, 104857600, "InitialHeapSize", 50],
		[50, 104857600, "MinRAMPercentage", 0],
		[900, 104857600, "MaxRAMPercentage", 100],
		[0, 0, "MaxRAMPercentage", 0],
	] {
		percentage(case[0], case[1], case[2]) == case[3]
	}
}

# What the JVM rounds up may not pass, and one or two percent less do.
test_a_little_less_passes if {
	j := {"c": {"memory_limit": 1048576}, "flags": {}, "numbers": {}, "gc": "Serial", "version": 0}
	every most, wanted in {50: 50, 49: 49, 48: 48, 47: 0} {
		percent := memory.largest_percentage(j, most) with memory.largest_heap_mib as 50
			with jvm.seen_memory as 104857600
			with jvm.max_heap as heap_of_share
			with memory.fits as no_more
		percent == wanted
	}
}

heap_of_share(flags, _, _) := {
	"flag": "MaxRAMPercentage",
	"bytes": to_number(trim_suffix(flags.MaxRAMPercentage.value, ".0")),
}

no_more(_, most, bytes) if bytes <= most

# The limit itself need not be whole MiB: then it counts to the byte.
test_what_a_share_is_taken_of if {
	odd := {"c": {"memory_limit": 419430400 + 1048575}, "flags": {}, "numbers": {}, "gc": "Serial", "version": 0}
	memory.heap_at_percentage(odd, 400, 50).bytes > memory.heap_at_percentage(odd, 401, 49).bytes
	at := object.union(odd, {"c": {"memory_limit": 419430400}, "flags": {"MaxHeapSize": {"value": "1m"}}})
	memory.heap_at_percentage(at, 400, 50).flag == "MaxRAMPercentage"
	memory.heap_at_percentage(at, 400, 50).bytes == 209715200
	memory.heap_at_percentage(at, 800, 50).bytes == 419430400
}

# fitting is the share that fits where the largest heap is so many MiB, and less than half of the limit fits.
fitting(heap_mib, limit_mib) := share if {
	j := {"c": {"memory_limit": limit_mib * 1048576}}
	share := memory.fitting_share(j, limit_mib) with memory.largest_heap_mib as heap_mib
		with memory.fits as less_than_half
		with memory.with_all_direct_mib as 0
} else := "none"

less_than_half(j, _, bytes) if bytes < j.c.memory_limit / 2

test_shares_that_fit if {
	every case in [[499, 49], [490, 49], [489, 48], [0, 0]] {
		fitting(case[0], 1000) == {
			"flag": sprintf("-XX:MaxRAMPercentage=%d.0", [case[1]]),
			"flags": [sprintf("-XX:MaxRAMPercentage=%d.0", [case[1]])],
			"percent": case[1],
		}
	}
	fitting(500, 1000) == "none"
	fitting(900, 1000) == "none"
}

test_the_heap_of_a_share_is_what_has_to_fit if {
	share(1024, 536870912) == 50
	share(1024, 536870911) == "none"
}

# share is the configured one where the budget has room for a heap of so many bytes.
share(limit_mib, bytes) := found.percent if {
	j := {"c": {"memory_limit": limit_mib * 1048576}}
	found := memory.fitting_share(j, limit_mib) with memory.total_mib as total_of
		with memory.allowed as bytes
		with memory.largest_heap_mib as limit_mib
		with memory.with_all_direct_mib as 0
} else := "none"

total_of(_, bytes) := bytes
