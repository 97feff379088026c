package headroom.cpu

# A pool that a runtime sizes by the cores it counts: {c, sure, path, text, count, expected, set}. count is how many it
# has, 0 for one on every core of the node; set is {name, value} where a variable that is not set sizes it.

# overcounted tells whether a pool has more than twice the cores of its container's limit.
overcounted(counter) if {
	counter.c.cpu_limit > 0
	not loses_limit(counter.c)
	_too_many(counter)
}

_too_many(counter) if counter.count == 0

_too_many(counter) if counter.count > 2 * ceil(counter.c.cpu_limit / 1000)

# spent says what so many that work at once make of the quota (T1).
spent(counter) := sprintf("%v at once use the %v ms of each 100 ms up in %v ms and are throttled.", [
	counter.count,
	quota,
	tenths(quota / counter.count),
]) if {
	counter.count > 0
	quota := quota_ms(counter.c.cpu_limit, 100)
} else := sprintf("busy at once on a node of many cores, they use the %v ms of each 100 ms up and are throttled.", [
	quota_ms(counter.c.cpu_limit, 100),
])
