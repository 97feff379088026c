package headroom.cpu_matrix_test

import data.headroom.cpu
import data.headroom.reviews_test as reviews

latency(containers, rest) := {
	"apiVersion": "v1",
	"kind": "Pod",
	"metadata": {"name": "p", "annotations": {
		"headroom.dev/workload-class": "latency-sensitive",
		"class.headroom.dev/batch": "batch",
	}},
	"spec": object.union({"containers": containers}, rest),
}

# fought is [does, milli] of what does not let a Pod be without a limit, null where nothing does.
fought(object, context) := words(fight) if {
	fight := cpu.fight with input as reviews.of_object(object, context)
}

words(null) := null

words(fight) := [fight.does, fight.milli] if fight != null

limits_of(type, item) := {"limit_ranges": [{"spec": {"limits": [object.union({"type": type}, item)]}}]}

quota_of(spec) := {"resource_quotas": [{"spec": spec}]}

app := {"name": "app"}

test_what_fights_a_container_without_a_limit if {
	every entry in [
		[limits_of("Container", {"max": {"cpu": "1m"}}), ["limits", 1]],
		[limits_of("Container", {"default": {"cpu": "2"}, "max": {"cpu": "4"}}), ["limits", 2000]],
		[limits_of("Container", {"default": {"cpu": "0"}}), null],
		[limits_of("Container", {"max": {"cpu": "lots"}}), null],
		[limits_of("Container", {"maxLimitRequestRatio": {"cpu": "2"}}), ["refuses", 2000]],
		[limits_of("Pod", {"default": {"cpu": "2"}}), null],
		[limits_of("Pod", {"max": {"cpu": "2"}}), ["refuses", 2000]],
		[limits_of("Pod", {"maxLimitRequestRatio": {"cpu": "2"}}), ["refuses", 2000]],
		[quota_of({"hard": {"limits.cpu": "4"}}), ["refuses", 0]],
		[quota_of({"hard": {"requests.cpu": "4"}}), null],
		[quota_of({"hard": {"limits.cpu": "4"}, "scopes": ["Terminating"]}), null],
		[{}, null],
	] {
		fought(latency([app], {}), entry[0]) == entry[1]
	}
}

test_whose_limits_are_fought_over if {
	quota := quota_of({"hard": {"limits.cpu": "4"}})
	max_of_pod := limits_of("Pod", {"max": {"cpu": "2"}})
	zero := {"name": "app", "resources": {"limits": {"cpu": "0"}}}
	one := {"name": "app", "resources": {"limits": {"cpu": "1"}}}
	batch := {"name": "batch"}
	init := {"initContainers": [{"name": "init"}]}
	every entry in [
		[latency([zero], {}), quota, null],
		[latency([one], {}), quota, ["refuses", 0]],
		[latency([batch], {}), quota, null],
		[latency([app, batch], {}), quota, ["refuses", 0]],
		[latency([app, batch], {}), max_of_pod, null],
		[latency([app], init), max_of_pod, ["refuses", 2000]],
		[latency([app], {"resources": {"requests": {"cpu": "1"}}}), quota, null],
		[latency([app], {"resources": {"limits": {"memory": "1Gi"}}}), quota, null],
		[latency([app], {"resources": {"limits": {}}}), quota, ["refuses", 0]],
	] {
		fought(entry[0], entry[1]) == entry[2]
	}
}

term(operator, values) := {"scopeSelector": {"matchExpressions": [{
	"scopeName": "PriorityClass",
	"operator": operator,
	"values": values,
}]}}

