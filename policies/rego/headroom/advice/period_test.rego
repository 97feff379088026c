package headroom.advice_test

import data.headroom.advice

# said is the advice on a period, by what it begins with.
said(ms) := [severity, substring(text, 0, 20)] if [severity, text] := advice.cfs_period(ms)

test_long_and_short_periods if {
	every ms in [100, 200, 1000] {
		said(ms) == ["info", "A container that has"]
	}
	every ms in [1, 5, 9.999] {
		said(ms) == ["info", "Periods under 10 ms "]
	}
	every ms in [5, 100] {
		text := advice.cfs_period(ms)[1]
		contains(text, "ends the throttling of a burst sooner")
		contains(text, "throttles CPU-bound work more often")
	}
}

test_nothing_to_say_in_between if {
	every ms in [10, 20, 50, 99.999] {
		not advice.cfs_period(ms)
	}
}

test_what_the_kubelet_refuses if {
	said(-1) == ["error", "That is no duration "]
	every ms in [0, 0.5, 1001, 60000] {
		said(ms) == ["error", "The kubelet takes 1m"]
	}
}
