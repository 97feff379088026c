package headroom.measured_test

import data.headroom.measured
import data.headroom.reviews_test as reviews
import data.headroom.workload

prometheus := {
	"source": "Prometheus",
	"window_seconds": 604800,
	"samples": 10080,
	"age_seconds": 40,
	"cpu_average": "1200m",
	"cpu_peak": "2",
	"memory_peak": "980Mi",
	"periods": 1000,
	"throttled": 50,
	"throttled_seconds": 12.5,
	"oom_kills": 3,
	"restarts": 4,
	"throttled_long_seconds": 900,
	"cpu_waiting_seconds": 25,
	"observed_seconds": 100,
	"probe_kills": 2,
	"seen_seconds": 604800,
	"memory_growth_bytes": 1048576,
	"memory_grown_bytes": 524288000,
}

review(entries) := reviews.of_pod({}, {"containers": [{"name": "app"}]}, {"measured": entries})

app(changes) := found.app if {
	found := measured.containers with input as review({"app": object.union(prometheus, changes)})
}

test_what_was_measured if {
	app({}) == {
		"cpu_average": 1200,
		"cpu_peak": 2000,
		"memory_peak": 1027604480,
		"memory_growth": 1048576,
		"memory_grown": 524288000,
		"days": 7,
		"ratio": 0.05,
		"long": 900,
		"waiting": 0.25,
		"oom_kills": 3,
		"probe_kills": 2,
		"doubt": "",
		"text": "measured by Prometheus: 10 080 samples over 7d, newest 40s old",
		"runtime": {},
		"figures": {"source": "Prometheus", "window_seconds": 604800, "samples": 10080, "age_seconds": 40},
	}
}

test_nothing_was_measured if {
	every given in [
		{"apiVersion": "v1", "kind": "Pod", "context": {"measured": {"app": prometheus}}},
		object.remove(review({}), ["context"]),
		object.union(review({}), {"context": {"measured": "a"}}),
	] {
		measured.containers == {} with input as given
		not workload.measured with input as given
	}
	measured.containers == {} with input as review({})
}

test_too_few_samples_are_unknown if {
	few := app({"samples": 12})
	few.doubt == "Prometheus has 12 samples, at least 60 are wanted"
	[few.cpu_average, few.cpu_peak, few.memory_peak, few.ratio] == [0, 0, 0, 0]

	# What is killed all the time has few samples.
	few.oom_kills == 3
	app({"samples": 1}).doubt == "Prometheus has 1 sample, at least 60 are wanted"
	app({"samples": 59}).doubt != ""
	app({"samples": 60}).doubt == ""
}

test_no_samples_are_a_count_too if {
	none := app({"samples": 0})
	none.doubt == "Prometheus has 0 samples, at least 60 are wanted"
	none.text == "measured by Prometheus: 0 samples over 7d, newest 40s old"
	app({"samples": 1}).text == "measured by Prometheus: 1 sample over 7d, newest 40s old"
	app({"window_seconds": 1, "age_seconds": 0}).text == "measured by Prometheus: 10 080 samples over 1s, newest 0s old"
}

test_too_old_samples_are_unknown if {
	old := app({"age_seconds": 90000})
	old.doubt == "the newest sample of Prometheus is 25h old, at most 24h is wanted"
	old.cpu_average == 0
	app({"age_seconds": 86400}).doubt == ""
	app({"age_seconds": 86401}).doubt != ""
}

test_the_config_says_what_is_enough if {
	entry := object.union(prometheus, {"samples": 12, "age_seconds": 90000})
	few := measured.containers with input as review({"app": entry})
		with data.headroom.overrides as {"measured": {"minSamples": 12, "maxAge": "48h"}}
	few.app.doubt == ""
	old := measured.containers with input as review({"app": prometheus})
		with data.headroom.overrides as {"measured": {"maxAge": "30s"}}
	old.app.doubt == "the newest sample of Prometheus is 40s old, at most 30s is wanted"
	long := measured.containers with input as review({"app": object.union(prometheus, {"age_seconds": 86400001})})
		with data.headroom.overrides as {"measured": {"maxAge": "24000h"}}
	endswith(long.app.doubt, " old, at most 1000d is wanted")
	every age, enough in {0: true, 1: false} {
		found := measured.containers with input as review({"app": object.union(prometheus, {"age_seconds": age})})
			with data.headroom.overrides as {"measured": {"maxAge": "0s"}}
		found.app.doubt == "" == enough
	}
	every age, enough in {86400: true, 86400.0005: false} {
		found := measured.containers with input as review({"app": object.union(prometheus, {"age_seconds": age})})
			with data.headroom.overrides as {"measured": {"maxAge": "long"}}
		found.app.doubt == "" == enough
	}
	unreadable := measured.containers with input as review({"app": prometheus})
		with data.headroom.overrides as {"measured": {"maxAge": "long"}}
	unreadable.app.doubt == ""
}

