package headroom.rules.classification["measurement-stale_test"]

import data.headroom.rules.classification["measurement-stale"] as rule

# 2026-11-21, noon.
_noon := 1795262400000000000

_pod(value) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"annotations": {"measured.headroom.dev/app": value}},
	"spec": {"containers": [{"name": "app"}, {"name": "other"}]},
}

_found(value) := {[f.container, f.message] |
	some f in rule.report with input as _pod(value)
		with data.headroom.now as _noon
}

_messages(value) := {trim_prefix(message, "measured.headroom.dev/app: ") | some [_, message] in _found(value)}

test_a_measurement_of_late if {
	every date in ["2026-11-21", "2026-08-23", "2026-11-22"] {
		_found(sprintf("date=%s over=7d runtime=1d of=cpu-average", [date])) == set()
	}
}

test_a_measurement_that_is_old if {
	_found("date=2026-08-22 over=7d of=memory-peak,cpu-average") == {["app", concat("", [
		"measured.headroom.dev/app: measured on 2026-08-22, more than 90d ago ",
		"(cpu-average, memory-peak).",
	])]}
	_messages("date=0000-01-01") == {"measured on 0000-01-01, more than 90d ago."}
}

test_the_config_says_how_old if {
	value := "date=2026-11-19"
	count(rule.report) == 1 with input as _pod(value)
		with data.headroom.now as _noon
		with data.headroom.overrides as {"measured": {"annotationMaxAge": "24h"}}
	every age in ["72h", "soon", null] {
		count(rule.report) == 0 with input as _pod(value)
			with data.headroom.now as _noon
			with data.headroom.overrides as {"measured": {"annotationMaxAge": age}}
	}
}

# The first time zone is fourteen hours ahead.
test_a_day_that_is_yet_to_come if {
	_messages("date=2026-11-23") == {"2026-11-23 is yet to come."}
	_messages("date=9999-12-31") == {"9999-12-31 is yet to come."}
}

test_less_than_a_day if {
	_messages("date=2026-11-21 over=7d runtime=5h") == {"only 5h were measured, and the peak of the day may be missing."}
	_messages("date=2026-11-21 over=90m") == {"only 90m were measured, and the peak of the day may be missing."}
	_messages("date=2026-11-21 over=24h") == set()
	_messages("date=2026-11-21 over=7d runtime=5h of=cpu-average,live") == {
		"only 5h were measured, and the peak of the day may be missing (live).",
	}

	# What is old is told once.
	count(_messages("date=2020-01-01 over=5h")) == 1
}

test_what_cannot_be_read_says_nothing if {
	every value in [
		5, null, "", "x", "over=7d", "date=2026-02-30", "date=2020-01-01 date=2020-01-01",
		"date=2020-01-01 of=x",
	] {
		_found(value) == set()
	}
}

test_of_a_container_that_there_is if {
	[f] := [f | some f in rule.report with input as _pod("date=2020-01-01") with data.headroom.now as _noon]
	f.path == ["metadata", "annotations", "measured.headroom.dev/app"]
	other := json.patch(_pod("date=2020-01-01"), [{"op": "remove", "path": "/spec/containers/0"}])
	rule.report == set() with input as other with data.headroom.now as _noon
}
