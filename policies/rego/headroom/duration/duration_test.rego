package headroom.duration_test

import data.headroom.duration

readable := {
	"100ms": 100,
	"0.1s": 100,
	".1s": 100,
	"5ms": 5,
	"5.ms": 5,
	"05ms": 5,
	"1m": 60000,
	"1m30s": 90000,
	"1.5h": 5400000,
	"2h45m0.5s": 9900500,
	"20000us": 20,
	"20000µs": 20,
	"20000μs": 20,
	"9999999ns": 9.999999,
	"+20ms": 20,
	"0": 0,
	"+0": 0,
	"-0": 0,
	"0s": 0,
	"1h": 3600000,
	"1ns": 0.000001,
	"1us": 0.001,
	"0.9ns": 0.000001,
	"1s": 1000,
	"000s": 0,
	"2562047h": 9223369200000,
}

test_reads_what_go_reads if {
	every text, wanted in readable {
		duration.ms(text) == wanted
	}
}

unreadable := [
	"", " ", "100", "100 ms", " 100ms", "ms", ".ms", "1..5s", "-20ms", "1d", "100MS", "1e3ms",
	"20ms\n", "2562048h", "99999999999999999999h", null, true, 100, 0, [], {}, ["100ms"],
]

test_all_else_is_minus_one if {
	every value in unreadable {
		duration.ms(value) == -1
	}
}

test_long_texts_are_refused if {
	duration.ms(concat("", ["1s" | some _ in numbers.range(1, 32)])) == 32000
	duration.ms(concat("", ["1s" | some _ in numbers.range(1, 33)])) == -1
}

# 2^63 - 1 nanoseconds are the most.
test_the_longest_duration if {
	duration.ms("9223372036854775807ns") > 9223372036854
	duration.ms("9223372036854775808ns") == -1
}

test_the_longest_text_that_is_read if {
	every zeros, milliseconds in {62: 1000, 63: -1} {
		text := concat("", array.concat(["0" | some _ in numbers.range(1, zeros)], ["1s"]))
		duration.ms(text) == milliseconds
	}
}
