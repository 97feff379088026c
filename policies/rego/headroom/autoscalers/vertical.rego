package headroom.autoscalers

import data.headroom.workload

# controls is what VerticalPodAutoscalers change: {scaler, c, resource, limits, in_place, policy}; limits says that
# the limit goes with the request. They leave init containers, native sidecars too, as they are.
controls := [{
	"scaler": scaler,
	"c": c,
	"resource": resource,
	"limits": changes_limits(policy),
	"in_place": mode in {"InPlace", "InPlaceOrRecreate"},
	"policy": policy,
} |
	some scaler in verticals
	mode := mode_of(scaler)
	mode != "Off"
	some c in workload.containers
	c.list == "containers"
	policy := policy_of(scaler, c.name)
	object.get(policy, "mode", "Auto") != "Off"
	some resource in _resources(policy)
]

# mode_of is the update mode. Off still boosts.
mode_of(scaler) := mode if {
	mode := scaler.spec.updatePolicy.updateMode
	is_string(mode)
	mode != ""
} else := "Recreate"

# policy_of is the policy of a container: its own, or that of all others; {} without one.
policy_of(scaler, name) := own[0] if {
	own := [policy | some policy in _policies(scaler); policy.containerName == name]
	count(own) > 0
} else := others[count(others) - 1] if {
	others := [policy | some policy in _policies(scaler); policy.containerName == "*"]
	count(others) > 0
} else := {}

_policies(scaler) := [policy |
	some policy in scaler.spec.resourcePolicy.containerPolicies
	is_object(policy)
]

_resources(policy) := ["cpu", "memory"] if not policy.controlledResources

_resources(policy) := [resource |
	some resource in ["cpu", "memory"]
	resource in policy.controlledResources
] if {
	policy.controlledResources
}

# changes_limits says that the limit keeps its proportion to the request, as is the default.
default changes_limits(_) := true

changes_limits(policy) := false if policy.controlledValues == "RequestsOnly"
