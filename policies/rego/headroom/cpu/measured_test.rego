package headroom.cpu_test

import data.headroom.cpu
import data.headroom.reviews_test as reviews
import data.headroom.workload

deployment(annotations, containers) := {
	"apiVersion": "apps/v1",
	"kind": "Deployment",
	"metadata": {"name": "web"},
	"spec": {"template": {
		"metadata": {"annotations": annotations},
		"spec": {"containers": containers},
	}},
}

app(requests, limits) := {"name": "app", "resources": {"requests": requests, "limits": limits}}

average(annotations) := found[0] if {
	found := cpu.average with input as deployment(annotations, [app({"cpu": "2"}, {})])
}

test_average_of_the_container if {
	average({"cpu-average.headroom.dev/app": "750m"}) == {
		"milli": 750,
		"text": "cpu-average.headroom.dev/app",
	}
}

test_average_of_the_workload_is_the_main_containers if {
	containers := [app({"cpu": "2"}, {}), {"name": "other", "resources": {"requests": {"cpu": "1"}}}]
	found := cpu.average with input as deployment({"headroom.dev/cpu-average": "3"}, containers)
	[a.milli | some a in found] == [3000, 0]
}

test_average_of_the_container_goes_first if {
	average({"cpu-average.headroom.dev/app": "750m", "headroom.dev/cpu-average": "3"}).milli == 750
}

# A request is what was reserved, not what is used.
test_a_request_is_no_average if average({}) == {"milli": 0, "text": ""}

# HR105 reports the annotation; nothing weaker is taken for measured.
test_average_that_cannot_be_read_is_not_known if {
	average({"cpu-average.headroom.dev/app": "lots", "headroom.dev/cpu-average": "3"}) == {"milli": 0, "text": ""}
}

test_peak if {
	containers := [app({}, {}), {"name": "b"}, {"name": "c"}]
	found := cpu.peak with input as deployment(
		{"cpu-peak.headroom.dev/app": "1.5", "cpu-peak.headroom.dev/b": "?"},
		containers,
	)
	found == [1500, 0, 0]
}

test_row_of_a_class if {
	rows := cpu.row with input as deployment({"headroom.dev/workload-class": "cron"}, [app({}, {})])
	rows == [{"request": "peak", "limit": "peak"}]
}

test_no_row_without_a_class if {
	rows := cpu.row with input as deployment({}, [app({}, {})])
	rows == [null]
}

test_row_that_the_config_adds if {
	rows := cpu.row with input as deployment({"headroom.dev/workload-class": "stream"}, [app({}, {})])
		with data.headroom.overrides as {"matrix": {"stream": {"request": "average", "limit": {"timesAverage": 3}}}}
	rows == [{"request": "average", "limit": {"timesAverage": 3}}]
}

cores(annotations, requests, limits) := found[0] if {
	found := cpu.cores with input as deployment(annotations, [app(requests, limits)])
}

test_cores_of_a_limit_are_rounded_up if {
	cores({}, {}, {"cpu": "500m"}) == 1
	cores({}, {}, {"cpu": "2"}) == 2
	cores({}, {}, {"cpu": "2001m"}) == 3
}

# J3: average 1, no limit: 2 processors.
test_cores_without_a_limit_are_twice_the_average if {
	cores({"headroom.dev/cpu-average": "1"}, {}, {}) == 2
	cores({"headroom.dev/cpu-average": "1.2"}, {}, {}) == 3
}

# A request bounds them from below, and tells no more.
test_cores_without_a_limit_are_no_fewer_than_the_request if {
	cores({}, {"cpu": "4"}, {}) == 4
	cores({}, {"cpu": "3001m"}, {}) == 4
	cores({"headroom.dev/cpu-average": "1"}, {"cpu": "4"}, {}) == 4
	cores({"headroom.dev/cpu-average": "3"}, {"cpu": "4"}, {}) == 6
}

test_cores_of_a_limit_that_is_lost if {
	every limit, wanted in {"100": 2, "2000": 2, "3001": 4} {
		c := {"id": 0, "cpu_limit": 0, "lost_limit": to_number(limit), "cpu_request": 1, "cpu_request_source": "container"}
		cpu.cores_of(c) == wanted with cpu.average as [{"milli": 0}]
		cpu.cores_of(c) == 4 with cpu.average as [{"milli": 1600}]
		cpu.cores_known(c) with cpu.average as [{"milli": 0}]
	}
}

