package headroom.detail_test

import data.headroom.detail
import data.headroom.reviews_test as reviews

pod(annotations, containers, more) := object.union({"spec": {"containers": containers}}, object.union(more, {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "a", "annotations": annotations},
}))

review(manifest, measured) := reviews.of_object(manifest, {"measured": measured})

of_class(class) := {"headroom.dev/workload-class": class}

app(requests, limits) := {"name": "app", "resources": {"requests": requests, "limits": limits}}

use(changes) := object.union(
	{"source": "Prometheus", "window_seconds": 604800, "samples": 10080, "age_seconds": 40},
	changes,
)

first(class, container, measured) := found[0] if {
	found := detail.result with input as review(pod(of_class(class), [container], {}), {"app": measured})
}

no_facts := {
	"threads": 0, "classes": 0, "metaspace": 0, "code_cache": 0, "direct": 0, "live": 0,
	"processors": 0, "pause": 0,
}

test_what_is_known_of_a_container if {
	cpu := {"cpu": "500m", "memory": "1Gi"}
	found := first("batch", app(cpu, {"cpu": "2", "memory": "1Gi"}), use({
		"cpu_average": "700m",
		"cpu_peak": "1900m",
		"memory_peak": "768Mi",
		"periods": 1000,
		"throttled": 100,
		"oom_kills": 2,
	}))
	found == {
		"container": "app",
		"cpu": {
			"request": 500,
			"limit": 2000,
			"average": 700,
			"peak": 1900,
			"cores": 2,
			"wanted_request": 700,
			"wanted_limit": 1400,
		},
		"memory": {"request": 1073741824, "limit": 1073741824, "peak": 805306368},
		"budget": null,
		"harm": {"oom_kills": 2, "throttled_cores": 0.05, "headroom_left": 0.25},
		"evidence": "measured by Prometheus: 10 080 samples over 7d, newest 40s old",
		"facts": no_facts,
	}
}

test_nothing_is_known if {
	found := detail.result with input as pod({}, [{"name": "app", "resources": {"requests": {"cpu": "?"}}}], {})
	found == [{
		"container": "app",
		"cpu": {
			"request": 0,
			"limit": 0,
			"average": 0,
			"peak": 0,
			"cores": 2,
			"wanted_request": -1,
			"wanted_limit": -1,
		},
		"memory": {"request": 0, "limit": 0, "peak": 0},
		"budget": null,
		"harm": {"oom_kills": 0, "throttled_cores": 0, "headroom_left": 1},
		"evidence": "",
		"facts": no_facts,
	}]
}

test_nobody_counted if {
	found := detail.result with input as pod({}, [app({"cpu": "1"}, {})], {})
	found[0].harm == {"oom_kills": 0, "throttled_cores": 0, "headroom_left": 1}
	elsewhere := {"other": use({"oom_kills": 2})}
	beside := detail.result with input as review(pod({}, [app({"cpu": "1"}, {})], {}), elsewhere)
	beside[0].harm == found[0].harm
	beside[0].evidence == ""
}

test_too_few_samples if {
	found := first("batch", app({"cpu": "1"}, {}), use({"samples": 12, "cpu_average": "3", "oom_kills": 1}))
	found.evidence == "Prometheus has 12 samples, at least 60 are wanted"
	found.cpu.average == 0
	found.harm == {"oom_kills": 1, "throttled_cores": 0, "headroom_left": 1}
}

test_what_each_class_wants if {
	measured := use({"cpu_average": "700m", "cpu_peak": "1900m"})
	{class: [found.cpu.wanted_request, found.cpu.wanted_limit] |
		some class in ["latency-sensitive", "batch", "sidecar", "cron", "multi-tenant"]
		found := first(class, app({"cpu": "1"}, {}), measured)
	} == {
		"latency-sensitive": [700, 0],
		"batch": [700, 1400],
		"sidecar": [700, 1900],
		"cron": [1900, 1900],
		"multi-tenant": [700, -1],
	}
}

test_what_nobody_has_measured_is_not_wanted if {
	{class: [found.cpu.wanted_request, found.cpu.wanted_limit] |
		some class in ["latency-sensitive", "sidecar", "cron", "none"]
		found := first(class, app({"cpu": "1"}, {}), {})
	} == {"latency-sensitive": [-1, 0], "sidecar": [-1, -1], "cron": [-1, -1], "none": [-1, -1]}
}

tenant(containers) := [d.cpu.wanted_limit | some d in found] if {
	annotations := object.union(of_class("multi-tenant"), {"headroom.dev/cpu-allocation": "4"})
	found := detail.result with input as pod(annotations, containers, {})
}

test_a_tenant_gets_its_allocation if {
	tenant([app({"cpu": "1"}, {"cpu": "1"})]) == [4000]
	tenant([app({}, {"cpu": "1"}), {"name": "b", "resources": {"limits": {"cpu": "3"}}}]) == [1000, 3000]
	tenant([app({}, {"cpu": "1"}), {"name": "b"}]) == [-1, 3000]
	tenant([app({}, {}), {"name": "b"}]) == [-1, -1]
	tenant([app({}, {"cpu": "3999m"}), {"name": "b", "resources": {"limits": {"cpu": "1m"}}}]) == [3999, 1]
	tenant([app({}, {"cpu": "3999m"}), {"name": "b"}]) == [-1, 1]
	tenant([app({}, {"cpu": "4"}), {"name": "b"}]) == [-1, -1]
}

