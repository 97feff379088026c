package headroom.advice

# cfs_period is what is right for a kubelet's CFS period of so many milliseconds, as [severity,
# text]; undefined where nothing has to be said. The kubelet takes 1 ms to 1 s.
cfs_period(ms) := ["error", "That is no duration (100ms, 0.02s): the kubelet does not start."] if {
	ms < 0
} else := ["error", "The kubelet takes 1ms to 1s and does not start with this."] if {
	not _in_range(ms)
} else := ["info", concat(" ", [_long, _bursty, _bound])] if {
	ms >= 100
} else := ["info", concat(" ", [_short, _bound, _bursty])] if {
	ms < 10
}

_in_range(ms) if {
	ms >= 1
	ms <= 1000
}

_long := "A container that has used its quota up is throttled until the period ends."

_short := "Periods under 10 ms cost the scheduler 0.5-1 % of a core for each container (measured at 5 ms)."

_bursty := "Bursty services are throttled for less time with less (P99 178 ms at 100 ms, 38 ms at 10 ms)."

_bound := "CPU-bound work more often (6.8 % of periods at 100 ms, 49 % at 10 ms)."
