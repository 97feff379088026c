package headroom.cpu

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
