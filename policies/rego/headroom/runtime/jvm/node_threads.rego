package headroom.runtime.jvm

import data.headroom.config
import data.headroom.nodes

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
threads_of_node(j) := _started(_threads_on(j, _cores), _cores)

_cores := nodes.cores_or(64)

# few_on_nodes says that no node has more cores than what a JVM may count: twice its own.
few_on_nodes(j) if {
	j.processors == 0
	config.settings.nodes.cores > 0
	_cores <= 2 * cores(j)
}

# parallel_on and compilers_on are how many threads a JVM takes on nodes, in an example for each of them.
parallel_on := sprintf("%v on %v", [own_threads(n), n]) if {
	n := nodes.cores_or(32)
}

compilers_on(j) := concat(", ", [sprintf("%v on %v", [default_compilers(j.flags, j.numbers, j.version, n), n]) |
	some n in _examples
])

_examples := [8, 32, 64] if config.settings.nodes.cores <= 0

_examples := [_cores] if config.settings.nodes.cores > 0

_started([], _) := "The JVM sizes its pools of threads to the node's cores."

_started(threads, cores) := sprintf("The JVM starts threads for all cores of the node: %s threads on %v cores.", [
	listed(threads),
	cores,
]) if {
	count(threads) > 0
}

# What no flag sets, and what does not follow from one.
_threads_on(j, cores) := [sprintf("%v %s", [n, kind]) |
	some [kind, n] in [["collector", parallel], ["concurrent", concurrent], ["compiler", compilers]]
	n > 1
] if {
	gc := {true: 1, false: 0}[gc_known(j)]
	sized := sized_as(j.gc, j.version)
	by_itself := parallel_threads(j.flags, j.numbers, sized, cores, j.heap.bytes).value
	parallel := (by_itself * _free(j.parallel_gc_threads)) * gc
	concurrent := (default_concurrent(sized, parallel, cores, j.heap.bytes) * _free(j.conc_gc_threads)) * gc
	compilers := default_compilers(j.flags, j.numbers, j.version, cores) * _free(j.compiler_threads)
}

_free(threads) := 0 if threads.set

_free(threads) := 1 if not threads.set
