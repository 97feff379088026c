package headroom.workload

# plain is the fast path for most workloads: all resources are CPU and memory in valid, usual
# amounts, and the Pod has none of its own. Rules that look for wrong quantities then stop.
plain if {
	not pod_spec.resources
	regex.match(_plain, json.marshal([resources | resources := containers[_].raw.resources]))
}

# As JSON, whose keys come sorted: less than 1000 cores, and less than 1 PiB.
_plain := concat("", [
	`^\[(?:\{(?:"limits":\{(?:"cpu":(?:"[0-9]{1,6}m"|"?[0-9]{1,3}(?:\.[0-9]{1,3})?"?),?)?`,
	`(?:"memory":"[0-9]{1,6}(?:[KMG]i|[kMG])")?\},?)?`,
	`(?:"requests":\{(?:"cpu":(?:"[0-9]{1,6}m"|"?[0-9]{1,3}(?:\.[0-9]{1,3})?"?),?)?`,
	`(?:"memory":"[0-9]{1,6}(?:[KMG]i|[kMG])")?\})?\},?)*\]$`,
])

# even is the fast path of the memory rules: every container has request = limit, and at least
# 4 MiB, so that the unit is not missing.
even if {
	not pod_spec.resources
	every c in containers {
		c.memory_request == c.memory_limit
		c.memory_limit >= 4194304
	}
}

# well_formed is true where containers are found as the API server wants them: a list of maps,
# with one at least. Init containers may be missing.
well_formed if {
	pod_spec.containers != null
	pod_spec.containers != []
	_maps(pod_spec.containers)
	_maps(object.get(pod_spec, "initContainers", null))
}

_maps(null)

_maps(list) if {
	is_array(list)
	every entry in list {
		is_object(entry)
	}
}
