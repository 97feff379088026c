package headroom.workload

import data.headroom.quantity

# before are the containers of a Pod that is being resized as they are now, by name: {cpu_limit (millicores),
# memory_limit (bytes)}, 0 where there is none. It is not there where nothing is resized.
before := {container.name: {
	"cpu_limit": max([0, quantity.milli(object.get(container, ["resources", "limits", "cpu"], ""))]),
	"memory_limit": max([0, quantity.bytes(object.get(container, ["resources", "limits", "memory"], ""))]),
} |
	some list in ["initContainers", "containers"]
	some container in input.context.before[0].spec[list]
} if {
	_is_review
	is_object(input.context.before[0])
}
