package headroom.memory

import data.headroom.runtime.jvm

# largest_threads is how many threads pass under a limit, with everything else as it is; 0 for none.
largest_threads(j, limit_mib) := max(array.concat([0], [threads |
	size := jvm.stack_size(j.flags).bytes
	others := total_mib(j, j.heap.bytes) - stacks(j).mib
	room := floor(allowed(limit_mib) - others)
	some mib in [room + 1, room, room - 1]
	mib > 0
	others + mib <= allowed(limit_mib)
	threads := min([most_threads, floor((mib * 1048576) / size)])
]))

# No annotation can say more.
most_threads := 9999999
