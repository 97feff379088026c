package headroom.fix

import data.headroom.bursts
import data.headroom.cpu
import data.headroom.memory
import data.headroom.runtime.jvm

# complaints are what the rules have to say of a JVM, as far as its processors, threads and
# heap go, as [rule, weight of its severity]. tests/integration/fix holds them to the rules themselves.
complaints(j) := union({
	_thread_complaints(j),
	{["HR210", 2] | not cpu.row[j.c.id].limit == "none"; bursts.throttled_collection(j)},
	{["HR303", weight] | weight := _budget_weight(j, memory.budget(j))},
	{["memory", mib] | mib := _too_much(memory.budget(j))},
	{["HR304", _weights[jvm.firm(j, j.heap.flag, "error")]] | j.c.memory_limit > 0; j.heap.bytes >= j.c.memory_limit},
	{[sprintf("HR409 %v", [refusal]), 3] | some refusal in jvm.refused_by(j)},
})

# worse says whether there is a complaint afterwards that was not there, or was less severe. Infos do not count:
# another collector brings those that speak of its own threads.
worse(before, after) if {
	some [rule, weight] in after
	weight > 1
	max(array.concat([0], [known | some [name, known] in before; name == rule])) < weight
}

_thread_complaints(j) := set() if {
	j.c.role == "init"
} else := union({
	{["HR402", weight] | not j.flags.ActiveProcessorCount; j.c.cpu_limit == 0; weight := _uncounted_weight(j)},
	{["HR402", 3] | j.processors > 2 * jvm.cores(j)},
	{["HR403", weight] | weight := _parallel_weight(j)},
	{["HR404", weight] | weight := _concurrent_weight(j)},
	{["HR405", 2] | j.flags.CICompilerCount; jvm.cores(j) > 0; j.compiler_threads.value > max([2, jvm.cores(j)])},
})

# No node gives it many processors, or it counts the node's.
_uncounted_weight(j) := 1 if jvm.few_on_nodes(j)

_uncounted_weight(j) := 2 if not jvm.few_on_nodes(j)

_parallel_weight(j) := _weight_of(j, j.parallel_gc_threads, fits) if {
	not j.gc in jvm.single_threaded
	_advised(j, j.parallel_gc_threads)
	room := jvm.thread_room(j)
	fits := jvm.threads_fit(j.parallel_gc_threads.value, room)
	_judged(j.parallel_gc_threads, min([j.parallel_gc_threads.value, room.cores]))
}

_concurrent_weight(j) := _weight_of(j, j.conc_gc_threads, fits) if {
	j.gc in jvm.concurrent_collectors
	_advised(j, j.conc_gc_threads)
	fits := _concurrent_fits(j)
	not jvm.takes_half(j)
	_parallel_judged(j)
}

# What an adaptive collector picks by itself is left alone.
_advised(_, threads) if threads.set

_advised(j, _) if not j.gc in jvm.adaptive

# What the JVM picks is held against what it has, what a flag sets against what HR403 wants beside it.
_concurrent_fits(j) := j.conc_gc_threads.value <= jvm.half(j.parallel_gc_threads.value) if not j.conc_gc_threads.set

_concurrent_fits(j) := j.conc_gc_threads.value <= jvm.half(jvm.wanted_parallel(j)) if j.conc_gc_threads.set

_parallel_judged(j) if not j.conc_gc_threads.set

_parallel_judged(j) if jvm.parallel_known(j)

# What a flag sets is only held against a number that is known.
_judged(threads, _) if not threads.set

_judged(_, known) if known > 0

# A number that is right is no complaint if a flag sets it. It is an info if the JVM picks it, or picks it
# only under a limit that HR202 wants away, or no node gives it many.
_weight_of(j, threads, fits) := 1 if {
	not threads.set
	fits
	j.processors > 0
} else := 1 if {
	not threads.set
	jvm.passing_size(j)
} else := 1 if {
	not threads.set
	jvm.few_on_nodes(j)
} else := 2 if {
	[threads.set, fits] != [true, true]
}

_budget_weight(j, budget) := _weights[jvm.firm(j, "", memory.severity(budget))] if {
	budget.complete
	j.c.role != "init"
	j.heap.bytes < j.c.memory_limit
}

_weights := {"error": 3, "warning": 2, "info": 1}

# Where there is too little memory already, any more is worse: a JVM with a second processor
# takes a collector that needs some.
_too_much(budget) := budget.total_mib if {
	budget.complete
	budget.total_mib > memory.allowed(budget.limit_mib)
}
