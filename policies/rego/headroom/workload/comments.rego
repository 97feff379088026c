package headroom.workload

# comments are those of the file that speak for the object, {text, paths}: only who reads files has them.
default comments := []

comments := input.comments if {
	_is_review
	is_array(input.comments)
}

# judged_path leads from the object to the Pod that is judged, where it describes several.
default judged_path := []

judged_path := input.spot[1] if _is_review
