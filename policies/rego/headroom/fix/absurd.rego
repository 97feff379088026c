package headroom.fix

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.workload

# sound says that a change is not worked out of an absurd amount. A memory request is its limit.
sound(change, _) if change.path[count(change.path) - 1] == "memory"

sound(_, container) if not _absurd(container)

# _absurd says that some CPU amount of a container is more than any node has (HR001), or that twice
# its average is. No limit and no count of processors can be worked out of it. With too large a
# count a JVM does not start.
_absurd(container) if {
	some c in workload.containers
	c.name == container
	max([c.cpu_request, c.cpu_limit, cpu.peak[c.id], cpu.cores_of(c) * 1000]) > quantity.most_millicores
}

# absurd_value says so of what would be written.
absurd_value(resource, text) if _base(resource, text) > quantity.most[resource]
