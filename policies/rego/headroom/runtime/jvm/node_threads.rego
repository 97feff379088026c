package headroom.runtime.jvm

# threads_harm is what comes of more threads than a container's CPU can run: without a limit, nothing
# throttles them.
threads_harm(c) := "throttled" if {
	c.cpu_limit > 0
} else := "threads"

# threads_taken says how many threads a JVM takes by itself, of_node where its node decides.
threads_taken(j, _, of_node) := of_node if j.processors == 0

threads_taken(j, threads, _) := sprintf("%v on the %s it counts (%s)", [
	threads,
	plural(j.processors, "processor"),
	j.processors_source,
]) if {
	j.processors > 0
}

# threads_of_node says what a JVM starts that counts all cores of its node.
threads_of_node(j) := _started(_threads_on_64(j))

_started([]) := "The JVM sizes its pools of threads to the node's cores."

_started(threads) := sprintf("The JVM starts threads for all cores of the node: %s on 64.", [listed(threads)]) if {
	count(threads) > 0
}

# What no flag sets, and what does not follow from one.
_threads_on_64(j) := [sprintf("%v %s", [n, kind]) |
	some [kind, n] in [["collector", parallel], ["concurrent", concurrent], ["compiler", compilers]]
	n > 1
] if {
	gc := {true: 1, false: 0}[gc_known(j)]
	on_64 := parallel_threads(j.flags, j.numbers, j.gc, 64, j.heap.bytes).value
	parallel := (on_64 * _free(j.parallel_gc_threads)) * gc
	concurrent := (default_concurrent(j.gc, parallel, 64, j.heap.bytes) * _free(j.conc_gc_threads)) * gc
	compilers := default_compilers(j.flags, j.numbers, j.version, 64) * _free(j.compiler_threads)
}

_free(threads) := 0 if threads.set

_free(threads) := 1 if not threads.set
