package headroom.cpu_test

import data.headroom.cpu

test_burst_over_the_quota_stalls if {
	cpu.burst(25, 18, 200) == {"used_ms": 450, "throttle_ms": 250, "stall_ms": 268}
}

test_burst_within_the_quota_only_pauses if {
	cpu.burst(2, 45, 200) == {"used_ms": 90, "throttle_ms": 0, "stall_ms": 45}
	cpu.burst(2, 100, 200).throttle_ms == 0
}
