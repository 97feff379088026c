package headroom.rules.cpu["sidecar-cpu_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["sidecar-cpu"] as rule

pod(annotations, spec) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "web", "annotations": annotations},
	"spec": spec,
}

sidecar := {"class.headroom.dev/proxy": "sidecar"}

measured := object.union(sidecar, {
	"cpu-average.headroom.dev/proxy": "200m",
	"cpu-peak.headroom.dev/proxy": "500m",
})

report(annotations, resources) := found if {
	found := rule.report with input as pod(annotations, {"containers": [{"name": "proxy", "resources": resources}]})
}

limits := ["spec", "containers", 0, "resources", "limits", "cpu"]

test_neither if {
	some f in report(sidecar, {})
	f.container == "proxy"
	f.path == limits
	_whole(f) == concat(" ", [
		"There is no CPU limit; there is no CPU request.",
		"A runaway sidecar takes the CPU of the container that it serves.",
	])
	f.expected == concat("; ", [
		"requests.cpu: its measured average, not known yet (headroom annotate: cpu-average.headroom.dev/proxy)",
		"limits.cpu: its measured peak, not known yet (headroom annotate: cpu-peak.headroom.dev/proxy)",
	])
	f.figures == {"request_millicores": 0, "limit_millicores": 0, "average_millicores": 0, "peak_millicores": 0}
	f.harm == "neighbours"
	f.fix == []
}

test_no_limit if {
	some f in report(measured, {"requests": {"cpu": "200m"}})
	f.path == limits
	startswith(f.message, "There is no CPU limit; requests.cpu is 200m.")
	f.expected == "limits.cpu: its measured peak, 500m"
	count(f.fix) > 0
}

test_no_request if {
	some f in report(measured, {"requests": {"cpu": "0"}, "limits": {"cpu": "500m"}})
	f.path == ["spec", "containers", 0, "resources", "requests", "cpu"]
	startswith(f.message, "There is no CPU request; limits.cpu is 500m.")
	f.harm == "starved"
	f.expected == "requests.cpu: its measured average, 200m"
	count(f.fix) > 0
	some unreadable in report(measured, {"requests": {"cpu": "0"}, "limits": {"cpu": "?"}})
	unreadable.expected == "requests.cpu: its measured average, 200m"
}

test_a_limit_under_the_peak if {
	some f in report(measured, {"requests": {"cpu": "200m"}, "limits": {"cpu": "499m"}})
	f.path == limits
	f.harm == "throttled"
	_whole(f) == concat(" ", [
		"limits.cpu is 499m; its measured peak is 500m (cpu-peak.headroom.dev/proxy).",
		"At its peak it needs 50 ms in each 100 ms and gets 49.9.",
		"It is throttled, and the traffic through it waits.",
	])
	f.expected == "limits.cpu: its measured peak, 500m"
	f.figures == {
		"request_millicores": 200,
		"limit_millicores": 499,
		"average_millicores": 200,
		"peak_millicores": 500,
	}
	count(f.fix) > 0
}

test_a_limit_at_the_peak_passes if {
	count(report(measured, {"requests": {"cpu": "200m"}, "limits": {"cpu": "500m"}})) == 0
}

test_unmeasured_values_pass if {
	count(report(sidecar, {"requests": {"cpu": "200m"}, "limits": {"cpu": "200m"}})) == 0
	count(report(sidecar, {"limits": {"cpu": "200m"}})) == 0
}

test_values_that_cannot_be_read if {
	count(report(measured, {"requests": {"cpu": "?"}, "limits": {"cpu": "?"}})) == 0
	count(report(object.union(sidecar, {"cpu-peak.headroom.dev/proxy": "?"}), {"limits": {"cpu": "1m"}})) == 0
}

test_other_classes if {
	every class in ["latency-sensitive", "batch", "cron", "multi-tenant", "sidecr"] {
		count(report({"class.headroom.dev/proxy": class}, {})) == 0
	}
	count(report({}, {})) == 0
}

