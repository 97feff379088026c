package headroom.cpu

# stat reads the counters of cpu.stat, or the differences between two readings (T5).
# cgroup v1 gives nanoseconds as throttled_time, v2 microseconds as throttled_usec.
stat(nr_periods, nr_throttled, throttled_ns) := {
	"ratio": _share(nr_throttled, nr_periods),
	"mean_throttle_ms": _share(throttled_ns, nr_throttled * 1000000),
}

_share(_, 0) := 0

_share(part, whole) := part / whole if whole != 0
