package headroom.autoscalers

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

# boosts are what gives a container with a CPU limit more CPU as it starts: {c, by, milli}; milli is the limit
# meanwhile, 0 without a limit. A request that is boosted alone changes nothing that a JVM counts (J4).
boosts := array.concat(_by_autoscalers, _by_operators)

_limited := [c |
	some c in workload.containers
	c.list == "containers"
	c.cpu_limit > 0
	c.cpu_limit_source != "pod"
]

# VerticalPodAutoscaler 1.8: in any update mode, but not with the mode Off of a container.
_by_autoscalers := [{"c": c, "by": said(scaler), "milli": _in_proportion(c, request)} |
	some scaler in verticals
	some c in _limited
	policy := policy_of(scaler, c.name)
	object.get(policy, "mode", "Auto") != "Off"
	changes_limits(policy)
	request := _boosted(c, object.get(policy, "startupBoost", object.get(scaler.spec, "startupBoost", {})).cpu)
]

_boosted(c, boost) := _base(c) * boost.factor if {
	boost.type == "Factor"
	is_number(boost.factor)
	boost.factor >= 1
	boost.factor <= _most
}

_boosted(c, boost) := _base(c) + more if {
	boost.type == "Quantity"
	more := quantity.milli(boost.quantity)
	more > 0
}

# Without a request of its own, a container asks for its limit.
_base(c) := c.cpu_request if {
	c.cpu_request > 0
	c.cpu_request_source != "pod"
} else := c.cpu_limit

_in_proportion(c, request) := floor((c.cpu_limit * request) / _base(c))

# What the API takes for a factor. No percentage is that large either.
_most := 2147483647

# Kube Startup CPU Boost takes the limit away, unless the Pod is Guaranteed: then it raises it. What a boost would
# take out of its QoS class is not boosted, and neither is what a resize restarts.
_by_operators := [{
	"c": c,
	"by": sprintf("StartupCPUBoost %s", [words.shown(boost.metadata.name)]),
	"milli": milli,
} |
	some boost in workload.context.boosts
	is_string(boost.metadata.name)
	selector := object.get(boost, "selector", {})
	is_object(selector)

	# A selector without anything selects all Pods of the namespace.
	labels := object.get(selector, "matchLabels", {})
	is_object(labels)
	object.subset(workload.labels, labels)
	every expression in object.get(selector, "matchExpressions", []) {
		_holds(expression)
	}
	some c in _limited
	not _restarted(c)
	policy := [policy |
		some policy in boost.spec.resourcePolicy.containerPolicies
		_names(policy, c.name)
	][0]
	milli := _meanwhile(c, policy)
]

_restarted(c) if {
	some policy in c.raw.resizePolicy
	policy.resourceName == "cpu"
	policy.restartPolicy == "RestartContainer"
}

_names(policy, name) if policy.containerName == name

_names(policy, name) if {
	policy.matchContainers.type == "ExactName"
	policy.matchContainers.value == name
}

_names(policy, name) if {
	policy.matchContainers.type == "RegexName"
	pattern := policy.matchContainers.value
	is_string(pattern)
	count(pattern) <= _longest_pattern
	regex.is_valid(pattern)
	regex.match(pattern, name)
}

# A name has 63 characters. A longer expression is compiled for nothing.
_longest_pattern := 256

_meanwhile(c, policy) := milli if {
	cpu.guaranteed
	milli := _raised(c, policy)
}

_meanwhile(_, policy) := 0 if {
	not cpu.guaranteed
	_boosts(policy)
}

_boosts(policy) if {
	is_number(policy.percentageIncrease.value)
	policy.percentageIncrease.value > 0
}

_boosts(policy) if {
	requested := quantity.milli(policy.fixedResources.requests)
	requested > 0
	requested != quantity.milli(object.get(policy.fixedResources, "limits", ""))
}

_raised(c, policy) := ceil((c.cpu_limit * (100 + percent)) / 1000) * 10 if {
	percent := policy.percentageIncrease.value
	is_number(percent)
	percent > 0
	percent <= _most
}

_raised(c, policy) := milli if {
	milli := quantity.milli(policy.fixedResources.limits)
	milli == quantity.milli(policy.fixedResources.requests)
	milli > c.cpu_limit
}

_holds(expression) if {
	expression.operator == "In"
	workload.labels[expression.key] in expression.values
}

_holds(expression) if {
	expression.operator == "NotIn"
	not object.get(workload.labels, expression.key, null) in expression.values
}

_holds(expression) if {
	expression.operator == "Exists"
	workload.labels[expression.key]
}

_holds(expression) if {
	expression.operator == "DoesNotExist"
	not workload.labels[expression.key]
}
