package headroom.workload

# before are the containers of a Pod that is being resized as they are now, by name, like `containers`. It is not there
# where nothing is resized.
before := object.union_n([{c.name: c} | some c in array.reverse(found)]) if {
	as_it_was
	found := data.headroom.workload.containers with input as as_it_was
}

# as_it_was is a review of that Pod.
as_it_was := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": input.context.before[0],
	"namespace": namespace,
	"context": object.remove(input.context, ["before"]),
} if {
	_is_review
	is_object(input.context.before[0])
}