# What a Pod asks for as a whole is no single container's, where there are several.
test_a_shared_request_is_no_bound if {
	c := {"id": 0, "cpu_request": 4000, "cpu_request_source": "pod"}
	cpu.least_cores(c) == 4 with cpu.running as [1]
	cpu.least_cores(c) == 2 with cpu.running as [1, 2]
}

test_cores_are_at_least_two_without_a_limit if {
	cores({}, {}, {}) == 2
	cores({}, {"cpu": "100m"}, {"cpu": "?"}) == 2
}

test_exactly_the_tolerance_passes if {
	not cpu.outside(1250, 1000)
	not cpu.outside(750, 1000)
	cpu.outside(1251, 1000)
	cpu.outside(749, 1000)
}

test_a_multiple_of_the_average_is_exact if {
	cpu.times_average(1.3, 45) == 59
	cpu.times_average(2, 333) == 666
	cpu.times_average(1, 1) == 1
}

# In floating point 0.07 * 700 is more than 49 and 0.3 * 1000 less than 300.
test_any_tolerance_is_exact if {
	not cpu.outside(1300, 1000) with data.headroom.overrides as {"tolerance": 0.3}
	cpu.outside(1301, 1000) with data.headroom.overrides as {"tolerance": 0.3}
	not cpu.outside(749, 700) with data.headroom.overrides as {"tolerance": 0.07}
	cpu.outside(1, 0) with data.headroom.overrides as {"tolerance": 0}
	not cpu.outside(700, 700) with data.headroom.overrides as {"tolerance": 0}
}

# What was measured takes the place of the annotations, value by value.
prometheus := {
	"source": "Prometheus",
	"window_seconds": 604800,
	"samples": 10080,
	"age_seconds": 40,
	"cpu_average": "1200m",
	"cpu_peak": "1900m",
}

annotated := {
	"cpu-average.headroom.dev/app": "750m",
	"cpu-average.headroom.dev/b": "250m",
	"cpu-peak.headroom.dev/app": "1",
	"cpu-peak.headroom.dev/b": "500m",
}

review(measured) := reviews.of_object(
	deployment(annotated, [app({"cpu": "2"}, {}), {"name": "b"}, {"name": "c"}]),
	{"measured": measured},
)

test_a_measurement_goes_before_the_annotation if {
	found := cpu.average with input as review({"app": prometheus})
	found[0] == {
		"milli": 1200,
		"text": "measured by Prometheus: 10 080 samples over 7d, newest 40s old",
	}
	[a.milli | some a in found] == [1200, 250, 0]
	cpu.peak == [1900, 500, 0] with input as review({"app": prometheus})
}

test_where_the_measurement_has_no_value_the_annotation_stands if {
	half := object.remove(prometheus, ["cpu_average"])
	found := cpu.average with input as review({"app": half})
	[a.milli | some a in found] == [750, 250, 0]
	cpu.peak == [1900, 500, 0] with input as review({"app": half})
	cpu.peak == [1000, 500, 0] with input as review({"app": object.remove(prometheus, ["cpu_peak"])})
}

test_too_few_samples_are_no_measurement if {
	few := object.union(prometheus, {"samples": 12})
	found := cpu.average with input as review({"app": few, "c": few})
	[a.milli | some a in found] == [750, 250, 0]
	cpu.peak == [1000, 500, 0] with input as review({"app": few, "c": few})
}

words(measured) := {c.name: [average, peak, nobody, more] |
	some c in workload.containers with input as review(measured)
	average := cpu.average_words(c) with input as review(measured)
	peak := cpu.peak_words(c) with input as review(measured)
	nobody := cpu.not_measured(c, "measured peak") with input as review(measured)
	more := cpu.measurement(c) with input as review(measured)
}

test_words_say_who_measured_and_how_well if {
	text := "measured by Prometheus: 10 080 samples over 7d, newest 40s old"
	found := words({"app": prometheus})
	found.app == [
		sprintf("its average use is 1200m (%s)", [text]),
		sprintf("its peak is 1900m (%s)", [text]),
		"its peak, which was not measured",
		concat("", [", ", text]),
	]
	found.b == [
		"its average use is 250m, as measured (cpu-average.headroom.dev/b)",
		"its measured peak is 500m (cpu-peak.headroom.dev/b)",
		"its peak, which was not measured",
		"",
	]
	found.c[0] == "its average use is not known (it was not measured)"
}

