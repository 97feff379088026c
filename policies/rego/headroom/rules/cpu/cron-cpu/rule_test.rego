package headroom.rules.cpu["cron-cpu_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["cron-cpu"] as rule

cronjob(annotations, spec) := {
	"apiVersion": "batch/v1",
	"kind": "CronJob",
	"metadata": {"name": "report", "annotations": annotations},
	"spec": {"jobTemplate": {"spec": {"template": {"spec": spec}}}},
}

report(annotations, resources) := found if {
	found := rule.report with input as cronjob(annotations, {"containers": [{"name": "app", "resources": resources}]})
}

peak(value) := {"cpu-peak.headroom.dev/app": value}

base := ["spec", "jobTemplate", "spec", "template", "spec", "containers", 0, "resources"]

said := {"headroom.dev/workload-class": "cron"}

# A helper that a CronJob runs for a second has its class by its kind alone.
test_a_class_that_only_the_kind_shows if {
	every resources in [{}, {"requests": {"cpu": "1"}}, {"requests": {"cpu": "10m"}, "limits": {"cpu": "1"}}] {
		count(report({}, resources)) == 0
		count(report(said, resources)) == 1
		count(report(peak("2"), resources)) == 1
	}
}

test_a_request_below_the_limit_and_no_peak if {
	some f in report(said, {"requests": {"cpu": "250m"}, "limits": {"cpu": "1"}})
	f.severity == "warning"
	f.expected == concat("", [
		"one value for both, the peak CPU use (headroom annotate measures it: cpu-peak.headroom.dev/app)",
		", or requests.cpu: 1, or limits.cpu at the request, where the peak is no higher",
	])
	f.fix == []
}

test_no_limit if {
	some f in report(said, {"requests": {"cpu": "1"}})
	f.container == "app"
	f.path == array.concat(base, ["limits", "cpu"])
	_whole(f) == concat(" ", [
		"requests.cpu is 1; there is no CPU limit.",
		"A run that loops takes every idle core of the node.",
	])
	f.expected == "requests.cpu = limits.cpu = its peak, not known yet (headroom annotate: cpu-peak.headroom.dev/app)"
	f.figures == {"request_millicores": 1000, "limit_millicores": 0, "peak_millicores": 0}
	f.harm == "neighbours"
	f.fix == []
}

test_a_request_below_the_limit if {
	some f in report(peak("1"), {"requests": {"cpu": "250m"}, "limits": {"cpu": "1"}})
	f.path == array.concat(base, ["requests", "cpu"])
	_whole(f) == concat(" ", [
		"requests.cpu is 250m; limits.cpu is 1; its measured peak is 1 (cpu-peak.headroom.dev/app).",
		"Only the request is reserved on the node: when that is busy, the run takes longer.",
	])
	f.expected == "requests.cpu = limits.cpu = 1, its measured peak"
	f.harm == "starved"
	count(f.fix) > 0
}

test_equal_and_under_the_peak if {
	some f in report(peak("1001m"), {"limits": {"cpu": "1"}})
	f.path == array.concat(base, ["limits", "cpu"])
	f.why == "It is throttled at its peak, and the run takes longer."
	f.figures.peak_millicores == 1001
	f.harm == "throttled"
}

test_a_request_below_a_limit_that_is_under_the_peak if {
	some f in report(peak("1500m"), {"requests": {"cpu": "100m"}, "limits": {"cpu": "150m"}})
	startswith(f.message, "requests.cpu is 100m; limits.cpu is 150m; its measured peak is 1500m")
	f.why == "It is throttled at its peak, and the run takes longer."
	f.expected == "requests.cpu = limits.cpu = 1500m, its measured peak"
}

test_the_smallest_amounts if {
	some f in report(peak("1m"), {"requests": {"cpu": "1m"}})
	startswith(f.message, "requests.cpu is 1m; there is no CPU limit; its measured peak is 1m (")
	some none in report(said, {"requests": {"cpu": "0"}, "limits": {"cpu": "1m"}})
	none.path == array.concat(base, ["requests", "cpu"])
	startswith(none.why, "Only the request is reserved")
}

test_equal_and_at_the_peak if {
	count(report(peak("1"), {"requests": {"cpu": "1"}, "limits": {"cpu": "1000m"}})) == 0
	count(report(peak("500m"), {"limits": {"cpu": "1"}})) == 0
	count(report({}, {"limits": {"cpu": "1"}})) == 0
}

# The API server refuses it, and HR208 says so.
test_a_limit_below_the_request if {
	count(report({}, {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}})) == 0
}

