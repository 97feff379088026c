package headroom.explain

import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

# resources are the four effective values of a container: {name, value, source}. The value is ""
# if it is not set or cannot be read.
resources(c) := [
	_resource(c, "requests", "request", "cpu"),
	_resource(c, "limits", "limit", "cpu"),
	_resource(c, "requests", "request", "memory"),
	_resource(c, "limits", "limit", "memory"),
]

_resource(c, list, kind, resource) := {
	"name": concat(".", [list, resource]),
	"value": _amount(resource, c[key], source),
	"source": _source_words(c, list, kind, resource, c[key], source),
} if {
	key := concat("_", [resource, kind])
	source := c[concat("_", [key, "source"])]
}

_amount(_, value, "") := "" if value == 0

_amount(_, value, _) := "" if value < 0

_amount("cpu", value, source) := quantity.format_cpu(value) if _set(value, source)

_amount("memory", value, source) := quantity.format_memory(value) if _set(value, source)

_set(value, source) if {
	value >= 0
	source != ""
}

_source_words(c, list, _, resource, value, source) := sprintf("%s cannot be read (HR001)", [words.quoted(written)]) if {
	value < 0
	written := _written(c, list, resource, source)
} else := "container; 0 is none" if {
	[value, source] == [0, "container"]
} else := "container" if {
	source == "container"
} else := "its own limit, since it has no request" if {
	source == "limit"
} else := "resources of the Pod (spec.resources)" if {
	source == "pod"
} else := "" if {
	source == ""
} else := sprintf("LimitRange %s", [_range_name(list, resource)])

_written(c, _, resource, "limit") := object.get(c.raw, ["resources", "limits", resource], "")

_written(c, list, resource, source) := object.get(c.raw, ["resources", list, resource], "") if source != "limit"

# The first LimitRange that has an answer gives it.
_range_name(list, resource) := [words.shown(name) |
	some range in workload.context.limit_ranges
	alone := object.union(workload.context, {"limit_ranges": [range]})
	found := workload.limit_range with data.headroom.workload.context as alone
	found[resource][trim_suffix(list, "s")] > 0
	name := _range_text(range)
][0]

_range_text(range) := concat("/", [part | some part in [workload.namespace, range.metadata.name]; part != ""]) if {
	is_string(range.metadata.name)
} else := "of the namespace"
