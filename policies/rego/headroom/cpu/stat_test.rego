package headroom.cpu_test

import data.headroom.cpu

test_stat_gives_ratio_and_mean if {
	cpu.stat(600, 30, 600000000) == {"ratio": 0.05, "mean_throttle_ms": 20}
}

test_stat_of_a_container_never_throttled if {
	cpu.stat(600, 0, 0) == {"ratio": 0, "mean_throttle_ms": 0}
}

test_stat_of_a_container_without_quota if {
	cpu.stat(0, 0, 0) == {"ratio": 0, "mean_throttle_ms": 0}
}
