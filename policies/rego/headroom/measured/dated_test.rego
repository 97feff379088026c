package headroom.measured_test

import data.headroom.measured

_dated(value) := found if {
	found := measured.dated with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"measured.headroom.dev/app": value}},
	}
}

test_what_a_date_speaks_of if {
	_dated(" date=2026-11-21  over=7d runtime=5h of=cpu-average,live ") == {"app": {
		"date": "2026-11-21",
		"over": 604800,
		"runtime": 18000,
		"of": {"cpu-average", "live"},
	}}
	_dated("date=2026-11-21 over=30m over=1h") == {"app": {"date": "2026-11-21", "over": 3600, "runtime": 0, "of": set()}}
}

test_a_date_that_cannot_be_read if {
	every value in [
		"", "over=7d", "date=2026-11-31", "date=2026-11-21 date=2026-11-22", "date=2026-11-21 over=0d",
		"date=2026-11-21 over=7", "date=2026-11-21 of=heap", "date=2026-11-21 of=", "Date=2026-11-21", 5, null, [],
	] {
		_dated(value) == {}
	}
}

_beside(value, of) := text if {
	text := measured.beside("app", of) with input as {
		"apiVersion": "v1",
		"kind": "Pod",
		"metadata": {"annotations": {"measured.headroom.dev/app": value}},
	}
}

test_when_a_value_was_measured if {
	value := "date=2026-11-21 over=7d runtime=5h of=cpu-average,live"
	_beside(value, "cpu-average") == ", measured 2026-11-21 over 7d"
	_beside(value, "live") == ", measured 2026-11-21 over 5h, less than a day"
	_beside("date=2026-11-21 of=cpu-average", "cpu-average") == ", measured 2026-11-21"

	# What a person wrote by hand beside them was not measured.
	_beside(value, "memory-peak") == ""
	_beside("x", "cpu-average") == ""
}
