package headroom.cpu_test

import data.headroom.cpu

test_one_thread_waits_for_the_next_period if {
	cpu.finish_ms(80, 1, 50, 100) == 130
	cpu.finish_ms(50, 1, 50, 100) == 50
}

test_threads_share_the_quota if {
	cpu.finish_ms(200, 2, 100, 100) == 350
}

test_quota_for_every_thread_costs_nothing if {
	cpu.finish_ms(250, 2, 200, 100) == 250
	cpu.finish_ms(250, 2, 400, 100) == 250
}

test_busy_threads_freeze if {
	cpu.first_throttle(8, 100, 100) == {"at_ms": 12.5, "frozen_ms": 87.5}
}

test_busy_threads_within_the_quota_do_not_freeze if {
	cpu.first_throttle(2, 400, 100) == {"at_ms": 100, "frozen_ms": 0}
}
