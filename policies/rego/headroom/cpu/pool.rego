package headroom.cpu

import data.headroom.runtime.workers

# A pool of threads that all draw on one quota (T12).

# finish_ms is when a pool is done in which every thread has that much work to do, all
# starting with a period. The periods before the last use the quota up and end frozen; in
# the last one the threads share what is left to do.
finish_ms(work_ms, threads, quota, period_ms) := (full * period_ms) + (rest / threads) if {
	total := work_ms * threads
	granted := min([quota, threads * period_ms])
	full := ceil(total / granted) - 1
	rest := total - (full * granted)
}

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
