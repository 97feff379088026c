package headroom.diagnose

# Heap and threads are stable where two looks differ by at most 2 % (M2). Of one look nothing is said.

# heap_trend is said after the heap's figures.
heap_trend := sprintf(" No collection since the look %s: whether it is stable is not known.", [_first_look]) if {
	number(input.read.perf_before.heap_after_gc)
	input.read.perf.collections == input.read.perf_before.collections
} else := sprintf(" %s it was %s: %s.", [_at_first_look, mib(was), moved]) if {
	was := number(input.read.perf_before.heap_after_gc)
	alive := number(input.read.perf.heap_after_gc)
	input.read.perf.collections > number(input.read.perf_before.collections)
	moved := _moved(alive, was, most_heap, mib(abs(alive - was)))
} else := ""

# threads_trend is said after the number of threads.
threads_trend := sprintf(" %s it had %v: %s.", [_at_first_look, was, moved]) if {
	was := positive(input.read.threads_before)
	now := positive(input.read.threads)
	moved := _moved(now, was, was, sprintf("%v", [abs(now - was)]))
} else := ""

_moved(now, was, whole, _) := "stable" if abs(now - was) * 100 <= whole * percent.stable

_moved(now, was, whole, by) := sprintf("%s more; look again over a longer --interval", [by]) if {
	(now - was) * 100 > whole * percent.stable
}

_moved(now, was, whole, by) := sprintf("%s less", [by]) if (was - now) * 100 > whole * percent.stable

_first_look := sprintf("%v s before", [input.read.seconds]) if {
	positive(input.read.seconds)
} else := "before"

_at_first_look := sprintf("%v s before", [input.read.seconds]) if {
	positive(input.read.seconds)
} else := "At the first look"
