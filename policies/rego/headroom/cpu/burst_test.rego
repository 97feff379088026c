package headroom.cpu_test

import data.headroom.cpu

# T2's burst by the periods: 200 ms in 8, standing still until 100, 200 in 8, and the last 50 in 2 from 200 on.
test_a_pause_lasts_as_long_as_its_periods if {
	every case in [
		[25, 18, {"ms": 0, "threads": 8}, 200, 202],
		[2, 45, {"ms": 0, "threads": 8}, 200, 45],
		[25, 20, {"ms": 144, "threads": 8}, 200, 283.76],
		[2, 20, {"ms": 400, "threads": 8}, 400, 70],
	] {
		abs(cpu.stall_ms(case[0], case[1], case[2], case[3], 100) - case[4]) < 0.001
	}
}

test_a_pause_with_other_threads if {
	every case in [[25, 2, 42], [25, 4, 28], [25, 25, 18], [25, 64, 18], [25, 1, 70]] {
		abs(cpu.pause_with(18, case[0], case[1]) - case[2]) < 0.001
	}
	abs(cpu.pause_with(42, 2, 25) - 18) < 0.001
}
