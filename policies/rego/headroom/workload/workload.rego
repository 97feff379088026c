package headroom.workload

# manifest is the Kubernetes object that is judged: the input itself, or the object of
# a review (see reviews.rego).
manifest := input.object if {
	_is_review
} else := input if {
	not _is_review
}

_is_review if {
	input.kind == "Review"
	input.apiVersion == "headroom.dev/v1alpha1"
}

default api_version := ""

api_version := manifest.apiVersion if is_string(manifest.apiVersion)

default kind := ""

kind := manifest.kind if is_string(manifest.kind)

default _metadata := {}

_metadata := manifest.metadata if is_object(manifest.metadata)

resource := {
	"apiVersion": api_version,
	"kind": kind,
	"namespace": namespace,
	"name": _string(object.get(_metadata, "name", object.get(_metadata, "generateName", ""))),
}

# namespace is "" where the manifest leaves it to `kubectl -n`. An admission request
# knows it even then.
namespace := _string(object.get(_metadata, "namespace", _given_namespace))

default _given_namespace := ""

_given_namespace := input.namespace if _is_review

_string(x) := x if {
	is_string(x)
} else := ""

# path_prefix leads from the document to the object: [] or, inside a List, ["items", 3].
default path_prefix := []

path_prefix := input.prefix if {
	_is_review
	is_array(input.prefix)
	every step in input.prefix {
		_is_step(step)
	}
}

_is_step(step) if is_string(step)

_is_step(step) if is_number(step)

# template_path leads from the object to its pod template, or to what takes its place; undefined
# for a kind that has none or is not known.
template_path := _template_paths[object.get(_later_versions, api_version, api_version)][kind] if {
	not spot
} else := [] if {
	restated
} else := spot[1]

template := found if {
	found := object.get(manifest, template_path, {})
	is_object(found)
}

# judged is true when the object has a pod template that headroom knows.
default judged := false

judged if template

default pod_spec := {}

pod_spec := object.union(
	object.filter(_node, ["nodeSelector", "volumes"]),
	{"containers": [raw | some [list, _, raw, _] in _gathered; list != "init"]},
) if {
	composed
	is_object(template)
} else := template.spec if {
	is_object(template.spec)
}

default spec_path := ["spec"]

spec_path := spot[1] if {
	composed
} else := array.concat(template_path, ["spec"])

default workload_annotations := {}

workload_annotations := _metadata.annotations if is_object(_metadata.annotations)

default template_annotations := {}

template_annotations := template.metadata.annotations if is_object(template.metadata.annotations)

# labels are those that the Pods get.
default labels := {}

labels := template.metadata.labels if is_object(template.metadata.labels)

# annotations of the workload and its pod template; the template wins. What belongs to another
# object takes the annotations of the one that it goes back to, as that is judged by them. A Pod
# takes those of its Deployment, a Job and its Pods those of their CronJob.
annotations := object.union(owner_annotations, template_annotations) if {
	count(context.owners) > 0
} else := template_annotations if {
	count(workload_annotations) == 0
} else := object.union(workload_annotations, template_annotations)

# annotation_path is where an annotation stands: on the template if it is there, else
# on the workload.
annotation_path(key) := array.concat(template_path, ["metadata", "annotations", key]) if {
	_ = template_annotations[key]
} else := ["metadata", "annotations", key]

# annotations_of are the annotations of one prefix, by what follows it:
# class.headroom.dev/app -> app.
annotations_of(prefix) := object.get(_named, prefix, {})

# _named are the annotations whose key names something behind its prefix, by both: cut once,
# for all who ask. Most workloads have none.
_named := {} if {
	not contains(concat(" ", object.keys(annotations)), ".headroom.dev/")
} else := object.union_n([{prefix: {suffix: value}} |
	some key, value in annotations
	contains(key, ".headroom.dev/")
	end := indexof(key, "/") + 1
	prefix := substring(key, 0, end)
	suffix := substring(key, end, -1)
])