test_values_that_cannot_be_read if {
	count(report(peak("1"), {"requests": {"cpu": "?"}, "limits": {"cpu": "1"}})) == 0
	count(report(peak("1"), {"requests": {"cpu": "1"}, "limits": {"cpu": "?"}})) == 0
	count(report(peak("?"), {"limits": {"cpu": "1"}})) == 0
}

test_other_classes if {
	every class in ["latency-sensitive", "batch", "sidecar", "multi-tenant", "corn"] {
		count(report(object.union(peak("4"), {"headroom.dev/workload-class": class}), {})) == 0
	}
}

test_init_containers_have_no_row if {
	found := rule.report with input as cronjob({}, {"containers": [], "initContainers": [{"name": "migrate"}]})
	count(found) == 0
}

test_a_pod_of_a_cron_job if {
	some f in rule.report with input as reviews.of_pod(
		peak("1"),
		{"containers": [{"name": "app"}]},
		{"owners": [{"kind": "Job"}, {"kind": "CronJob"}]},
	)
	f.container == "app"
}

test_what_the_pod_gives_to_several_containers if {
	spec := {"containers": [
		{"name": "app", "resources": {"requests": {"cpu": "1"}}},
		{"name": "b", "resources": {"requests": {"cpu": "1"}}},
	]}
	found := rule.report with input as cronjob(peak("1"), object.union(spec, {"resources": {"limits": {"cpu": "2"}}}))
	count(found) == 0
	throttled := rule.report with input as cronjob(peak("3"), object.union(spec, {"resources": {"limits": {"cpu": "2"}}}))
	{f.path | some f in throttled} == {["spec", "jobTemplate", "spec", "template", "spec", "resources", "limits", "cpu"]}
}

test_rows_of_the_config if {
	matrix := {
		"short": {"request": "peak", "limit": "none"},
		"spiky": {"request": "average", "limit": "peak"},
	}
	short := object.union(peak("2"), {"headroom.dev/workload-class": "short"})
	some f in report(short, {"requests": {"cpu": "1"}}) with data.headroom.overrides as {"matrix": matrix}
	f.expected == "requests.cpu = 2, its measured peak"
	f.why == "Less is reserved on the node than the run needs."
	some limited in report(short, {"requests": {"cpu": "1"}, "limits": {"cpu": "4"}})
		with data.headroom.overrides as {"matrix": matrix}
	limited.why == "Less is reserved on the node than the run needs."
	some usual in report(peak("2"), {"requests": {"cpu": "1"}, "limits": {"cpu": "4"}})
	startswith(usual.why, "Only the request is reserved")
	every resources, findings in {
		{"requests": {"cpu": "1m"}}: 1,
		{"requests": {"cpu": "1999m"}}: 1,
		{"requests": {"cpu": "2"}}: 0,
		{"requests": {"cpu": "2"}, "limits": {"cpu": "4"}}: 0,
		{"requests": {"cpu": "0"}}: 0,
		{"requests": {"cpu": "?"}}: 0,
	} {
		found := report(short, resources) with data.headroom.overrides as {"matrix": matrix}
		count(found) == findings
	}
	spiky := object.union(peak("2"), {"headroom.dev/workload-class": "spiky"})
	some low in report(spiky, {"requests": {"cpu": "1"}, "limits": {"cpu": "1"}})
		with data.headroom.overrides as {"matrix": matrix}
	low.expected == "limits.cpu = 2, its measured peak"
	passing := report(spiky, {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}})
		with data.headroom.overrides as {"matrix": matrix}
	count(passing) == 0
}

test_a_limit_far_above_the_peak if {
	[f] := [f | some f in report(peak("100m"), {"limits": {"cpu": "1"}})]
	f.severity == "info"
	_whole(f) == concat(" ", [
		"requests.cpu is not set, so Kubernetes makes it the limit, 1; limits.cpu is 1;",
		"its measured peak is 100m (cpu-peak.headroom.dev/app).",
		"More than twice the peak is reserved for nothing, and does not stop a run that loops.",
	])
	f.expected == "requests.cpu = limits.cpu = 100m, its measured peak"
	f.fix == []
	count(report(peak("100m"), {"limits": {"cpu": "200m"}})) == 0

	# A row that leaves the request alone.
	twice := {"requests": {"cpu": "50m"}, "limits": {"cpu": "201m"}}
	[limit_alone] := [f | some f in report(peak("100m"), twice)] with data.headroom.overrides as {
		"matrix": {"cron": {"request": "average", "limit": "peak"}},
	}
	endswith(_whole(limit_alone), "A limit of more than twice the peak does not stop a run that loops.")
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])
