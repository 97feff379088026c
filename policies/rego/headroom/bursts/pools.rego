package headroom.bursts

import data.headroom.cpu
import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.workers
import data.headroom.workload

# pool_bursts are what worker pools make of the quota when all of their workers are busy (T12): {id,
# workers, cores_per_worker, quota_ms, used_ms, throttle_ms, stall_ms, certain, text}. Of workers that may wait for
# I/O nothing is certain.
pool_bursts := [{
	"id": c.id,
	"workers": pool.workers,
	"cores_per_worker": pool.k,
	"quota_ms": quota,
	"used_ms": busy * 100,
	"throttle_ms": frozen.frozen_ms,
	"stall_ms": frozen.frozen_ms,
	"certain": [pool.assumed, frozen.frozen_ms > 0] == [false, true],
	"text": sprintf("With %s (%s) busy%s, %s", [
		cpu.plural(pool.workers, pool_nouns[pool.per]),
		pool.source,
		_cores_each(pool),
		_pool_outcome(busy, frozen),
	]),
} |
	some pool in workers.pools
	c := workload.containers[pool.c.id]
	c.cpu_limit > 0
	c.role != "init"
	busy := pool.workers * pool.k
	busy > 0
	quota := cpu.quota_ms(c.cpu_limit, 100)
	frozen := cpu.first_throttle(busy, quota, 100)
]

_pool_outcome(_, frozen) := sprintf("that is used up in %v ms, and all of them are throttled for the other %v ms.", [
	cpu.tenths(frozen.at_ms),
	cpu.tenths(frozen.frozen_ms),
]) if {
	frozen.frozen_ms > 0
}

_pool_outcome(busy, frozen) := sprintf("they use %v ms: the limit has room for that.", [cpu.tenths(busy * 100)]) if {
	frozen.frozen_ms <= 0
}

# pool_nouns says what a worker of each kind is called.
pool_nouns := {"process": "worker", "thread": "thread"}

_cores_each(pool) := ", each on one core (assumed)" if pool.assumed

_cores_each(pool) := sprintf(", each on %v", [cpu.plural(pool.k, "core")]) if not pool.assumed

# crowded is how severe it is that a container's workers, all of them busy, want more than its cores:
# "warning" or "info"; undefined if they do not. The number of workers that a server starts by itself
# is not a mistake of the user, unless an annotation says what one of them needs.
crowded(pool, c) := "warning" if {
	c.cpu_limit > 0
	workers.needed(pool) > c.cpu_limit
	_chosen(pool)
	not _usual_for_waiting(pool, c)
} else := "info" if {
	c.cpu_limit > 0
	workers.needed(pool) > c.cpu_limit
	_chosen(pool)
} else := "info" if {
	# Nothing throttles without a limit: the workers share what the node has left.
	c.cpu_limit == 0
	cpu.average[c.id].milli > 0
	workers.needed(pool) > cpu.cores_of(c) * 1000
	_chosen(pool)
}

_chosen(pool) if not pool.assumed

_chosen(pool) if pool.workers > pool.usual

# Workers that mostly wait share a core: the servers' own manuals advise twice the cores and one, and
# up to four times them.
_usual_for_waiting(pool, c) if {
	pool.assumed
	pool.workers * 1000 <= max([4 * c.cpu_limit, (2 * c.cpu_limit) + 1000])
}

# far_above_peak says that a limit is so far above a measured peak, and above the request, that it stops no
# runaway. That is more than twice, the room that a batch container has above its average. Where the limit is
# also what threads are counted by, another limit is another program.
far_above_peak(c, request) if {
	cpu.peak[c.id] > 0
	c.cpu_limit > 2 * max([cpu.peak[c.id], request])
	not _counts_by_limit(c)
}

_counts_by_limit(c) if jvm.jvms[_].c.id == c.id

_counts_by_limit(c) if go.gos[_].c.id == c.id

_counts_by_limit(c) if workers.pools[_].c.id == c.id
