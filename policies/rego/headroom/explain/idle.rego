package headroom.explain

import data.headroom.runtime.jvm

# why_idle says why a flag that nothing overrides has no effect; "" where it has one.
why_idle(j, name) := _idle_share(j, name) if {
	name in _shares
} else := sprintf("%s has no such threads", [jvm.collector_text(j)]) if {
	name == "ParallelGCThreads"
	j.gc in jvm.single_threaded
} else := sprintf("%s has no concurrent threads", [jvm.collector_text(j)]) if {
	name == "ConcGCThreads"
	not j.gc in jvm.concurrent_collectors
} else := "0 asks for the default" if {
	name == "ThreadStackSize"
	jvm.stack_size(j.flags).flag == ""
} else := "no compiler runs" if {
	name == "CICompilerCount"
	not j.compiler_threads.set
} else := ""

_shares := {"MaxRAMPercentage", "MaxRAMFraction", "MinRAMPercentage", "MinRAMFraction"}

# Of what could set the maximum heap, one does (J6).
_idle_share(j, name) := "" if {
	j.heap.flag == name
} else := sprintf("%s wins, in whatever order they stand", [jvm.origin(j, "MaxHeapSize")]) if {
	j.flags.MaxHeapSize
} else := sprintf("%s is more, and lifts the maximum heap", [jvm.origin(j, "InitialHeapSize")]) if {
	j.heap.flag == "InitialHeapSize"
} else := sprintf("%s wins, in whatever order they stand", [jvm.origin(j, newer)]) if {
	newer := replace(name, "Fraction", "Percentage")
	newer != name
	j.flags[newer]
} else := sprintf("on %s it is MinRAMPercentage that decides%s", [_little(j), _by_default(j)]) if {
	startswith(name, "Max")
} else := "it decides only on little memory, less than 250 MiB by default"

_little(j) := sprintf("as little memory as %v MiB", [bits.rsh(j.memory, 20)])

_by_default(j) := ", 50 % by default" if {
	j.heap.flag == ""
} else := sprintf(", here %s", [jvm.origin(j, j.heap.flag)])
