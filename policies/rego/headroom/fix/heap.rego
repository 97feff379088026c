package headroom.fix

import data.headroom.cpu
import data.headroom.memory
import data.headroom.runtime.jvm
import data.headroom.workload

# heap_share is the fix that gives a JVM without a maximum heap the share of its limit that fits, and caps direct memory
# at what it may take already. The share is never less than the 25 % that it takes by itself.
heap_share(j, limit_mib) := [flags(j, share.flags) |
	memory.sees_limit(j)
	not limit_changes(j.c)
	not capped_first(j.c)
	not _shared(j)
	memory.unbounded(j) == "" # it may take what the heap would
	share := memory.fitting_share(j, limit_mib)
	share.percent >= memory.least_share
	jvm.may_inject(j, share.flags)
	not worsens(j, share.flags)
]

# The budget is that of one JVM with a limit to itself. A script that starts two gives each
# its share, and where the Pod has a limit, other containers take theirs of the same memory.
_shared(_) if {
	workload.pod_level.memory.limit > 0
	count(cpu.running) > 1
}

_shared(j) if {
	some other in j.command.others
	other.beside
}

_shared(j) if {
	j.command.beside
	count(j.command.others) > 0
}
