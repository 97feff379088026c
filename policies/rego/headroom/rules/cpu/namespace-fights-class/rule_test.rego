package headroom.rules.cpu["namespace-fights-class_test"]

import data.headroom.reviews_test as reviews
import data.headroom.rules.cpu["namespace-fights-class"] as rule

review(annotations, spec, context) := reviews.of_template(
	object.union({"headroom.dev/workload-class": "latency-sensitive"}, annotations),
	spec,
	context,
)

report(spec, context) := found if {
	found := rule.report with input as review({}, spec, context)
}

app := {"name": "app", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "1Gi"}}}

alone := {"containers": [app]}

range(item) := {"limit_ranges": [{"metadata": {"name": "defaults"}, "spec": {"limits": [item]}}]}

quota(spec) := {"resource_quotas": [{
	"metadata": {"name": "team"},
	"spec": object.union({"hard": {"limits.cpu": "20"}}, spec),
}]}

test_a_default_limit if {
	some f in report(alone, range({"type": "Container", "default": {"cpu": "500m"}}))
	f.container == ""
	f.path == ["spec", "template", "spec"]
	f.message == concat(" ", [
		"LimitRange defaults in this namespace has default.cpu: 500m per Container.",
		"It becomes the CPU limit of each container that has none of its own;",
		"app (latency-sensitive) should have none.",
	])
	startswith(f.expected, "a LimitRange without default, max and maxLimitRequestRatio for cpu")
	f.figures == {"limit_millicores": 500}
	f.harm == "throttled"
}

test_a_max_alone_is_a_default if {
	some f in report(alone, range({"type": "Container", "max": {"cpu": 4}}))
	contains(f.message, "has max.cpu: 4 per Container.")
	f.figures == {"limit_millicores": 4000}
}

test_a_range_that_sets_no_cpu_limit if {
	count(report(alone, range({"type": "Container", "default": {"memory": "1Gi"}, "defaultRequest": {"cpu": "1"}}))) == 0
	count(report(alone, range({"type": "PersistentVolumeClaim", "max": {"storage": "1Gi"}}))) == 0
	count(report(alone, range({"type": "Container", "default": {"cpu": "0"}}))) == 0
	count(report(alone, range({"type": "Container", "default": {"cpu": "half"}}))) == 0
	count(report(alone, {"limit_ranges": [{}, {"spec": {"limits": ["x", {"type": "Container"}]}}]})) == 0
}

test_a_ratio_refuses_what_has_no_limit if {
	some f in report(alone, range({"type": "Container", "maxLimitRequestRatio": {"cpu": "4"}}))
	contains(f.message, "has maxLimitRequestRatio.cpu: 4 per Container. It refuses a Pod with a container")
	f.harm == "start"
	f.figures == {}
}

test_a_bound_on_pods_refuses_one_without_any_limit if {
	bound := range({"type": "Pod", "max": {"cpu": "4"}})
	count(report(alone, bound)) == 1
	batch := {"name": "b", "resources": {"limits": {"cpu": "1"}}}
	found := rule.report with input as review({"class.headroom.dev/b": "batch"}, {"containers": [app, batch]}, bound)
	count(found) == 0
}

test_a_quota_refuses_what_has_no_limit if {
	some f in report(alone, quota({}))
	f.message == concat(" ", [
		"ResourceQuota team in this namespace has limits.cpu: 20.",
		"It refuses a Pod with a container that has no CPU limit; app (latency-sensitive) should have none.",
	])
	f.expected == "a ResourceQuota that counts requests.cpu rather than limits.cpu"
	f.figures == {}
}

test_a_quota_on_other_things if {
	count(report(alone, {"resource_quotas": [{}, {"spec": {"hard": {"requests.cpu": "20", "pods": "4"}}}]})) == 0
}

test_a_default_satisfies_the_quota if {
	both := object.union(quota({}), range({"type": "Container", "default": {"cpu": "500m"}}))
	some f in report(alone, both)
	startswith(f.message, "LimitRange")
}

test_a_pod_with_its_own_resources_satisfies_the_quota if {
	count(report(object.union(alone, {"resources": {"requests": {"cpu": "2"}}}), quota({}))) == 0
	count(report(object.union(alone, {"resources": {}}), quota({}))) == 1
}

test_scopes if {
	count(report(alone, quota({"scopes": ["NotBestEffort", "NotTerminating"]}))) == 1
	count(report(alone, quota({"scopes": ["Terminating"]}))) == 0
	count(report(alone, quota({"scopes": ["BestEffort"]}))) == 0
	count(report(alone, quota({"scopes": ["CrossNamespacePodAffinity"]}))) == 0
	count(report({"containers": [{"name": "app"}]}, quota({"scopes": ["NotBestEffort"]}))) == 0
	ending := object.union(alone, {"activeDeadlineSeconds": 60})
	count(report(ending, quota({"scopes": ["Terminating"]}))) == 1
	count(report(ending, quota({"scopes": ["NotTerminating"]}))) == 0
}

