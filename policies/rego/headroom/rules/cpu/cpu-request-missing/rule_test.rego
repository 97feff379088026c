package headroom.rules.cpu["cpu-request-missing_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["cpu-request-missing"] as rule

report(annotations, resources) := found if {
	found := rule.report with input as reviews.of_pod(
		annotations,
		{"containers": [{"name": "app", "resources": resources}]},
		{},
	)
}

latency := {"headroom.dev/workload-class": "latency-sensitive"}

cron := {"headroom.dev/workload-class": "cron"}

test_no_request if {
	some f in report(latency, {})
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "requests", "cpu"]
	f.expected == "requests.cpu at its average CPU use"
	f.figures == {"request_millicores": 0, "wanted_request_millicores": 0}
	f.fix == []
	f.follows == ["memory-missing"]
	every some_memory in [{"limits": {"memory": "1Gi"}}, {"requests": {"memory": "1Gi"}}] {
		[count(other.follows) | some other in report(latency, some_memory)] == [0]
	}
}

sidecar := {"headroom.dev/workload-class": "sidecar"}

test_a_row_that_wants_this_request_too if {
	[f.follows | some f in report(cron, {"limits": {"memory": "1Gi"}})] == [["cron-cpu"]]
	[f.follows | some f in report(cron, {})] == [["memory-missing", "cron-cpu"]]
	[f.follows | some f in report(sidecar, {"limits": {"memory": "1Gi"}})] == [["sidecar-cpu"]]

	# A row of the config, at whose limit only HR206 looks.
	matrix := {"cron": {"request": "average", "limit": "peak"}}
	found := report(cron, {"limits": {"memory": "1Gi"}}) with data.headroom.overrides as {"matrix": matrix}
	[count(f.follows) | some f in found] == [0]
}

test_the_average_is_wanted if {
	some f in report(object.union(latency, {"headroom.dev/cpu-average": "750m"}), {"requests": {"memory": "1Gi"}})
	f.expected == "requests.cpu: 750m; its average use is 750m, as measured (headroom.dev/cpu-average)"
	f.figures.wanted_request_millicores == 750
	count(f.fix) > 0
}

test_a_cron_wants_its_peak if {
	some f in report(object.union(cron, {"cpu-peak.headroom.dev/app": "2"}), {})
	f.expected == "requests.cpu: 2; its measured peak is 2 (cpu-peak.headroom.dev/app)"
	count(f.fix) > 0
	some unmeasured in report(object.union(cron, {"headroom.dev/cpu-average": "1"}), {})
	unmeasured.expected == "requests.cpu at its peak CPU use, as this class asks"
	unmeasured.fix == []
}

test_zero_is_no_request if {
	count(report(latency, {"requests": {"cpu": "0"}})) == 1
}

test_a_request if {
	count(report(latency, {"requests": {"cpu": "1m"}})) == 0
}

test_the_limit_is_the_request if {
	count(report(latency, {"limits": {"cpu": "1"}})) == 0
}

test_a_request_that_cannot_be_read if {
	count(report(latency, {"requests": {"cpu": "one"}})) == 0
}

test_without_a_class_too if {
	count(report({}, {})) == 1
	count(report({"headroom.dev/workload-class": "latncy"}, {})) == 1
}

test_a_request_of_the_pod if {
	spec := {"containers": [{"name": "app"}], "resources": {"requests": {"cpu": "1"}}}
	found := rule.report with input as reviews.of_pod(latency, spec, {})
	count(found) == 0
}

test_a_request_of_the_namespace if {
	range := {"spec": {"limits": [{"type": "Container", "defaultRequest": {"cpu": "100m"}}]}}
	spec := {"containers": [{"name": "app"}]}
	found := rule.report with input as reviews.of_pod(latency, spec, {"limit_ranges": [range]})
	count(found) == 0
}

test_sidecars_but_not_init_containers if {
	spec := {"containers": [], "initContainers": [{"name": "migrate"}, {"name": "proxy", "restartPolicy": "Always"}]}
	found := rule.report with input as reviews.of_pod(latency, spec, {})
	{f.container | some f in found} == {"proxy"}
}

test_what_cannot_be_judged_does_not_abort if {
	found := rule.report with input as reviews.of_pod(latency, {"containers": [null, {"resources": "none"}, 7]}, {})
	{f.container | some f in found} == {""}
}
