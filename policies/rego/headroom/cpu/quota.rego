package headroom.cpu

# The CPU time that a limit grants per period, for all threads together (T1), and what a
# load makes of it.

# quota_ms is the CPU time per period. The kubelet's period is 100 ms unless the node says
# otherwise (T9). It gives the kernel at least 1 ms, since the kernel takes no less: a limit
# of 5m is one of 10m.
quota_ms(limit_milli, period_ms) := max([1, used_ms(limit_milli, period_ms)])

# used_ms is what a container that uses so many millicores runs in a period.
used_ms(milli, period_ms) := (milli * period_ms) / 1000

# quota_words say what a container's limit grants.
quota_words(c) := sprintf("%s: %v ms of CPU time in each 100 ms.", [
	sentence(limit_words(c)),
	quota_ms(c.cpu_limit, 100),
])

# tenths is a figure to one decimal place, for messages.
tenths(x) := round(x * 10) / 10

plural(1, what) := concat(" ", ["1", what])

plural(n, what) := sprintf("%v %ss", [n, what]) if n != 1
