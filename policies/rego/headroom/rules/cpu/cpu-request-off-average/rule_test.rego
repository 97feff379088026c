package headroom.rules.cpu["cpu-request-off-average_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["cpu-request-off-average"] as rule

review(annotations, spec) := reviews.of_pod(annotations, spec, {})

report(class, average, request) := found if {
	found := rule.report with input as review(
		{"headroom.dev/workload-class": class, "headroom.dev/cpu-average": average, "cpu-average.headroom.dev/app": average},
		{"containers": [{"name": "app", "resources": {"requests": {"cpu": request}}}]},
	)
}

test_far_over if {
	some f in report("latency-sensitive", "1", "2")
	f.container == "app"
	f.path == ["spec", "containers", 0, "resources", "requests", "cpu"]
	_whole(f) == concat(" ", [
		"requests.cpu is 2; its average use is 1, as measured (cpu-average.headroom.dev/app).",
		"CPU is reserved that is not used, and the autoscaler acts too late.",
	])
	f.expected == "requests.cpu: 1; 25 % either way passes: 750m to 1250m"
	f.figures == {"request_millicores": 2000, "average_millicores": 1000, "wanted_request_millicores": 1000}
	f.harm == "cost"
}

test_far_under if {
	some f in report("batch", "1", "500m")
	startswith(f.why, "Less is reserved on the node than the container uses")
	f.harm == "starved"
}

test_exactly_the_tolerance_passes if {
	count(report("batch", "1", "1250m")) == 0
	count(report("batch", "1", "750m")) == 0
	count(report("batch", "1", "1251m")) == 1
	count(report("batch", "1", "749m")) == 1
}

test_measured_rows_and_tenants_are_judged if {
	count(report("sidecar", "1", "2")) == 1
	count(report("multi-tenant", "1", "2")) == 1
}

test_not_for_cron_whose_request_is_its_peak if {
	count(report("cron", "1", "2")) == 0
}

test_not_without_a_class if {
	count(report("latncy", "1", "2")) == 0
}

test_a_multiple_of_the_config if {
	matrix := {"burst": {"request": {"timesAverage": 2}, "limit": "none"}}
	found := report("burst", "1", "1") with data.headroom.overrides as {"matrix": matrix}
	some f in found
	f.expected == "requests.cpu: 2, 2 × the average of 1; 25 % either way passes: 1500m to 2500m"
	count(report("burst", "1", "2")) == 0 with data.headroom.overrides as {"matrix": matrix}
}

test_not_against_an_assumed_average if {
	count(report("batch", "much", "2")) == 0
}

test_not_against_an_assumed_average_beside_a_measured_one if {
	matrix := {"burst": {"request": {"timesAverage": 2}, "limit": "none"}}
	annotations := {"headroom.dev/workload-class": "burst", "cpu-average.headroom.dev/app": "1"}
	requests := {"resources": {"requests": {"cpu": "1"}}}
	spec := {"containers": [object.union({"name": name}, requests) | some name in ["app", "b"]]}
	found := rule.report with input as review(annotations, spec) with data.headroom.overrides as {"matrix": matrix}
	{f.container | some f in found} == {"app"}
}

test_the_smallest_request if {
	count(report("batch", "1", "1m")) == 1
	count(report("batch", "1m", "1")) == 1
	count(report("batch", "1m", "1m")) == 0
}

test_no_or_unreadable_requests_are_other_rules if {
	count(report("batch", "1", "0")) == 0
	count(report("batch", "1", "two")) == 0
}

test_the_request_that_a_limit_makes if {
	annotations := {"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "1"}
	spec := {"containers": [{"name": "app", "resources": {"limits": {"cpu": "2"}}}]}
	some f in rule.report with input as review(annotations, spec)
	startswith(f.message, "requests.cpu is not set, so Kubernetes makes it the limit, 2;")
}

test_a_request_of_the_pod_only_where_one_container_has_it if {
	annotations := {"headroom.dev/workload-class": "batch", "headroom.dev/cpu-average": "1"}
	resources := {"requests": {"cpu": "2"}}
	one := rule.report with input as review(annotations, {"containers": [{"name": "app"}], "resources": resources})
	{f.path | some f in one} == {["spec", "resources", "requests", "cpu"]}
	two := rule.report with input as review(
		annotations,
		{"containers": [{"name": "app"}, {"name": "b"}], "resources": resources},
	)
	count(two) == 0
}

test_against_what_was_measured if {
	spec := {"containers": [{"name": "app", "resources": {"requests": {"cpu": "2"}}}]}
	entry := {"source": "Prometheus", "samples": 10080, "age_seconds": 40, "cpu_average": "700m"}
	batch := review({"headroom.dev/workload-class": "batch"}, spec)
	measured := object.union(batch, {"context": {"measured": {"app": entry}}})
	some f in rule.report with input as measured
	startswith(f.message, concat("", [
		"requests.cpu is 2; its average use is 700m ",
		"(measured by Prometheus: 10 080 samples, newest 40s old).",
	]))
	few := object.union(measured, {"context": {"measured": {"app": {"samples": 12}}}})
	count(rule.report) == 0 with input as few
}

with_limit(class, average, resources) := f.expected if {
	[f] := [f | some f in rule.report] with input as review(
		{"headroom.dev/workload-class": class, "cpu-average.headroom.dev/app": average},
		{"containers": [{"name": "app", "resources": resources}]},
	)
}

# A request is not above its limit.
test_what_becomes_of_a_limit_below_the_average if {
	low := {"requests": {"cpu": "100m"}, "limits": {"cpu": "500m"}}
	startswith(with_limit("latency-sensitive", "2", low), "requests.cpu: 2 and no limits.cpu (HR202);")
	startswith(with_limit("batch", "2", low), "requests.cpu: 2 and limits.cpu: 4;")
	startswith(with_limit("multi-tenant", "2", low), "requests.cpu: 2 and limits.cpu: 2;")
	zero := {"requests": {"cpu": "100m"}, "limits": {"cpu": "0"}}
	startswith(with_limit("latency-sensitive", "2", zero), "requests.cpu: 2 and no limits.cpu;")
	startswith(with_limit("batch", "2", zero), "requests.cpu: 2 and limits.cpu: 4;")
	peak := with_limit("gpu", "2", low) with data.headroom.overrides as {
		"matrix": {"gpu": {"request": "average", "limit": "peak"}},
	}
	startswith(peak, "requests.cpu: 2 and limits.cpu: 2;")
}

# The message as the judge puts it together.
_whole(f) := sprintf("%s %s", [f.message, f.why])
