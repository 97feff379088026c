package headroom.workload

# limit_range is what the LimitRanges of the namespace put into a container that says
# nothing: the default limit (a `max` alone counts as one) and the default request (which
# falls back on the default limit, then on `min`). Kubernetes: SetDefaults_LimitRangeItem.
limit_range := {
	"cpu": {
		"limit": _first_positive(_item_values("cpu", _limit_keys)),
		"request": _first_positive(_item_values("cpu", _request_keys)),
	},
	"memory": {
		"limit": _first_positive(_item_values("memory", _limit_keys)),
		"request": _first_positive(_item_values("memory", _request_keys)),
	},
}

_limit_keys := ["default", "max"]

_request_keys := ["defaultRequest", "default", "max", "min"]

limit_range_items := [item |
	some range in context.limit_ranges
	some item in range.spec.limits
	item.type == "Container"
]

_item_values(resource, keys) := [value |
	some item in limit_range_items
	some key in keys
	value := _base(resource, object.get(item, [key, resource], null))
]

_base("cpu", x) := _milli(x)

_base("memory", x) := _bytes(x)

_first_positive(values) := [value | some value in values; value != null; value > 0][0]

_first_positive(values) := 0 if count([value | some value in values; value != null; value > 0]) == 0
