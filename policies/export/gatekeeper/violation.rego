# METADATA
# title: headroom for Gatekeeper
# description: |
#   Hands the decision of data.headroom.main to Gatekeeper, each finding as a violation.
#   Gatekeeper gives the object as input.review and the Constraint's parameters beside it;
#   what it has been told to sync stands below data.inventory.
package gatekeeper

import data.headroom.main
import data.headroom.workload

violation contains {"msg": _message(finding), "details": _details(finding)} if {
	_asked
	some finding in _findings(_review(input.review.object))
	finding.severity in _severities
	not [finding.severity, finding.rule, finding.container] in _known_before
}

# The settings come from a Constraint, which is not checked when it is edited. So they are read like an
# unchecked file: what cannot be read stays at its default.
_findings(review) := findings if {
	findings := main.findings with input as review
		with data.kind as "Config"
		with data.apiVersion as "headroom.dev/v1alpha1"
		with data.headroom.config._plain as _config
}

default _config := {}

_config := input.parameters.config if is_object(input.parameters.config)

default _severities := {"error", "warning", "info"}

_severities := {severity | some severity in input.parameters.severities} if is_array(input.parameters.severities)

# Requests that make nothing worse are let through: else objects that exist already could not be
# deleted or fixed. The audit and gator, which know of no operation, judge every object.
_asked if not _operation

_asked if {
	_operation == "CREATE"
	_own_object
	not _managed
}

_asked if {
	_operation == "UPDATE"
	_own_object
	not _managed
	not input.review.object.metadata.deletionTimestamp
	_judged_part(input.review.object) != _judged_part(input.review.oldObject)
}

_operation := input.review.operation if input.review.operation != ""

# A request for a subresource says little of the object; a resize is the one that changes what
# is judged.
_own_object if object.get(input.review, "subResource", "") in {"", "resize"}

# ReplicaSets and Jobs that a controller writes were judged where a person wrote them.
_managed if {
	input.review.object.kind in {"ReplicaSet", "Job"}
	some owner in input.review.object.metadata.ownerReferences
	owner.controller == true
}

# What a verdict rests on.
_judged_part(object) := [spec, headroom, template] if {
	spec := workload.pod_spec with input as object
	headroom := _ours(workload.workload_annotations) with input as object
	template := _ours(workload.template_annotations) with input as object
}

_ours(annotations) := {key: value | some key, value in annotations; contains(key, "headroom.dev/")}

# A resize answers only for what it brings: nothing else of a running Pod can be changed.
default _known_before := set()

_known_before := {[f.severity, f.rule, f.container] | some f in _findings(_review(input.review.oldObject))} if {
	object.get(input.review, "subResource", "") == "resize"
	is_object(input.review.oldObject)
}

_review(object) := {
	"apiVersion": "headroom.dev/v1alpha1",
	"kind": "Review",
	"object": object,
	"namespace": _namespace,
	"prefix": [],
	"context": {
		"namespaces": _namespaces,
		"limit_ranges": [found | some found in _beside("LimitRange")],
		"resource_quotas": [found | some found in _beside("ResourceQuota")],
		"config_maps": [found | some name in _config_maps; found := _config_map(name)],
	},
}

_namespace := object.get(input.review, "namespace", "")

# Gatekeeper knows the Namespace of every request. gator gives an empty one, but holds every
# object that it has been given in the inventory.
_namespaces := [input.review.namespaceObject] if {
	input.review.namespaceObject.metadata
} else := [data.inventory.cluster.v1.Namespace[_namespace]] if {
	data.inventory.cluster.v1.Namespace[_namespace]
} else := []

# What stands beside the object, as far as it is synced. Manifests may name no namespace.
default _beside(_) := {}

_beside(kind) := data.inventory.namespace[_namespace].v1[kind] if _namespace != ""

_beside(kind) := data.inventory.cluster.v1[kind] if _namespace == ""

# A namespace may hold thousands of ConfigMaps; a workload names a few.
_config_map(name) := data.inventory.namespace[_namespace].v1.ConfigMap[name] if _namespace != ""

_config_map(name) := data.inventory.cluster.v1.ConfigMap[name] if _namespace == ""

_config_maps contains container.envFrom[_].configMapRef.name if some container in _containers

_config_maps contains container.env[_].valueFrom.configMapKeyRef.name if some container in _containers

_containers := [container | some list in {"containers", "initContainers"}; some container in _pod_spec[list]]

_pod_spec := spec if spec := workload.pod_spec with input as input.review.object

_message(finding) := sprintf("[%s] %s: %s Wanted: %s.", [
	finding.rule,
	_place(finding.container),
	finding.message,
	finding.expected,
])

_place("") := "the workload"

_place(name) := sprintf("container %s", [name]) if name != ""

_details(finding) := {
	"rule": finding.rule,
	"slug": finding.slug,
	"severity": finding.severity,
	"class": finding.class,
	"container": finding.container,
	"field": _pointer(finding.path),
	"message": finding.message,
	"wanted": finding.expected,
	"figures": finding.figures,
}

# A JSON pointer (RFC 6901).
_pointer(path) := concat("", [sprintf("/%v", [_escaped(step)]) | some step in path])

_escaped(step) := replace(replace(step, "~", "~0"), "/", "~1") if is_string(step)

_escaped(step) := step if is_number(step)