test_an_allocation_is_for_tenants if {
	every case in [
		[[{}], [2000]],
		[[{"cpu": "1"}, {"cpu": "3"}], [2000, -1]],
		[[{}, {"cpu": "1"}], [2000, -1]],
		[[{"cpu": "1"}, {"cpu": "1"}], [2000, -1]],
	] {
		[limits, wanted] := case
		annotations := object.union(of_class("batch"), {
			"headroom.dev/cpu-allocation": "4",
			"cpu-average.headroom.dev/c0": "1",
		})
		containers := [object.union(app({"cpu": "1"}, limit), {"name": name}) |
			some i, limit in limits
			name := sprintf("c%d", [i])
		]
		found := detail.result with input as pod(annotations, containers, {})
		[d.cpu.wanted_limit | some d in found] == wanted
	}
}

test_the_least_there_is if {
	least := use({"cpu_average": "1m", "cpu_peak": "1m"})
	{class: [found.cpu.wanted_request, found.cpu.wanted_limit] |
		some class in ["latency-sensitive", "batch", "sidecar", "cron"]
		found := first(class, app({"cpu": "1"}, {}), least)
	} == {"latency-sensitive": [1, 0], "batch": [1, 2], "sidecar": [1, 1], "cron": [1, 1]}
	annotations := object.union(of_class("multi-tenant"), {"headroom.dev/cpu-allocation": "1m"})
	found := detail.result with input as pod(annotations, [app({}, {})], {})
	found[0].cpu.wanted_limit == 1
	limited := detail.result with input as pod(annotations, [app({}, {"cpu": "1"})], {})
	limited[0].cpu.wanted_limit == 1
	unread := detail.result with input as pod(of_class("multi-tenant"), [app({}, {"cpu": "1"})], {})
	unread[0].cpu.wanted_limit == -1
	tenants := pod(of_class("multi-tenant"), [app({}, {}), {"name": "b"}], {})
	none := detail.result with input as tenants
	[d.cpu.wanted_limit | some d in none] == [-1, -1]
}

java := {
	"name": "app",
	"command": ["java", "-Xmx512m", "-XX:MaxMetaspaceSize=128m", "-XX:MaxDirectMemorySize=64m", "-jar", "a.jar"],
	"resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "2Gi"}},
}

test_the_budget_of_a_jvm if {
	found := first("batch", java, {})
	found.budget.limit_mib == 2048
	found.budget.complete
	found.budget.terms[0] == {
		"name": "heap",
		"mib": 512,
		"least_mib": 512,
		"bound_mib": 512,
		"source": "-Xmx512m",
		"grade": "declared",
		"assumed": false,
	}
	found.budget.terms[4].source == "250 threads of 128 KiB, assumed"
	found.budget.total_mib == sum([term.mib | some term in found.budget.terms])
	found.budget.least_mib == sum([term.least_mib | some term in found.budget.terms])
	found.budget.bound_mib == sum([term.bound_mib | some term in found.budget.terms])
	found.budget.left_mib == 2048 - found.budget.total_mib
	found.harm.headroom_left == found.budget.headroom
	found.harm.headroom_left > 0.5
	[found.budget.least_mib, found.budget.total_mib, found.budget.bound_mib] == [579, 879, 1361]

	# What it does use says more than what it may come to use.
	first("batch", java, use({"memory_peak": "1Gi"})).harm.headroom_left == 0.5
}

left(limit, peak) := first("batch", app({}, {"memory": limit}), use({"memory_peak": peak})).harm.headroom_left

test_what_a_peak_leaves_of_a_limit if {
	left("4", "1") == 0.75
	left("1", "1") == 0
	left("1", "2") == -1
	left("0", "1") == 1
	left("lots", "1") == 1
	left("1Gi", "0") == 1
}

test_a_budget_without_a_limit_tells_nothing if {
	found := first("batch", object.remove(java, ["resources"]), {})
	not found.budget.complete
	found.harm.headroom_left == 1
}

test_the_order_is_that_of_the_result if {
	more := {"spec": {"initContainers": [java, {"name": "proxy", "restartPolicy": "Always"}]}}
	pods := pod({}, [{"name": "b"}, {"name": "a"}], more)
	found := detail.result with input as pods
	[d.container | some d in found] == ["b", "a", "app", "proxy"]
	found[2].budget.limit_mib == 2048
	twice := detail.result with input as {"items": [pods, pod({}, [{"name": "c"}], {})]}
	[d.container | some d in twice] == ["b", "a", "app", "proxy", "c"]
	detail.result == [] with input as {"apiVersion": "v1", "kind": "Service"}
	detail.result == [] with input as "text"
}

test_what_is_known_of_a_jvm if {
	java := object.union(app({}, {"memory": "2Gi"}), {"command": ["java", "-Xmx1g"]})
	told := {"exporter": "Micrometer", "samples": 99, "seen_seconds": 86400, "threads": 77, "live": 1048576}
	found := first("batch", java, object.union(use({}), {"runtime": told}))
	found.facts == object.union(no_facts, {"threads": 77, "live": 1048576})
}
