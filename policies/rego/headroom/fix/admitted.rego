package headroom.fix

import data.headroom.autoscalers
import data.headroom.quantity
import data.headroom.runtime.jvm
import data.headroom.workload

# admitted is a fix as the rule has it, or [] if it must not be made. A container that is only guessed
# to be a JVM is never changed. A value that the API server would then refuse is no fix, and neither
# is a value that follows from an amount that no node has.
admitted(changes, container) := [] if {
	changes == []
} else := [] if {
	workload.restated
} else := [] if {
	_left_alone(container)
} else := changes if {
	not _guessed(container)
	every change in changes {
		_admitted(change)
		sound(change, container)
	}
} else := []

_guessed(container) if {
	some j in jvm.jvms
	j.container == container
	not j.sure
}

_admitted(change) if change.change == "env"

_admitted(change) if {
	some j in jvm.jvms
	j.c.path == change.container
	_room(j, change.flags)
}

# Java 8 reads so many bytes and no more: where not all flags have room, the processors go first.
_room(j, _) if jvm.has_room(j, _all_flags(j))

_room(_, wanted) if {
	every flag in wanted {
		startswith(flag, "-XX:ActiveProcessorCount=")
	}
}

_all_flags(j) := [flag | some flag in _flags_by_name[j.container]]

_flags_by_name[report.container] contains flag if {
	some category in ["cpu", "jvm", "memory"]
	some report in data.headroom.rules[category][_].report
	flag := report.fix[_].flags[_]
}

_admitted(change) if {
	path := change.path
	not _of_resources(path)
}

_admitted(change) if {
	n := count(change.path)
	resource := change.path[n - 1]
	not absurd_value(resource, object.get(change, "value", "0"))
	not [array.slice(change.path, 0, n - 3), resource] in refused
	not [workload.spec_path, resource] in refused
	not _rescales(change)
}

# An autoscaler that counts by the request would scale otherwise: that is for somebody to decide who sees both.
_rescales(change) if {
	count(autoscalers.counted) > 0
	some c in workload.containers
	change.path == _field(c, "requests", "cpu")
	count(autoscalers.shares(c)) > 0
	quantity.milli(object.get(change, "value", "0")) != c.cpu_request
}

_of_resources(path) if path[count(path) - 3] == "resources"
