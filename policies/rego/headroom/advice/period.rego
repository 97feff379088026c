package headroom.advice

# cfs_period is what is right for a kubelet's CFS period of so many milliseconds, as [severity,
# text]; undefined where nothing has to be said. The kubelet takes 1 ms to 1 s.
cfs_period(ms) := ["error", "That is no duration (100ms, 0.02s): the kubelet does not start."] if {
	ms < 0
} else := ["error", "The kubelet takes 1ms to 1s and does not start with this."] if {
	not _in_range(ms)
} else := ["info", concat(" ", [_long, _shorter])] if {
	ms >= 100
} else := ["info", concat(" ", [_short, _shorter])] if {
	ms < 10
}

_in_range(ms) if {
	ms >= 1
	ms <= 1000
}

_long := "A container that has used its quota up is throttled until the period ends."

_short := "Periods under 10 ms cost the scheduler 0.5-1 % of a core for each container (measured at 5 ms)."

# T9 and T10, and a burst. Two threads of 50 ms under a limit of 1 are throttled in none of 1 period of 100 ms, and in
# 9 of 10 of 10 ms.
_shorter := concat(" ", [
	"A shorter period ends the throttling of a burst sooner (P99 178 ms at 100 ms, 38 at 10),",
	"but throttles CPU-bound work more often (6.8 % of periods at 100 ms, 49 % at 10).",
])
