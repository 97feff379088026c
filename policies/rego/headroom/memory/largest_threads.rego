package headroom.memory

import data.headroom.runtime.jvm

# largest_threads is how many threads pass under a limit, with everything else as it is; 0 for none.
largest_threads(j, limit_mib) := max([0, min([most_threads, floor((mib * 1048576) / size)])]) if {
	size := used_of_stack(jvm.stack_size(j.flags).bytes)
	others := total_mib(j, j.heap.bytes) - stacks(j).mib
	mib := floor(allowed(limit_mib) - others)
}

# No annotation can say more.
most_threads := 9999999