test_what_a_quota_counts if {
	requests := {"resources": {"requests": {"cpu": "1"}}}
	every entry in [
		[{}, {}, true],
		[{}, {"scopes": ["Terminating"]}, false],
		[{}, {"scopes": ["NotTerminating"]}, true],
		[{"activeDeadlineSeconds": 9}, {"scopes": ["Terminating"]}, true],
		[{"activeDeadlineSeconds": 9}, {"scopes": ["NotTerminating"]}, false],
		[{}, {"scopes": ["BestEffort"]}, false],
		[{}, {"scopes": ["NotBestEffort"]}, false],
		[requests, {"scopes": ["NotBestEffort"]}, true],
		[requests, {"scopes": ["NotBestEffort", "Terminating"]}, false],
		[{}, {"scopes": ["PriorityClass"]}, false],
		[{"priorityClassName": "a"}, {"scopes": ["PriorityClass"]}, true],
		[{}, term("Exists", []), false],
		[{}, term("DoesNotExist", []), true],
		[{"priorityClassName": "a"}, term("Exists", []), true],
		[{"priorityClassName": "a"}, term("DoesNotExist", []), false],
		[{"priorityClassName": "a"}, term("In", ["a", "b"]), true],
		[{"priorityClassName": "c"}, term("In", ["a", "b"]), false],
		[{"priorityClassName": "a"}, term("NotIn", ["a", "b"]), false],
		[{"priorityClassName": "c"}, term("NotIn", ["a", "b"]), true],
	] {
		found := [true | cpu.quota_selects(entry[1])] with input as latency([app], entry[0])
		found == [true | entry[2]]
	}
}

test_the_fight_in_words if {
	named := {"metadata": {"name": "r"}, "spec": {"limits": [{"type": "Container", "max": {"cpu": "1m"}}]}}
	quota := {"metadata": {"name": "q"}, "spec": {"hard": {"limits.cpu": 4}}}
	every case in [
		[
			{"limit_ranges": [named]},
			concat(" ", [
				"LimitRange r in this namespace has max.cpu: 1m per Container.",
				"It becomes the CPU limit of each container that has none of its own",
			]),
		],
		[
			{"resource_quotas": [quota]},
			concat(" ", [
				"ResourceQuota q in this namespace has limits.cpu: 4.",
				"It refuses a Pod with a container that has no CPU limit",
			]),
		],
	] {
		text := cpu.fight_words(cpu.fight) with input as reviews.of_object(latency([app], {}), case[0])
		text == case[1]
	}
}

# A range's default goes before what refuses, and a ratio before a quota.
test_what_fights_first if {
	ratio := limits_of("Container", {"maxLimitRequestRatio": {"cpu": "2"}})
	quota := quota_of({"hard": {"limits.cpu": "4"}})
	fought(latency([app], {}), object.union(ratio, quota)) == ["refuses", 2000]
	fought(latency([app], {}), object.union(quota, limits_of("Container", {"default": {"cpu": "3"}}))) == ["limits", 3000]
	fought(latency([app], {}), {"limit_ranges": array.concat(ratio.limit_ranges, [
		{"spec": {"limits": [{"type": "Container", "max": {"cpu": "3"}}]}},
	])}) == ["limits", 3000]
	fought(latency([app], {}), limits_of("Container", {"min": {"cpu": "3"}})) == null
	fought(latency([], {}), quota) == null
}

# What a container is pinned to, or says to be 0 itself, needs no freedom from a limit.
test_who_should_have_no_limit if {
	found := cpu.unlimited with input as latency(
		[
			app,
			{"name": "batch"},
			{"name": "zero", "resources": {"limits": {"cpu": "0"}}},
			{"name": "one", "resources": {"limits": {"cpu": "1m"}}},
		],
		{},
	)
	[c.name | some c in found] == ["app", "one"]
}

# Each amount alone is more than the best effort.
test_more_than_the_best_effort if {
	every list in ["requests", "limits"] {
		every resource, amount in {"cpu": "1m", "memory": "1"} {
			spec := {"scopes": ["NotBestEffort"]}
			cpu.quota_selects(spec) with input as latency([{"name": "app", "resources": {list: {resource: amount}}}], {})
			not cpu.quota_selects(spec) with input as latency([{"name": "app", "resources": {list: {resource: "0"}}}], {})
		}
	}
}
