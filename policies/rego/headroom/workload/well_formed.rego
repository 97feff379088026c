package headroom.workload

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
