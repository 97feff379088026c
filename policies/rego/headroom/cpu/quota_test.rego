package headroom.cpu_test

import data.headroom.cpu

test_quota_is_limit_times_period if {
	cpu.quota_ms(500, 100) == 50
	cpu.quota_ms(4000, 100) == 400
	cpu.quota_ms(250, 10) == 2.5
}

test_quota_is_at_least_a_millisecond if {
	cpu.quota_ms(1, 100) == 1
	cpu.quota_ms(9, 100) == 1
	cpu.quota_ms(10, 100) == 1
	cpu.quota_ms(11, 100) == 1.1
	cpu.quota_ms(199, 5) == 1
	cpu.used_ms(5, 100) == 0.5
}