test_priority_classes if {
	important := object.union(alone, {"priorityClassName": "high"})
	count(report(important, quota({"scopes": ["PriorityClass"]}))) == 1
	count(report(alone, quota({"scopes": ["PriorityClass"]}))) == 0
	term := {"scopeName": "PriorityClass"}
	selects := {name: count(report(important, quota({"scopeSelector": {"matchExpressions": [whole]}}))) |
		some name, rest in {
			"in": {"operator": "In", "values": ["high"]},
			"in another": {"operator": "In", "values": ["low"]},
			"not in": {"operator": "NotIn", "values": ["low"]},
			"not in it": {"operator": "NotIn", "values": ["high"]},
			"exists": {"operator": "Exists"},
			"does not exist": {"operator": "DoesNotExist"},
		}
		whole := object.union(term, rest)
	}
	selects == {"in": 1, "in another": 0, "not in": 1, "not in it": 0, "exists": 1, "does not exist": 0}
	none := {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "DoesNotExist"}]}}
	count(report(alone, quota(none))) == 1
}

# HR202 has it removed; then this happens.
test_a_container_that_has_a_limit_still if {
	limited := {"containers": [{"name": "app", "resources": {"limits": {"cpu": "2"}}}]}
	count(report(limited, quota({}))) == 1
}

test_zero_satisfies_both if {
	zero := {"containers": [{"name": "app", "resources": {"limits": {"cpu": "0"}}}]}
	count(report(zero, quota({}))) == 0
	count(report(zero, range({"type": "Container", "default": {"cpu": "1"}}))) == 0
}

test_pinned_cores_keep_their_limit if {
	whole := {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}}
	spec := {"containers": [{"name": "app", "resources": whole}]}
	found := rule.report with input as review({"headroom.dev/cpu-pinning": "static"}, spec, quota({}))
	count(found) == 0
}

test_another_class if {
	found := rule.report with input as review({"headroom.dev/workload-class": "batch"}, alone, quota({}))
	count(found) == 0
}

test_classes_of_the_config if {
	spec := {"containers": [app, object.union(app, {"name": "b"})]}
	some f in rule.report with input as review({"class.headroom.dev/b": "api"}, spec, quota({}))
		with data.headroom.overrides as {"matrix": {"api": {"request": "average", "limit": "none"}}}
	contains(f.message, "app, b (api and latency-sensitive) should have none.")
}

test_nothing_known_of_the_namespace if {
	count(report(alone, {})) == 0
}

test_objects_of_another_shape if {
	odd := {
		"limit_ranges": [{"metadata": "x", "spec": 1}],
		"resource_quotas": [{"metadata": 1, "spec": {
			"hard": {"limits.cpu": null},
			"scopes": "all",
			"scopeSelector": {"matchExpressions": ["x"]},
		}}],
	}
	count(report(object.union(alone, {"resources": {"requests": 3}}), odd)) == 0
}

unclassified(spec, context) := found if {
	found := rule.report with input as reviews.of_pod({}, spec, context)
}

test_a_quota_refuses_without_a_class if {
	some f in unclassified(alone, quota({}))
	f.message == concat(" ", [
		"ResourceQuota team in this namespace has limits.cpu: 20.",
		"It refuses a Pod with a container that has no CPU limit; app has none.",
	])
	f.expected == "a ResourceQuota that counts requests.cpu rather than limits.cpu, or limits.cpu on each container"
	f.harm == "start"
}

test_a_quota_that_refuses_nothing_without_a_class if {
	limited := object.union(app, {"resources": {"limits": {"cpu": "1"}}})
	count(unclassified({"containers": [limited]}, quota({}))) == 0
	count(unclassified({"containers": [object.union(app, {"resources": {"limits": {"cpu": "0"}}})]}, quota({}))) == 0
	count(unclassified(alone, {"resource_quotas": [{"spec": {"hard": {"requests.cpu": "20"}}}]})) == 0
	count(unclassified(alone, {})) == 0
	found := unclassified({"containers": [limited], "initContainers": [object.union(app, {"name": "wait"})]}, quota({}))
	{f.message | some f in found} == {concat(" ", [
		"ResourceQuota team in this namespace has limits.cpu: 20.",
		"It refuses a Pod with a container that has no CPU limit; wait has none.",
	])}
}

test_a_quota_is_told_once if {
	count(report({"containers": [app], "initContainers": [object.union(app, {"name": "wait"})]}, quota({}))) == 1
}
