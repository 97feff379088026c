package headroom.cpu

import data.headroom.config
import data.headroom.duration
import data.headroom.runtime.jvm
import data.headroom.runtime.workers
import data.headroom.workload

# gc_bursts are the collections of known JVMs that use more CPU time than the quota of
# their container grants in a period (T2): {id, gc_threads, pause_ms, quota_ms, used_ms,
# throttle_ms, stall_ms, text}.
gc_bursts := [object.union(spent, {
	"id": c.id,
	"pause_ms": pause.ms,
	"text": sprintf("A garbage collection on %s (%s) for %v ms (%s) takes %v × %v = %v ms, %v ms more: %s, %s.", [
		plural(spent.gc_threads, "thread"),
		gc_threads(j)[1],
		pause.ms,
		pause.text,
		spent.gc_threads,
		pause.ms,
		spent.used_ms,
		spent.throttle_ms,
		"the container stands still",
		sprintf("and the pause becomes one of %v ms", [spent.stall_ms]),
	]),
}) |
	some j in jvm.jvms
	c := workload.containers[j.c.id]
	c.role != "init"
	spent := gc_burst(j)
	pause := gc_pause(j)
]

# gc_burst is {gc_threads, quota_ms, used_ms, throttle_ms, stall_ms} of a JVM whose collection
# uses more than its quota; undefined for others.
gc_burst(j) := object.union(spent, {"gc_threads": threads, "quota_ms": quota}) if {
	j.c.cpu_limit > 0
	[threads, _] := gc_threads(j)
	threads > 0
	count_is_known(j)
	quota := quota_ms(j.c.cpu_limit, 100)
	spent := burst(threads, gc_pause(j).ms, quota)
	spent.throttle_ms > 0
}

# gc_threads are [how many, what says it]: the serial collector is one thread, whatever ParallelGCThreads says.
gc_threads(j) := [1, "the serial collector"] if {
	j.gc == "Serial"
} else := [j.parallel_gc_threads.value, concat(", ", ["ParallelGCThreads", j.parallel_gc_threads.source])]

# count_is_known: a Secret may hold the flag, and a default would then be a guess.
count_is_known(j) if j.parallel_gc_threads.set

count_is_known(j) if not j.secret

# gc_pause is how long a collection takes: {ms, text}.
gc_pause(j) := {"ms": j.facts.pause, "text": sprintf("by jvm.headroom.dev/%s", [j.container])} if {
	j.facts.pause > 0
} else := {"ms": _default_pause, "text": "assumed"}

# gcPause of the config; one that cannot be read is the linter's to refuse.
_default_pause := max([duration.ms(config.settings.jvm.gcPause), 0])

# pool_bursts are the worker pools that, when all of their workers are busy, use the quota
# up before its period ends (T12): {id, workers, cores_per_worker, quota_ms, used_ms, stall_ms, text}.
pool_bursts := [{
	"id": c.id,
	"workers": pool.workers,
	"cores_per_worker": pool.k,
	"quota_ms": quota,
	"used_ms": busy * 100,
	"stall_ms": frozen.frozen_ms,
	"text": sprintf("With %s (%s) busy%s, that is used up in %v ms, and everything stands still for the other %v ms.", [
		plural(pool.workers, pool_nouns[pool.per]),
		pool.source,
		_cores_each(pool),
		tenths(frozen.at_ms),
		tenths(frozen.frozen_ms),
	]),
} |
	some pool in workers.pools
	c := workload.containers[pool.c.id]
	c.cpu_limit > 0
	c.role != "init"
	busy := pool.workers * pool.k
	busy > 0
	quota := quota_ms(c.cpu_limit, 100)
	frozen := first_throttle(busy, quota, 100)
	frozen.frozen_ms > 0
]

# pool_nouns says what a worker of each kind is called.
pool_nouns := {"process": "worker", "thread": "thread"}

_cores_each(pool) := ", each on one core (assumed)" if pool.assumed

_cores_each(pool) := sprintf(", each on %v", [plural(pool.k, "core")]) if not pool.assumed

# quota_words say what a container's limit grants.
quota_words(c) := sprintf("%s: %v ms of CPU time in each 100 ms, for all of its threads together.", [
	sentence(limit_words(c)),
	quota_ms(c.cpu_limit, 100),
])

# tenths is a figure to one decimal place, for messages.
tenths(x) := round(x * 10) / 10

plural(1, what) := concat(" ", ["1", what])

plural(n, what) := sprintf("%v %ss", [n, what]) if n != 1