test_native_sidecars_and_no_init_containers if {
	found := rule.report with input as pod({}, {"containers": [], "initContainers": [
		{"name": "migrate"},
		{"name": "proxy", "restartPolicy": "Always"},
	]})
	{f.container | some f in found} == {"proxy"}
}

test_a_limit_of_the_pod_or_the_namespace if {
	of_pod := rule.report with input as pod(sidecar, {
		"containers": [{"name": "proxy"}, {"name": "app"}],
		"resources": {"limits": {"cpu": "1"}},
	})
	count(of_pod) == 0
	range := {"spec": {"limits": [{"type": "Container", "default": {"cpu": "100m"}}]}}
	some f in rule.report with input as reviews.of_object(
		pod(measured, {"containers": [{"name": "proxy"}]}),
		{"limit_ranges": [range]},
	)
	startswith(f.message, "limits.cpu is not set, and the namespace's LimitRange makes it 100m;")
}

test_a_row_of_the_config if {
	matrix := {"agent": {"request": "average", "limit": "measured"}}
	found := report({"class.headroom.dev/proxy": "agent"}, {"requests": {"cpu": "1"}})
		with data.headroom.overrides as {"matrix": matrix}
	count(found) == 1
	zero := report({"class.headroom.dev/proxy": "agent"}, {"requests": {"cpu": "0"}, "limits": {"cpu": "1"}})
		with data.headroom.overrides as {"matrix": matrix}
	count(zero) == 0
}

test_what_was_measured_says_by_whom if {
	entry := {"source": "Prometheus", "samples": 100, "age_seconds": 40, "cpu_average": "120m"}
	some f in rule.report with input as reviews.of_pod(
		{"headroom.dev/workload-class": "sidecar"},
		{"containers": [{"name": "app"}]},
		{"measured": {"app": entry}},
	)
	f.expected == concat("; ", [
		"requests.cpu: its measured average, 120m (measured by Prometheus: 100 samples, newest 40s old)",
		"limits.cpu: its peak, which was not measured",
	])
}

test_a_limit_far_above_the_peak if {
	[f] := [f | some f in report(measured, {"requests": {"cpu": "200m"}, "limits": {"cpu": "1001m"}})]
	f.severity == "info"
	f.path == limits
	_whole(f) == concat(" ", [
		"limits.cpu is 1001m; its measured peak is 500m (cpu-peak.headroom.dev/proxy).",
		"A limit of more than twice the peak does not stop a runaway sidecar.",
	])
	f.expected == "limits.cpu: its measured peak, 500m"
	f.fix == []
	count(report(measured, {"requests": {"cpu": "200m"}, "limits": {"cpu": "1"}})) == 0

	# Its request may be what asks for so much, and a runtime may count its threads by the limit.
	count(report(measured, {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}})) == 0
	every container in [
		{"command": ["java", "Main"]},
		{"env": [{"name": "GOGC", "value": "50"}]},
		{"command": ["gunicorn", "--workers", "2", "app"]},
	] {
		resources := {"requests": {"cpu": "200m"}, "limits": {"cpu": "1001m"}}
		named := object.union(container, {"name": "proxy", "resources": resources})
		found := rule.report with input as pod(measured, {"containers": [named]})
		count(found) == 0
	}
}

# Its limit would be under the request that it gets.
test_a_limit_under_the_average_of_what_has_no_request if {
	average := object.union(sidecar, {"cpu-average.headroom.dev/proxy": "200m"})
	{f.expected | some f in report(average, {"requests": {"cpu": "0"}, "limits": {"cpu": "100m"}})} == {concat("; ", [
		"requests.cpu: its measured average, 200m",
		"limits.cpu: its measured peak, not known yet (headroom annotate: cpu-peak.headroom.dev/proxy)",
	])}
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])
