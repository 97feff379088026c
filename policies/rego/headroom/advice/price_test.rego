package headroom.advice_price_test

import data.headroom.advice
import data.headroom.main
import data.headroom.reviews_test as reviews

sized(cpu) := {"resources": {"requests": {"cpu": cpu, "memory": "1Gi"}, "limits": {"cpu": cpu, "memory": "1Gi"}}}

burstable := {"resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "1500m"}}}

review(spec, container, context) := reviews.of_pod(
	{"headroom.dev/workload-class": "latency-sensitive"},
	object.union({"containers": [object.union({"name": "app"}, container)]}, spec),
	context,
)

price(spec, container, context) := text if {
	some f in main.result.findings with input as review(spec, container, context)
	f.rule == "HR202"
	text := f.price
}

kept := "none, the QoS class stays Burstable"

lost := concat(" ", [
	"QoS class Guaranteed → Burstable",
	"(evicted in the same order, killed sooner if the node's memory runs out)",
])

test_the_qos_class_before_and_after if {
	price({}, burstable, {}) == kept
	price({}, sized("1500m"), {}) == lost
}

test_whole_cores_may_have_been_its_own if {
	price({}, sized("2"), {}) == concat("", [lost, ", and no cores of its own from a static CPU manager"])
}

# The class of a Pod with resources of its own goes by these, and is not said.
test_the_pods_own_resources if {
	price({"resources": {"limits": {"cpu": "4"}}}, {}, {}) == ""
}

test_the_priority if {
	price({"priorityClassName": "web"}, burstable, {}) == concat("; ", [kept, "PriorityClass web"])
	named := {"priorityClassName": "web", "priority": 1000000}
	price(named, burstable, {}) == concat("; ", [kept, "PriorityClass web (1000000)"])
	every wrong in ["", null, 7, {}] {
		price({"priorityClassName": wrong, "priority": "high"}, burstable, {}) == kept
	}
}

quota(hard, scopes) := {"resource_quotas": [{"metadata": {"name": "team"}, "spec": {"hard": hard, "scopes": scopes}}]}

test_the_quota if {
	bounds := concat("; ", [kept, "ResourceQuota team bounds requests.cpu of its namespace at 20"])
	price({}, burstable, quota({"requests.cpu": "20"}, [])) == bounds
	price({}, burstable, quota({"cpu": "20"}, [])) == bounds
	every other in [quota({"pods": "20"}, []), quota({"cpu": "many"}, []), quota({"cpu": "20"}, ["Terminating"]), {}] {
		price({}, burstable, other) == kept
	}
}

# What does not let the Pod be without a limit is told as HR209 tells it, and nothing is fixed.
test_a_namespace_that_wants_a_limit if {
	refuses := quota({"limits.cpu": "20", "requests.cpu": "10"}, [])
	price({}, burstable, refuses) == concat("; ", [
		kept, "ResourceQuota team in its namespace refuses it without one (HR209)",
	])
	range := {"metadata": {"name": "usual"}, "spec": {"limits": [{"type": "Container", "default": {"cpu": "1"}}]}}
	price({}, burstable, {"limit_ranges": [range]}) == concat("; ", [
		kept, "LimitRange usual in its namespace sets one again (HR209)",
	])
	every context in [refuses, {"limit_ranges": [range]}] {
		some f in main.result.findings with input as review({}, burstable, context)
		f.rule == "HR202"
		f.fix == []
	}
}

node := {"name": "node-b", "requested": "3280m", "allocatable": "4", "of": 3}

test_how_full_its_nodes_are if {
	price({}, burstable, {"nodes": [node]}) == concat("; ", [
		kept, "CPU requests on the fullest of its 3 nodes (node-b): 82 % of allocatable",
	])
	price({}, burstable, {"nodes": [object.union(node, {"of": 1})]}) == concat("; ", [
		kept, "CPU requests on its node (node-b): 82 % of allocatable",
	])
	every wrong in [{"name": 7}, {"requested": "all"}, {"allocatable": "0"}, {"allocatable": null}] {
		price({}, burstable, {"nodes": [object.union(node, wrong)]}) == kept
	}
}

test_no_price_of_nonsense if {
	every wrong in [null, "a", [], {"spec": 5}] {
		is_string(advice.price) with input as wrong
	}
}
