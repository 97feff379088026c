package headroom.diagnose

import data.headroom.words

# most_heap is the maximum heap in bytes: the flag's, else the counters'.
most_heap := [bytes |
	some [file, key] in [["flags", "MaxHeapSize"], ["perf", "heap_max"], ["heap_info", "max"]]
	bytes := positive(input.read[file][key])
][0]

# heap_holds is [bytes, in words]: all that the heap holds, garbage included, is the most that
# can be alive.
heap_holds := [bytes, sprintf("the heap holds %s of %s, garbage included", [mib(bytes), mib(most_heap)])] if {
	bytes := [n |
		some [file, key] in [["perf", "heap_used"], ["heap_info", "used"]]
		n := number(input.read[file][key])
	][0]
}

# heap after the last collection. Its use with garbage is enough to pass, and not to fail.
heap := judged("heap-after-gc", alive * 100, most_heap * percent.heap, share(alive, most_heap), message, fix) if {
	positive(input.read.perf.collections)
	alive := number(input.read.perf.heap_after_gc)
	message := sprintf("After the last collection %s of %s were in use.%s", [mib(alive), mib(most_heap), heap_trend])
	fix := "Give the heap more, and the limit with it (M1), or find what holds on to so much."
} else := verdict("heap-after-gc", "ok", concat(" ", ["at most", share(heap_holds[0], most_heap)]), message, "") if {
	heap_holds[0] * 100 < most_heap * percent.heap
	message := sprintf("%s.", [words.capital(heap_holds[1])])
} else := unknown("heap-after-gc", heap_holds[1], _heap_tells) if {
	heap_holds
} else := unknown("heap-after-gc", why(["PerfCounter.print", "GC.heap_info"]), _heap_tells)

_heap_tells := "PerfCounter.print after a collection tells, and so does a GC log."

metaspace := judged("metaspace", size, most_metaspace, mib(size), message, fix) if {
	size := [n | some file in ["perf", "heap_info"]; n := number(input.read[file].metaspace)][0]
	message := sprintf("Class metadata takes %s.", [mib(size)])
	fix := "Look for class loaders that are never freed; MaxMetaspaceSize bounds what they take."
} else := unknown("metaspace", why(["PerfCounter.print", "GC.heap_info"]), "`jcmd PID GC.heap_info` tells.")

# threads of the JVM's process, its own included; else those of all processes in the container,
# which is enough to pass.
threads := judged("threads", n, most_threads, sprintf("%v", [n]), message, fix) if {
	n := positive(input.read.threads)
	message := sprintf("The JVM's process has %v threads, the JVM's own among them.%s", [n, threads_trend])
	fix := "Bound the pools: each thread may take a stack (Xss), and the budget counts it (M1)."
} else := verdict("threads", "ok", sprintf("at most %v", [n]), message, "") if {
	n := number(input.read.pids)
	n < most_threads
	message := sprintf("All processes of the container have %v threads together.", [n])
} else := unknown("threads", why(["status", "pids.current"]), "/proc/PID/status of the JVM tells.")
