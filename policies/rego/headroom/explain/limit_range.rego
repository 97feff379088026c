package headroom.explain

import data.headroom.words
import data.headroom.workload

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
