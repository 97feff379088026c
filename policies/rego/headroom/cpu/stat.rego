package headroom.cpu

# stat reads the counters of cpu.stat, or the differences between two readings (T5).
# cgroup v1 gives nanoseconds as throttled_time, v2 microseconds as throttled_usec.
stat(nr_periods, nr_throttled, throttled_ns) := {
	"ratio": _share(nr_throttled, nr_periods),
	"mean_throttle_ms": _share(throttled_ns, nr_throttled * 1000000),
}

# throttling_from are the shares of throttled periods, in percent. From the first one a container is not healthy,
# and above it an alert fires (T14). The second one is an error: then every other request of a period's length
# meets one.
throttling_from := {"healthy": 1, "alert": 5, "error": 25}

# throttling is how severe it is that so many of so many periods were throttled: "healthy", "info", "warning", "error".
throttling(throttled, periods) := "error" if {
	throttled * 100 >= periods * throttling_from.error
} else := "warning" if {
	throttled * 100 > periods * throttling_from.alert
} else := "info" if {
	throttled * 100 >= periods * throttling_from.healthy
} else := "healthy"

_share(_, 0) := 0

_share(part, whole) := part / whole if whole != 0
