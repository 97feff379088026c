package headroom.advice

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workload

# A request is not above its limit (HR208): advice on one of the two names the other where it is in the way.

# limit_beside is what has to become of a limit that is below a wanted request.
limit_beside(c, request) := sprintf(" and no limits.cpu%s%s", [_counted(c), _by_rule(c)]) if {
	_below(c, request)
	not _keeps_limit(c)
} else := sprintf(" and limits.cpu: %s", [quantity.format_cpu(max([request, _limit_of_class(c)]))]) if {
	_below(c, request)
} else := ""

_by_rule(c) := " (HR202)" if c.cpu_limit > 0

_by_rule(c) := "" if c.cpu_limit <= 0

# A limit of 0 that is written out goes too, unless the class asks for one.
_keeps_limit(c) if {
	c.cpu_limit > 0
	not cpu.loses_limit(c)
}

_keeps_limit(c) if {
	c.cpu_limit <= 0
	cpu.row[c.id].limit != "none"
}

_counted(c) := sprintf(", but %s", [in_place(j, processors(j))]) if {
	j := jvm.by_id[c.id]
	not j.flags.ActiveProcessorCount
	not jvm.release_lacks(j)
} else := ""

_below(c, request) if {
	c.cpu_limit > 0
	c.cpu_limit < request
}

# A limit of 0 that is written out is a limit here.
_below(c, request) if {
	c.cpu_limit == 0
	c.cpu_limit_source == "container"
	request > 0
}

_limit_of_class(c) := cpu.peak[c.id] if {
	cpu.row[c.id].limit in {"peak", "measured"}
} else := cpu.times_average(cpu.times(cpu.row[c.id].limit), cpu.average[c.id].milli) if {
	cpu.times(cpu.row[c.id].limit) > 0
} else := 0

# request_beside is what has to become of a request that is above a wanted limit.
request_beside(c, limit) := "" if {
	workload.shared_field("cpu") # the field is the request, too
} else := sprintf(" and requests.cpu: %s", [quantity.format_cpu(wanted)]) if {
	limit > 0
	c.cpu_request > limit
	c.cpu_request_source != "pod"
	wanted := min([limit, max([1, _request_of_class(c, limit)])])
} else := sprintf(" and requests.cpu: %s", [quantity.format_cpu(kept)]) if {
	# It was the limit's, and would follow it.
	limit > 0
	c.cpu_request_source == "limit"
	kept := min([limit, _request_of_class(c, c.cpu_request)])
} else := ""

_request_of_class(c, limit) := cpu.times_average(cpu.times(cpu.row[c.id].request), cpu.average[c.id].milli) if {
	cpu.average[c.id].milli > 0
	cpu.times(cpu.row[c.id].request) > 0
} else := limit
