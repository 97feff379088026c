package headroom.workload

# context holds what stands beside the object in its namespace: a list of objects for
# every name, empty where nothing is known.
context := _no_context if {
	not input.context
} else := object.union(_no_context, _given_context)

_no_context := {
	"namespaces": [],
	"limit_ranges": [],
	"resource_quotas": [],
	"config_maps": [],
	"owners": [],
	"services": [],
	"routes": [],
	"autoscalers": [],
	"nodes": [],
	"largest_node": [],
	"boosts": [],
	"kubelets": [], # of every namespace
}

default _given_context := {}

_given_context := {name: [entry | some entry in list; is_object(entry)] | some name, list in input.context} if {
	_is_review
	is_object(input.context)
}

# namespace_annotations are those of the object's Namespace, {} where it is not known.
default namespace_annotations := {}

namespace_annotations := context.namespaces[0].metadata.annotations if {
	is_object(context.namespaces[0].metadata.annotations)
}

# owner_kind is the kind that a Pod or Job goes back to: what the context says of its
# owners, nearest first, else its controller reference. A CronJob's Pod belongs to a
# Job, whose name tells that it is a CronJob's where the context does not.
owner_kind := "CronJob" if {
	kind == "Pod"
	_last_owner == "Job"
	is_string(_controller.name)
	regex.match(_of_cron_job, _controller.name)
} else := _last_owner

_last_owner := context.owners[count(context.owners) - 1].kind

_last_owner := _controller.kind if count(context.owners) == 0

_controller := [reference |
	some reference in _metadata.ownerReferences
	reference.controller == true
][0]

# A CronJob names its Jobs by the minutes since 1970: from 2019 on, up to eight digits that no date
# has (import-20261123 is somebody's own name). Kubernetes: getJobName, of the cronjob controller.
_of_cron_job := `-(?:2[6-9]|[3-9][0-9])[0-9]{6}$`

# owner_annotations are the annotations of the object that a Pod goes back to.
default owner_annotations := {}

owner_annotations := context.owners[count(context.owners) - 1].annotations if {
	is_object(context.owners[count(context.owners) - 1].annotations)
}

# comments are those of the file that speak for the object, {text, paths}: only who reads files has them.
default comments := []

comments := input.comments if {
	_is_review
	is_array(input.comments)
}

# judged_path leads from the object to the Pod that is judged, where it describes several.
default judged_path := []

judged_path := input.spot[1] if _is_review

# measured is what was measured of the containers, by name, as it was handed over. It is not
# there where nothing was, as for every surface but the audit: one look for all of them.
measured := input.context.measured if {
	_is_review
	is_object(input.context.measured)
}
