package headroom.workload

# measured is what was measured of the containers, by name, as it was handed over; {} where
# nothing was, as for every surface but the audit.
default measured := {}

measured := input.context.measured if {
	_is_review
	is_object(input.context.measured)
}
