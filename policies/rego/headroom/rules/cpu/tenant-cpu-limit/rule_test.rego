package headroom.rules.cpu["tenant-cpu-limit_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["tenant-cpu-limit"] as rule

review(annotations, spec, namespace_annotations) := reviews.of_pod(
	object.union({"headroom.dev/workload-class": "multi-tenant"}, annotations),
	spec,
	{"namespaces": [{"metadata": {"name": "blue", "annotations": namespace_annotations}}]},
)

report(annotations, spec) := found if {
	found := rule.report with input as review(annotations, spec, {})
}

allocation(value) := {"headroom.dev/cpu-allocation": value}

container(name, limit) := {"name": name, "resources": {"requests": {"cpu": "100m"}, "limits": {"cpu": limit}}}

bare(name) := {"name": name, "resources": {"requests": {"cpu": "100m"}}}

limits := ["spec", "containers", 0, "resources", "limits", "cpu"]

test_no_limit if {
	some f in report({}, {"containers": [bare("app")]})
	f.container == "app"
	f.path == limits
	f.message == "limits.cpu is not set."
	startswith(f.why, "The container takes whatever CPU is idle on the node")
	f.expected == "limits.cpu; headroom.dev/cpu-allocation would say how much the Pod may have"
	f.figures == {"allocation_millicores": 0, "wanted_limit_millicores": 0}
	f.fix == []
}

test_no_limit_wants_what_is_left if {
	found := report(allocation("2"), {"containers": [bare("app"), container("b", "500m")]})
	count(found) == 1
	some f in found
	f.expected == "limits.cpu: 1500m, so that the Pod's limits come to 2, the allocation"
	f.figures.wanted_limit_millicores == 1500
	count(f.fix) > 0
}

test_no_limit_and_all_of_the_allocation_left if {
	some f in report(allocation("2"), {"containers": [bare("app")]})
	f.expected == "limits.cpu: 2, so that the Pod's limits come to 2, the allocation"
}

test_no_limit_and_nothing_left if {
	some f in report(allocation("2"), {"containers": [bare("app"), container("b", "3")]})
	f.expected == "limits.cpu, so that the Pod's limits come to 2, the allocation"
	f.fix == []
}

test_several_without_a_limit if {
	found := report(allocation("2"), {"containers": [bare("app"), bare("b")]})
	{f.container | some f in found} == {"app", "b"}
	{f.figures.wanted_limit_millicores | some f in found} == {0}
}

test_init_containers_need_their_limit_too if {
	found := report(allocation("2"), {"containers": [container("app", "2")], "initContainers": [bare("migrate")]})
	{f.container | some f in found} == {"migrate"}
	every f in found {
		f.path == ["spec", "initContainers", 0, "resources", "limits", "cpu"]
		f.fix == []
	}
}

test_init_containers_of_a_pod_with_one_tenant_container if {
	annotations := {"headroom.dev/workload-class": "batch", "class.headroom.dev/app": "multi-tenant"}
	found := report(annotations, {"containers": [container("app", "2")], "initContainers": [bare("migrate")]})
	{f.container | some f in found} == {"migrate"}
}

# Whatever makes a container a sidecar, it takes CPU that the tenant pays for.
test_sidecars_need_their_limit_too if {
	native := object.union(bare("p"), {"restartPolicy": "Always"})
	every case in [
		[{}, {"containers": [container("app", "2")], "initContainers": [native]}],
		[{}, {"containers": [container("app", "2"), bare("envoy")]}],
		[{"class.headroom.dev/p": "sidecar"}, {"containers": [container("app", "2"), bare("p")]}],
	] {
		found := report(object.union(allocation("2"), case[0]), case[1])
		count(found) == 1
		every f in found {
			f.message == "limits.cpu is not set."
			f.follows == ["batch-cpu-limit", "cron-cpu", "sidecar-cpu"]
			f.fix == []
		}
	}
}

test_limits_at_the_allocation if {
	count(report(allocation("2"), {"containers": [container("app", "2")]})) == 0
	count(report(allocation("2"), {"containers": [container("app", "1500m"), container("b", "0.5")]})) == 0
}

test_limits_over_the_allocation if {
	some f in report(allocation("2"), {"containers": [container("app", "2001m")]})
	f.container == "app"
	f.path == limits
	f.message == concat(" ", [
		"The Pod's CPU limit is 2001m (app 2001m); the tenant pays for 2 (headroom.dev/cpu-allocation):",
		"1m of CPU can be used that is not paid for.",
	])
	f.expected == "CPU limits of 2 in total for the Pod"
	f.figures == {"pod_limit_millicores": 2001, "allocation_millicores": 2000}
	count(f.fix) > 0
}

test_limits_under_the_allocation if {
	some f in report(allocation("2"), {"containers": [container("app", "1"), container("b", "500m")]})
	f.container == ""
	f.path == ["spec"]
	contains(f.message, "The Pod's CPU limit is 1500m (app 1 + b 500m)")
	endswith(f.message, "500m of CPU is paid for and cannot be used.")
	f.harm == "cost"
	f.fix == []
}

test_a_sidecar_counts_and_the_tenants_container_is_named if {
	spec := {"containers": [container("app", "2"), container("p", "500m")]}
	some f in report(object.union(allocation("2"), {"class.headroom.dev/p": "sidecar"}), spec)
	f.container == "app"
	f.figures.pod_limit_millicores == 2500
}

test_init_containers_count_by_the_largest if {
	within := {
		"containers": [container("app", "2")],
		"initContainers": [container("a", "2"), container("b", "1500m")],
	}
	count(report(allocation("2"), within)) == 0
	some f in report(allocation("2"), {
		"containers": [container("app", "2")],
		"initContainers": [container("a", "3"), container("b", "1")],
	})
	f.container == "a"
	f.path == ["spec", "initContainers", 0, "resources", "limits", "cpu"]
	contains(f.message, "The Pod's CPU limit is 3 (a 3 while it runs)")
}

test_native_sidecars_run_beside_later_init_containers if {
	proxy := object.union(container("p", "500m"), {"restartPolicy": "Always"})
	some f in report(allocation("2500m"), {
		"containers": [container("app", "2")],
		"initContainers": [container("a", "2500m"), proxy, container("b", "2500m")],
	})
	f.container == "b"
	f.figures.pod_limit_millicores == 3000
	contains(f.message, "(b 2500m + p 500m while it runs)")
}

test_a_limit_of_the_pod if {
	spec := {"containers": [bare("app"), bare("b")], "initContainers": [bare("i")]}
	count(report(allocation("2"), object.union(spec, {"resources": {"limits": {"cpu": "2"}}}))) == 0
	some f in report(allocation("2"), object.union(spec, {"resources": {"limits": {"cpu": "4"}}}))
	f.container == ""
	f.path == ["spec", "resources", "limits", "cpu"]
	contains(f.message, "The Pod's CPU limit is 4 (limits.cpu of the Pod)")
}

# It shares the Pod's.
test_a_limit_of_zero_under_one_of_the_pod if {
	every limit, findings in {"2": 0, "1m": 1, "0": 1} {
		spec := {"containers": [container("app", "0")], "resources": {"limits": {"cpu": limit}}}
		found := report(allocation("2"), spec)
		count(found) == findings
	}
	least := {"containers": [container("app", "0")], "resources": {"limits": {"cpu": "1m"}}}
	{f.path | some f in report(allocation("2"), least)} == {["spec", "resources", "limits", "cpu"]}
}

test_the_smallest_amounts if {
	some over in report(allocation("1m"), {"containers": [container("app", "2m")]})
	endswith(over.message, ": 1m of CPU can be used that is not paid for.")
	over.harm == "neighbours"
	some under in report(allocation("2m"), {"containers": [container("app", "1m")]})
	endswith(under.message, ": 1m of CPU is paid for and cannot be used.")
	count(report(allocation("0"), {"containers": [container("app", "1m")]})) == 0
}

test_a_pod_of_sidecars_is_bounded_too if {
	spec := {"containers": [container("p", "3")]}
	[f] := [f | some f in report(object.union(allocation("2"), {"class.headroom.dev/p": "sidecar"}), spec)]
	contains(f.message, "The Pod's CPU limit is 3 (p 3); the tenant pays for 2")
	f.size == 1000
}

test_the_namespaces_allocation if {
	spec := {"containers": [container("app", "4")]}
	some f in rule.report with input as review({}, spec, allocation("2"))
	contains(f.message, "(headroom.dev/cpu-allocation of the Namespace)")
	[more] := [f | some f in rule.report] with input as review(allocation("4"), spec, allocation("2"))
	contains(more.message, concat(" ", [
		"the tenant pays for 2",
		"(headroom.dev/cpu-allocation of the Namespace; the workload's own, 4, is more and does not count)",
	]))
	less := rule.report with input as review(allocation("2"), {"containers": [container("app", "2")]}, allocation("4"))
	count(less) == 0
	over := rule.report with input as review(allocation("2"), spec, allocation("4"))
	count(over) == 1
}

# It bounds the Pods of every class; only a tenant's have to come up to it.
test_the_namespaces_allocation_bounds_every_class if {
	every class in ["batch", "cron", "sidecar", "no-class"] {
		annotations := {"headroom.dev/workload-class": class}
		every limit, findings in {"1": 0, "2": 0, "2001m": 1} {
			found := rule.report with input as review(annotations, {"containers": [container("app", limit)]}, allocation("2"))
			count(found) == findings
		}
		missing := rule.report with input as review(annotations, {"containers": [bare("app")]}, allocation("2"))
		{f.message | some f in missing} == {"limits.cpu is not set."}
	}
	[f] := [f | some f in rule.report] with input as review(
		{"headroom.dev/workload-class": "batch"},
		{"containers": [container("app", "3")]},
		allocation("2"),
	)
	f.expected == "CPU limits of at most 2 in total for the Pod"
	f.fix == []
}

# HR104 refuses the class, or the Namespace allows it.
test_a_class_without_a_limit if {
	latency := {"headroom.dev/workload-class": "latency-sensitive"}
	found := rule.report with input as review(latency, {"containers": [bare("app")]}, allocation("2"))
	count(found) == 0
	over := rule.report with input as review(latency, {"containers": [container("app", "3")]}, allocation("2"))
	count(over) == 1
}

test_values_that_cannot_be_read if {
	count(report(allocation("much"), {"containers": [container("app", "4")]})) == 0
	count(report(allocation("2"), {"containers": [container("app", "four")]})) == 0
	spec := {"containers": [container("app", "4")]}
	every nothing in ["much", "0", "-1", "", " ", "1 000", "1e99999"] {
		[f] := [f | some f in rule.report] with input as review({}, spec, allocation(nothing))
		startswith(f.message, "The Namespace's headroom.dev/cpu-allocation is ")
		endswith(f.message, ", which allocates no CPU to its Pods.")
		f.container == ""
		own := rule.report with input as review(allocation("4"), spec, allocation(nothing))
		count(own) == 1
	}
	namespace := {"apiVersion": "v1", "kind": "Namespace", "metadata": {"annotations": allocation("much")}}
	count(rule.report) == 0 with input as namespace
}

test_other_classes if {
	found := report(
		object.union(allocation("2"), {"headroom.dev/workload-class": "batch"}),
		{"containers": [container("app", "4"), bare("b")], "initContainers": [bare("i")]},
	)
	count(found) == 0
}

test_a_class_of_the_config if {
	found := report({"headroom.dev/workload-class": "customer"}, {"containers": [bare("app")]})
		with data.headroom.overrides as {"matrix": {"customer": {"request": "average", "limit": "allocation"}}}
	count(found) == 1
}

test_a_pod_that_has_no_containers if {
	count(report(allocation("2"), {"containers": []})) == 0
}

test_nobody_knows_what_the_tenant_pays_for if {
	[f] := [f | some f in report({}, {"containers": [container("app", "1"), container("log", "500m")]})]
	f.container == ""
	f.path == ["spec"]
	f.severity == "info"
	f.message == "The Pod's CPU limit is 1500m (app 1 + log 500m)."
	startswith(f.why, "Whether the tenant pays for that is not known:")
	f.expected == "headroom.dev/cpu-allocation: the CPU that the tenant pays for, per Pod"
	f.figures == {"pod_limit_millicores": 1500, "allocation_millicores": 0}
	f.harm == "style"
}
