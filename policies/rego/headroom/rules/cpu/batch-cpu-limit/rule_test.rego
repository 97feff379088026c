package headroom.rules.cpu["batch-cpu-limit_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["batch-cpu-limit"] as rule

review(annotations, spec, context) := reviews.of_object(
	{
		"apiVersion": "batch/v1",
		"kind": "Job",
		"metadata": {"name": "index"},
		"spec": {"template": {"metadata": {"annotations": annotations}, "spec": spec}},
	},
	context,
)

report(annotations, resources) := found if {
	found := rule.report with input as review(
		annotations,
		{"containers": [{"name": "app", "resources": resources}]},
		{},
	)
}

measured := {"headroom.dev/cpu-average": "2"}

limits := ["spec", "template", "spec", "containers", 0, "resources", "limits", "cpu"]

test_no_limit if {
	some f in report(measured, {"requests": {"cpu": "2"}})
	f.container == "app"
	f.path == limits
	_whole(f) == concat(" ", [
		"There is no CPU limit; its average use is 2, as measured (headroom.dev/cpu-average).",
		"A runaway takes every idle core of the node.",
	])
	f.expected == concat("", [
		"limits.cpu: 4, 2 × the average of 2; 25 % either way passes: 3 to 5; ",
		"measure its peak first (headroom annotate)",
	])
	f.figures == {
		"limit_millicores": 0,
		"average_millicores": 2000,
		"times_average": 2,
		"wanted_limit_millicores": 4000,
	}
	f.harm == "neighbours"
	f.fix == []
	some known in report(object.union(measured, {"cpu-peak.headroom.dev/app": "4"}), {"requests": {"cpu": "2"}})
	known.expected == "limits.cpu: 4, 2 × the average of 2; 25 % either way passes: 3 to 5"
	count(known.fix) > 0
}

said := {"headroom.dev/workload-class": "batch"}

measure := "headroom annotate measures it: cpu-average.headroom.dev/app"

# A request is what was reserved. Which of the two is wrong is not known, and neither becomes the other's half.
test_a_limit_and_a_request_that_do_not_fit if {
	some f in report(said, {"requests": {"cpu": "20m"}, "limits": {"cpu": "2"}})
	f.path == limits
	_whole(f) == concat(" ", [
		"limits.cpu is 2; requests.cpu is 20m; its average use is not known (no annotation gives it).",
		"This class has a limit of 2 × the request: measure the average to see which of the two is wrong.",
	])
	f.expected == concat("", [
		"requests.cpu at the average CPU use, limits.cpu at 2 × that; ", measure,
	])
	f.figures == {"limit_millicores": 2000, "request_millicores": 20, "times_average": 2}
	f.severity == "warning"
	object.get(f, "fix", []) == []
}

test_a_limit_and_a_request_that_fit if {
	every limit in ["3", "4", "5"] {
		count(report(said, {"requests": {"cpu": "2"}, "limits": {"cpu": limit}})) == 0
	}
	every limit in ["2999m", "5001m"] {
		count(report(said, {"requests": {"cpu": "2"}, "limits": {"cpu": limit}})) == 1
	}
}

test_two_amounts_of_which_one_is_not_said if {
	every resources in [
		{"limits": {"cpu": "1"}},
		{"requests": {"cpu": "0"}, "limits": {"cpu": "1"}},
		{"requests": {"cpu": "two"}, "limits": {"cpu": "4"}},
	] {
		count(report(said, resources)) == 0
	}
	shared := {
		"containers": [
			{"name": "a", "resources": {"requests": {"cpu": "1"}}},
			{"name": "b", "resources": {"requests": {"cpu": "1"}}},
		],
		"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "8"}},
	}
	both := rule.report with input as review(said, shared, {})
	count(both) == 0
	own := object.union(shared, {"resources": {"requests": {"cpu": "2"}}})
	limited := json.patch(own, [{"op": "add", "path": "/containers/0/resources/limits", "value": {"cpu": "8"}}])
	one := rule.report with input as review(said, limited, {})
	{[f.container, f.severity] | some f in one; f.severity == "warning"} == {["a", "warning"]}
}

test_no_limit_of_a_class_that_was_said if {
	some f in report(said, {"requests": {"cpu": "20m"}})
	startswith(f.message, "There is no CPU limit; its average use is not known (no annotation gives it).")
	f.expected == sprintf("limits.cpu at 2 × the average CPU use; %s", [measure])
	f.fix == []
}

# A Job may run for seconds, as a hook or a migration does.
test_a_class_that_only_the_kind_shows if {
	every resources in [{}, {"requests": {"cpu": "20m"}}, {"requests": {"cpu": "20m"}, "limits": {"cpu": "2"}}] {
		count(report({}, resources)) == 0
		count(report(measured, resources)) == 1
	}
}

# One field is the request and the limit, and twice itself is never reached.
test_one_field_for_both if {
	flink := {
		"apiVersion": "flink.apache.org/v1beta1", "kind": "FlinkDeployment",
		"metadata": {"name": "f", "annotations": object.union(said, {"cpu-average.headroom.dev/taskmanager": "3"})},
		"spec": {"taskManager": {"resource": {"memory": "2048m", "cpu": 1}}},
	}
	some f in rule.report with input as flink
	f.expected == "limits.cpu: 6, 2 × the average of 3; 25 % either way passes: 4500m to 7500m"
	unknown := json.patch(flink, [{"op": "replace", "path": "/metadata/annotations", "value": said}])
	none := rule.report with input as unknown
	count(none) == 0
}

test_exactly_the_tolerance_passes if {
	count(report(measured, {"limits": {"cpu": "4"}})) == 0
	count(report(measured, {"limits": {"cpu": "3"}})) == 0
	count(report(measured, {"limits": {"cpu": "5"}})) == 0
}

test_beyond_the_tolerance if {
	some low in report(measured, {"limits": {"cpu": "2999m"}})
	endswith(low.why, "This limit throttles normal load.")
	low.harm == "throttled"
	some high in report(measured, {"limits": {"cpu": "5001m"}})
	high.harm == "neighbours"
	endswith(high.why, "This limit is too high to stop a runaway.")
}

test_the_smallest_amounts if {
	some f in report({"headroom.dev/cpu-average": "1m"}, {"requests": {"cpu": "1m"}})
	startswith(f.message, "There is no CPU limit; its average use is 1m, as measured (headroom.dev/cpu-average).")
	f.figures.wanted_limit_millicores == 2
	some low in report({"headroom.dev/cpu-average": "1"}, {"limits": {"cpu": "1m"}})
	startswith(low.message, "limits.cpu is 1m; its average use is 1, as measured")
	endswith(low.why, "This limit throttles normal load.")
	flat := {"batch": {"request": "average", "limit": "average"}}
	some high in report({"headroom.dev/cpu-average": "1m"}, {"limits": {"cpu": "1"}})
		with data.headroom.overrides as {"matrix": flat}
	high.figures.wanted_limit_millicores == 1
	endswith(high.why, "This limit is too high to stop a runaway.")
}

# Beside it stand containers whose limits are for other rules.
test_only_the_containers_of_such_a_class if {
	classes := {"sidecar": "sidecar", "tenant": "multi-tenant", "cron": "cron", "latency": "latency-sensitive"}
	annotations := {sprintf("class.headroom.dev/%s", [name]): class | some name, class in classes}
	names := array.concat(["app"], [name | some name, _ in classes])
	averages := {sprintf("cpu-average.headroom.dev/%s", [name]): "1" | some name in names}
	spec := {"containers": [{"name": name, "resources": {"limits": {"cpu": "8"}}} | some name in names]}
	found := rule.report with input as review(object.union(annotations, averages), spec, {})
	{f.container | some f in found} == {"app"}
}

test_unreadable_values if {
	count(report(measured, {"limits": {"cpu": "four"}})) == 0
	count(report({}, {"requests": {"cpu": "two"}, "limits": {"cpu": "4"}})) == 0
}

test_another_class if {
	every class in ["latency-sensitive", "sidecar", "cron", "multi-tenant", "btch"] {
		count(report(object.union(measured, {"headroom.dev/workload-class": class}), {})) == 0
	}
}

test_the_factor_of_the_row if {
	matrix := {
		"batch": {"limit": {"timesAverage": 1.5}},
		"flat": {"request": "average", "limit": "average"},
	}
	found := report(measured, {"limits": {"cpu": "4"}}) with data.headroom.overrides as {"matrix": matrix}
	some f in found
	startswith(
		f.expected,
		"limits.cpu: 3 and requests.cpu: 2, 1.5 × the average of 2; 25 % either way passes: 2250m to 3750m; measure",
	)
	flat := object.union(measured, {"headroom.dev/workload-class": "flat"})
	count(report(flat, {"limits": {"cpu": "4"}})) == 1 with data.headroom.overrides as {"matrix": matrix}
	count(report(flat, {"limits": {"cpu": "2"}})) == 0 with data.headroom.overrides as {"matrix": matrix}
}

test_a_limit_of_the_namespace if {
	range := {"spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]}}
	spec := {"containers": [{"name": "app", "resources": {"requests": {"cpu": "1"}}}]}
	some f in rule.report with input as review({"headroom.dev/cpu-average": "1"}, spec, {"limit_ranges": [range]})
	startswith(f.message, "limits.cpu is not set, and the namespace's LimitRange makes it 1;")
}

test_a_limit_of_the_pod_only_where_one_container_has_it if {
	resources := {"requests": {"cpu": "1"}, "limits": {"cpu": "8"}}
	one := rule.report with input as review(measured, {"containers": [{"name": "app"}], "resources": resources}, {})
	{f.path | some f in one} == {["spec", "template", "spec", "resources", "limits", "cpu"]}
	both := {"containers": [{"name": "app"}, {"name": "b"}], "resources": resources}
	two := rule.report with input as review(measured, both, {})
	count(two) == 0
}

test_init_containers_have_no_row if {
	spec := {"containers": [], "initContainers": [{"name": "i"}, {"name": "s", "restartPolicy": "Always"}]}
	found := rule.report with input as review({}, spec, {})
	count(found) == 0
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])