# A source that keeps no count of samples stands by what it gives.
test_a_source_that_does_not_count if {
	vpa := app({"source": "VerticalPodAutoscaler", "samples": -1, "age_seconds": -1, "window_seconds": 0})
	vpa.doubt == ""
	vpa.cpu_average == 1200
	vpa.text == "measured by VerticalPodAutoscaler"
	app({"samples": -1}).text == "measured by Prometheus over 7d, newest 40s old"
	app({"samples": -1, "window_seconds": 0}).text == "measured by Prometheus, newest 40s old"
	app({"window_seconds": 0, "age_seconds": -1}).text == "measured by Prometheus: 10 080 samples"
}

test_why_a_value_is_missing if {
	doubt := " (Prometheus has 1 sample, at least 60 are wanted)"
	every given in [
		[review({"app": prometheus}), "it was not measured", ""],
		[review({"other": prometheus}), "it was not measured", ""],
		[review({"app": object.union(prometheus, {"samples": 1})}), "Prometheus has 1 sample, at least 60 are wanted", doubt],
		[review({}).object, "nobody was asked", ""],
	] {
		[asked, why, doubted] := given
		measured.missing({"name": "app"}, "nobody was asked") == why with input as asked
		measured.doubt({"name": "app"}, " (%s)") == doubted with input as asked
	}
}

test_what_counts if {
	least := object.union(prometheus, {"cpu_average": "1m", "cpu_peak": "0", "memory_peak": "1"})
	counts := {value |
		some value in ["cpu_average", "cpu_peak", "memory_peak"]
		measured.counts("app", value) with input as review({"app": least})
	}
	counts == {"cpu_average", "memory_peak"}
}

test_days_that_were_seen if {
	app({"seen_seconds": 86400}).days == 1
	every none in [0, -1, "a", null] {
		app({"seen_seconds": none}).days == -1
	}
	app({"memory_growth_bytes": -1}).memory_growth == 0
	app({"samples": 1}).memory_growth == 0
}

test_numbers_that_are_none if {
	app({"oom_kills": 1}).oom_kills == 1
	every wrong in ["3", "-1", [3], {"a": 3}, true, null, 1e20, -2] {
		app({"oom_kills": wrong}).oom_kills == 0
		app({"samples": wrong}).figures.samples == 0
	}
}

test_values_that_are_not_there if {
	none := app({"cpu_average": "", "cpu_peak": "", "memory_peak": "", "periods": -1, "throttled": -1, "oom_kills": -1})
	[none.cpu_average, none.cpu_peak, none.memory_peak, none.ratio, none.oom_kills] == [0, 0, 0, 0, 0]
}

# Counters of many Pods, read at different times, may give more than all.
test_no_more_than_all_periods_are_throttled if {
	app({"periods": 10, "throttled": 12}).ratio == 1
	app({"periods": 10, "throttled": 10}).ratio == 1
	app({"periods": 0, "throttled": 12}).ratio == 0
	app({"periods": 12, "throttled": 0}).ratio == 0
	app({"periods": 4, "throttled": 1}).ratio == 0.25
	app({"periods": 1, "throttled": 1}).ratio == 1
	app({"periods": -1, "throttled": 12}).ratio == 0
	app({"periods": 12, "throttled": -1}).ratio == 0
}

test_total_on_any_value if {
	every wrong in [null, true, -5, 1e400, "", "a", "1e99999999", [], {}, 1e-9, 123456789012345678901234567890] {
		measured.containers with input as review(wrong)
		every key, _ in prometheus {
			found := app({key: wrong})
			is_number(found.cpu_average)
			is_number(found.ratio)
			is_string(found.doubt)
		}
	}
	app({"source": ""}).text == "measured by an unnamed source: 10 080 samples over 7d, newest 40s old"
}
