package headroom.workload

import data.headroom.quantity

# limit_range is what the LimitRanges of the namespace put into a container that says nothing. These
# are the default limit (a `max` alone counts as one) and the default request (which falls back on
# the default limit, then on `min`). Kubernetes: SetDefaults_LimitRangeItem. 0 says that they put
# nothing there.
limit_range := {"cpu": {"limit": 0, "request": 0}, "memory": {"limit": 0, "request": 0}} if {
	not limit_ranged
} else := {
	"cpu": {
		"limit": _range_default("cpu", _limit_keys),
		"request": _range_default("cpu", _request_keys),
	},
	"memory": {
		"limit": _range_default("memory", _limit_keys),
		"request": _range_default("memory", _request_keys),
	},
}

limit_ranged if count(context.limit_ranges) > 0

_limit_keys := ["default", "max"]

_request_keys := ["defaultRequest", "default", "max", "min"]

# The LimitRanges are applied one after the other, and each fills only what is still
# empty; in one LimitRange, a later item replaces an earlier one (LimitRanger admission).
_range_default(resource, keys) := values[0] if {
	values := [items[count(items) - 1] |
		some range in context.limit_ranges
		items := _item_defaults(range, resource, keys)
	]
} else := 0

_item_defaults(range, resource, keys) := [values[0] |
	some item in range.spec.limits
	item.type == "Container"
	values := [value | some key in keys; value := _base(resource, item[key][resource]); value >= 0]
]

_base("cpu", x) := quantity.milli(x) if x != null

_base("memory", x) := quantity.bytes(x) if x != null

# filled_in are the values that LimitRanger has put into a Pod, as [list, resource, container].
# It says so in an annotation: "LimitRanger plugin set: cpu, memory request for container a;
# cpu limit for init container b" (mergeContainerResources in its source). A template that
# carries the annotation is no Pod yet.
filled_in := set() if {
	not _filled_words
} else := {[list, resource, groups[3]] |
	some part in split(_filled_words, "; ")
	some groups in regex.find_all_string_submatch_n(`^(.+) (request|limit) for (?:init )?container (.+)$`, part, -1)
	list := concat("", [groups[2], "s"])
	some resource in split(groups[1], ", ")
}

_filled_words := trim_prefix(words, "LimitRanger plugin set: ") if {
	kind == "Pod"
	words := _metadata.annotations["kubernetes.io/limit-ranger"]
	is_string(words)
}
