package headroom.cpu

import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.runtime.workers

# A pool of threads that all draw on one quota (T12).

# finish_ms is when a pool is done in which every thread has that much work to do, all
# starting with a period. The periods before the last use the quota up and end frozen; in
# the last one the threads share what is left to do.
finish_ms(work_ms, threads, quota, period_ms) := _done(work_ms * threads, threads, quota, period_ms).at_ms

# first_throttle is when threads that are busy all the time have used the quota up, and for
# how long they are then frozen. A quota they cannot use up lasts for the whole period.
first_throttle(threads, quota, period_ms) := {"at_ms": at, "frozen_ms": period_ms - at} if {
	at := min([quota / threads, period_ms])
}

# crowded is how severe it is that a container's workers, all of them busy, want more than its cores:
# "warning" or "info"; undefined where they do not. As many workers as a server starts by itself are
# nobody's mistake, unless somebody says what one of them needs.
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
	cores_known(c)
	workers.needed(pool) > cores_of(c) * 1000
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
# runaway: more than twice, the room that a batch container has above its average. Where the limit is also what
# threads are counted by, another limit is another program.
far_above_peak(c, request) if {
	peak[c.id] > 0
	c.cpu_limit > 2 * max([peak[c.id], request])
	not _counts_by_limit(c)
}

_counts_by_limit(c) if jvm.jvms[_].c.id == c.id

_counts_by_limit(c) if go.gos[_].c.id == c.id

_counts_by_limit(c) if workers.pools[_].c.id == c.id
