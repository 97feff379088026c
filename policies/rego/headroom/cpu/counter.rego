package headroom.cpu

# A pool that a runtime sizes by the cores it counts: {c, sure, path, text, count, expected, set, each, rounds}. count
# is how many it has, 0 for one on every core of the node. sure is false where it only may be so. set is {name, value}
# where a variable that is not set sizes it. each is there if they are processes: how their number is set, with a
# place for it. rounds says that it takes a part of a core for a whole one.

# overcounted tells whether a pool has more than twice the cores of its container's limit.
overcounted(counter) if {
	throttles(counter.c)
	_too_many(counter)
}

# throttles says that a container has a CPU limit which stays.
throttles(c) if {
	c.cpu_limit > 0
	not loses_limit(c)
}

_too_many(counter) if counter.count == 0

_too_many(counter) if counter.count > 2 * ceil(counter.c.cpu_limit / 1000)

# rounded_up says that a pool has the limit's cores, rounded up, and so more than the limit has.
rounded_up(counter) if {
	throttles(counter.c)
	counter.count * 1000 > counter.c.cpu_limit
	counter.count == ceil(counter.c.cpu_limit / 1000)
	counter.c.cpu_limit > 1000
}

# spent says what so many that work at once make of the quota (T1).
spent(counter) := sprintf("%v at once use up the %v ms of CPU time per 100 ms in %v ms, then they are throttled.", [
	counter.count,
	quota,
	tenths(quota / counter.count),
]) if {
	counter.count > 0
	quota := quota_ms(counter.c.cpu_limit, 100)
} else := sprintf(
	"busy at once on a node of many cores, they use up the %v ms of CPU time per 100 ms and are throttled.",
	[quota_ms(counter.c.cpu_limit, 100)],
)
