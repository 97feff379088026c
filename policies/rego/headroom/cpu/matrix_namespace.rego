package headroom.cpu

import data.headroom.quantity
import data.headroom.workload

# unlimited are the containers that should have no CPU limit. `cpu: "0"` on the container
# itself says so to LimitRanges and ResourceQuotas alike, which look for the key.
unlimited := [c |
	some c in workload.containers
	row[c.id].limit == "none"
	not pinned(c)
	not _said_zero(c)
]

_said_zero(c) if {
	c.cpu_limit == 0
	c.cpu_limit_source == "container"
}

# fight is what in the namespace does not let a container be without a CPU limit: {does "limits" or
# "refuses", kind, name, what, milli (of a limit)}. It is null where nothing does.
default fight := null

fight := _fights[0] if {
	_namespace_speaks
	count(unlimited) > 0
}

# fight_words say what it is, and what it does.
fight_words(what) := sprintf("%s %v in this namespace has %s. %s", [what.kind, what.name, what.what, _does[what.does]])

_does := {
	"limits": "It becomes the CPU limit of each container that has none of its own",
	"refuses": "It refuses a Pod with a container that has no CPU limit",
}

# undecided are the containers without a CPU limit, and without a class that says whether they should have one.
undecided := [c |
	some c in workload.containers
	row[c.id] == null
	c.cpu_limit == 0
	not _said_zero(c)
]

# refusal is the quota that refuses a Pod for one of them; null where none does, and where a class is told the same.
default refusal := null

refusal := _quota_fights[0] if {
	_namespace_speaks
	fight == null
	count(undecided) > 0
}

# Most often nothing is known of the namespace, and nothing has to be worked out.
_namespace_speaks if count(workload.context.limit_ranges) > 0

_namespace_speaks if count(workload.context.resource_quotas) > 0

# A default comes first: once it has set the limit, nothing refuses the Pod.
_fights := array.concat(
	_range_fights("limits", "Container", ["default", "max"]),
	array.concat(_refusals, _quota_fights),
)

# LimitRanger refuses a container without a limit where it bounds the ratio of limit to
# request, and a Pod none of whose containers has one where it bounds the Pod.
_refusals := array.concat(
	_range_fights("refuses", "Container", ["maxLimitRequestRatio"]),
	[f | some f in _range_fights("refuses", "Pod", ["max", "maxLimitRequestRatio"]); count(unlimited) == count(running)],
)

_range_fights(does, type, keys) := [f |
	some range in workload.context.limit_ranges
	some item in range.spec.limits
	item.type == type
	some key in keys
	quantity.milli(item[key].cpu) > 0
	f := {
		"does": does,
		"kind": "LimitRange",
		"name": object.get(range, ["metadata", "name"], ""),
		"what": sprintf("%s.cpu: %v per %s", [key, item[key].cpu, type]),
		"milli": quantity.milli(item[key].cpu),
	}
]

_quota_fights := [{
	"does": "refuses",
	"kind": "ResourceQuota",
	"name": quota.name,
	"what": quota.what,
	"milli": 0,
} |
	some quota in quotas("limits.cpu")
]

# quotas of the namespace on a resource, {name, what}. Such a quota refuses every Pod with a container that does not say
# that resource, unless the Pod itself has resources (podEvaluator.Constraints in Kubernetes).
quotas(resource) := [{
	"name": object.get(quota, ["metadata", "name"], ""),
	"what": sprintf("%s: %v", [resource, hard]),
} |
	not _pod_has_resources
	some quota in workload.context.resource_quotas
	hard := quota.spec.hard[resource]
	quota_selects(quota.spec)
]

_pod_has_resources if {
	some list in ["requests", "limits"]
	some _ in workload.pod_spec.resources[list]
}

# quota_selects: a quota with scopes counts only the Pods that are in all of them.
quota_selects(spec) if {
	every scope in [s | some s in spec.scopes] {
		_in_scope(scope, "Exists", [])
	}
	every term in [t | some t in spec.scopeSelector.matchExpressions] {
		_in_scope(term.scopeName, term.operator, {value | some value in term.values})
	}
}

# No quota of the scope BestEffort may count limits, and the other scopes that exist do not
# go by what a workload's CPU is.
_in_scope("NotBestEffort", _, _) if {
	some c in workload.containers
	some key in ["cpu_request", "cpu_limit", "memory_request", "memory_limit"]
	c[key] != 0
}

_in_scope("Terminating", _, _) if _terminating

_in_scope("NotTerminating", _, _) if not _terminating

# A rule of its own: `not is_number(x)` is false where x is not there.
_terminating if is_number(workload.pod_spec.activeDeadlineSeconds)

_in_scope("PriorityClass", "Exists", _) if _priority_class != ""

_in_scope("PriorityClass", "DoesNotExist", _) if _priority_class == ""

_in_scope("PriorityClass", "In", values) if _priority_class in values

_in_scope("PriorityClass", "NotIn", values) if not _priority_class in values

default _priority_class := ""

_priority_class := workload.pod_spec.priorityClassName
