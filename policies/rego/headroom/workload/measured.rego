package headroom.workload

# measured is what was measured of the containers, by name, as it was handed over. It is not
# there where nothing was, as for every surface but the audit: one look for all of them.
measured := input.context.measured if {
	_is_review
	is_object(input.context.measured)
}
