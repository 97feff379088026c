package headroom.workload

# plain is true where the containers speak of CPU and memory alone, and in amounts that are
# surely sound, and the Pod has no resources of its own: one look at all of them spares most
# workloads the search for mistakes.
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

# even is true where every container asks for all of the memory that it may take, and for
# more than a slip of the unit would leave; it lets most workloads past the memory rules.
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
