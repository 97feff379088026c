# METADATA
# title: Classification
# description: |
#   Which kind of workload each container is, and what says so. A class is a name of the
#   matrix, or "init", "unclassified", or "unknown" where an annotation names no class.
package headroom.classify

import data.headroom.config
import data.headroom.workload

# classes and evidence are aligned with workload.containers.
classes := [class | class := evidence[_].class]

# evidence is {class, source, text, path, annotated}: the strongest reason for the class,
# in words, and the path of the annotation if there is one. Where somebody named a class,
# `value` is what they wrote, and `key` the annotation.
evidence := [_evidence(c) | some c in workload.containers]

_evidence(c) := {
	"class": "init",
	"source": "init container",
	"text": "an init container",
	"path": c.path,
	"annotated": false,
} if {
	c.role == "init"
} else := container_annotation[c.name] if {
	container_annotation[c.name]
} else := {
	"class": "sidecar",
	"source": "native sidecar",
	"text": "a native sidecar (init container with restartPolicy: Always)",
	"path": array.concat(c.path, ["restartPolicy"]),
	"annotated": false,
} if {
	c.role == "sidecar"
} else := {
	"class": "sidecar",
	"source": "sidecar field",
	"text": "a sidecar of its template",
	"path": c.path,
	"annotated": false,
} if {
	c.list == "beside"
} else := {
	"class": "sidecar",
	"source": "sidecar list",
	"text": sprintf("a known sidecar (%s)", [entry]),
	"path": array.concat(c.path, ["name"]),
	"annotated": false,
} if {
	_more_than_one
	not _names_the_pods(c)
	entry := _listed(c)
} else := pod_evidence

# container_annotation is the evidence of class.headroom.dev/<container>.
container_annotation := {} if {
	workload.annotations_of(_prefix) == {}
} else := {name: _annotated(key, value) |
	some key, value in workload.annotations
	startswith(key, _prefix)
	name := substring(key, count(_prefix), -1)
}

_prefix := "class.headroom.dev/"

# _listed is the entry of the config that makes a container a known sidecar.
_listed(c) := sprintf("name %s", [c.name]) if {
	c.name in config.settings.sidecars.names
} else := sprintf("image %s", [images[0]]) if {
	# The repository of an image reference: no tag, no digest. A registry's port is no tag.
	is_string(c.raw.image)
	repository := regex.replace(split(c.raw.image, "@")[0], _tag, "")
	images := [image | some image in config.settings.sidecars.images; _image_is(repository, image)]
}

# A sidecar stands beside something: a Pod whose only container is an Envoy is a proxy in
# its own right.
_more_than_one if count([c | some c in workload.containers; c.role == "app"]) > 1

# A container that the Pods are called after is no sidecar either: the Envoy of an ingress with a
# container that drains it, a fluent-bit with its reloader.
_names_the_pods(c) if workload.labels[_name_labels[_]] == c.name

_name_labels := ["app.kubernetes.io/name", "app", "k8s-app"]

_tag := `:[^:/]*$`

_image_is(repository, image) if repository == image

_image_is(repository, image) if endswith(repository, concat("", ["/", image]))

# pod_evidence is what speaks for every container that is no sidecar.
pod_evidence := _annotated("headroom.dev/workload-class", workload.annotations["headroom.dev/workload-class"]) if {
	workload.annotations["headroom.dev/workload-class"]
} else := {
	"class": owner_class,
	"source": "owner kind",
	"text": sprintf("it belongs to a %s", [_owner.kind]),
	"path": ["kind"],
	"annotated": false,
} if {
	owner_class := _class_of_kind[_owner.like]
	owner_class in config.classes
} else := {
	"class": _known(row.class),
	"source": "config classes",
	"text": sprintf("classes of the config (%s)", [_row_text(row)]),
	"path": [],
	"annotated": false,
	"value": row.class,
} if {
	row := [row | some row in config.settings.classes; _covers(row)][0]
} else := {
	"class": _known(named),
	"source": "namespace default",
	"text": "the namespace's headroom.dev/default-class",
	"path": ["metadata", "namespace"],
	"annotated": false,
	"value": named,
} if {
	named := workload.namespace_annotations["headroom.dev/default-class"]
} else := {
	"class": _known(config.settings.defaultClass),
	"source": "config default",
	"text": "defaultClass of the config",
	"path": [],
	"annotated": false,
	"value": config.settings.defaultClass,
} if {
	config.settings.defaultClass != ""
} else := {
	"class": "unclassified",
	"source": "",
	"text": "class not set",
	"path": workload.spec_path,
	"annotated": false,
}

# The labels are those of the Pods, so that a workload and its Pods are of one class.
_covers(row) if {
	config.matches(object.get(row, "namespace", "*"), workload.namespace)
	every name, pattern in object.get(row, "labels", {}) {
		config.matches(pattern, workload.labels[name])
	}
}

_row_text(row) := concat(", ", array.concat(
	[sprintf("namespace %s", [row.namespace]) | row.namespace],
	[sprintf("%s: %s", [name, pattern]) | some name, pattern in row.labels],
))

# pod_class is the class of the Pod as a whole; init containers of a multi-tenant Pod
# are held to it.
pod_class := pod_evidence.class

# said tells that somebody named the class of a container, or of its Pod. That a Job is batch, or
# that a name is a sidecar's, is a guess that a rule may rest on, and that refuses nothing.
said(_) if pod_evidence.source in _named

said(container) if container_annotation[container]

# A Namespace that lists its classes holds to them what says nothing, too: leaving the annotation out
# makes nothing milder.
said(_) if _ = workload.namespace_annotations["headroom.dev/allowed-classes"]

_named := {"annotation", "config classes", "namespace default", "config default"}

_annotated(key, value) := {
	"class": _known(value),
	"source": "annotation",
	"text": sprintf("annotation %s", [key]),
	"path": workload.annotation_path(key),
	"annotated": true,
	"value": value,
	"key": key,
}

_known(class) := class if class in config.classes

_known(class) := "unknown" if not class in config.classes

_class_of_kind := {"CronJob": "cron", "Job": "batch"}

# A Job made by a CronJob, and the Pods of both, are what their owner is.
_owner := {"kind": workload.kind, "like": workload.like} if {
	workload.like in {"CronJob", "Job"}
	not _of_cron_job
} else := {"kind": workload.owner_kind, "like": workload.like_of(workload.owner_kind)}

_of_cron_job if workload.like_of(workload.owner_kind) == "CronJob"

# main is the id of the main container: the one that the annotation names, else the first
# that is no sidecar.
main := id if {
	name := _default_container
	id := [c.id | some c in workload.containers; c.name == name][0]
} else := [c.id |
	some c in workload.containers
	c.role == "app"
	classes[c.id] != "sidecar"
][0]

_default_container := workload.annotations["kubectl.kubernetes.io/default-container"]