test_words_say_why_a_measurement_does_not_count if {
	few := object.union(prometheus, {"samples": 12})
	found := words({"app": few, "c": few})
	doubt := "Prometheus has 12 samples, at least 60 are wanted"
	found.app == [
		sprintf("its average use is 750m, as measured (cpu-average.headroom.dev/app; %s)", [doubt]),
		sprintf("its measured peak is 1 (cpu-peak.headroom.dev/app; %s)", [doubt]),
		sprintf("its measured peak, not known yet: %s (headroom annotate: cpu-peak.headroom.dev/app)", [doubt]),
		concat("", ["; ", doubt]),
	]
	found.c[0] == sprintf("its average use is not known (%s)", [doubt])
}

test_words_without_any_measurement if {
	found := words(null)
	found.b[2] == "its measured peak, not known yet (headroom annotate: cpu-peak.headroom.dev/b)"
	found.c[0] == "its average use is not known (no annotation gives it)"
}

# The smallest amount that can be written counts, and 0 counts as not set.
test_the_smallest_amounts_count if {
	average({"cpu-average.headroom.dev/app": "1m"}).milli == 1
	average({"headroom.dev/cpu-average": "1m"}).milli == 1
	every key in ["cpu-average.headroom.dev/app", "headroom.dev/cpu-average"] {
		average({key: "0"}) == {"milli": 0, "text": ""}
		average({key: "-1"}) == {"milli": 0, "text": ""}
	}
	small := object.union(prometheus, {"cpu_average": "1m", "cpu_peak": "1m"})
	found := cpu.average with input as review({"app": small})
	[a.milli | some a in found] == [1, 250, 0]
	cpu.peak == [1, 500, 0] with input as review({"app": small})
	none := object.union(prometheus, {"cpu_average": "0", "cpu_peak": "0"})
	others := cpu.average with input as review({"app": none})
	[a.milli | some a in others] == [750, 250, 0]
	cpu.peak == [1000, 500, 0] with input as review({"app": none})
}

test_peaks_that_are_none if {
	every text, milli in {"1m": 1, "0": 0, "-1": 0, "x": 0} {
		cpu.peak == [milli] with input as deployment({"cpu-peak.headroom.dev/app": text}, [app({}, {})])
	}
}

# whose is a container with such a limit, average and peak.
whose(limit, average_milli, peak) := [cores, known, under] if {
	c := {"id": 0, "cpu_limit": limit, "cpu_request": 0, "cpu_request_source": ""}
	cores := cpu.cores_of(c) with cpu.average as [{"milli": average_milli}]
	known := [true | cpu.cores_known(c)] with cpu.average as [{"milli": average_milli}]
	under := [true | cpu.under_peak(c)] with cpu.peak as [peak]
}

test_cores_at_their_bounds if {
	every case in [
		[1, 9000, 2, [1, [true], [true]]],
		[1, 9000, 1, [1, [true], []]],
		[1001, 0, 0, [2, [true], []]],
		[0, 1, 0, [2, [true], [true]]],
		[0, 0, 0, [2, [], [true]]],
		[0, 1001, 0, [3, [true], [true]]],
		[-1, 1501, 9, [4, [true], []]],
	] {
		whose(case[0], case[1], case[2]) == case[3]
	}
}

test_an_average_is_looked_for_where_there_may_be_one if {
	not cpu.averages_known with input as deployment({}, [app({}, {})])
	cpu.averages_known with input as deployment({"cpu-average.headroom.dev/x": "1"}, [app({}, {})])
	cpu.averages_known with input as deployment({"headroom.dev/cpu-average": "1"}, [app({}, {})])
	cpu.averages_known with input as review({"app": prometheus})
}

test_average_that_was_measured_on_a_day if {
	dated := {"measured.headroom.dev/app": "date=2026-11-21 over=7d of=cpu-average"}
	average(object.union(dated, {"cpu-average.headroom.dev/app": "750m"})).text == concat("", [
		"cpu-average.headroom.dev/app, measured ", "2026-11-21 over 7d",
	])
	average(object.union(dated, {"headroom.dev/cpu-average": "3"})).text == concat("", [
		"headroom.dev/cpu-average, measured ", "2026-11-21 over 7d",
	])
}
