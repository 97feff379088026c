# METADATA
# title: headroom for conftest
# description: |
#   Hands the decision of data.headroom.main to conftest, each finding once:
#   violation - what is written breaks Kubernetes' or headroom's own vocabulary (errors of
#   the categories manifest and classification);
#   deny - every other error; warn - warnings and infos.
package main

import data.headroom.catalogue
import data.headroom.main as headroom

violation contains _entry(f) if {
	some f in headroom.findings
	f.severity == "error"
	_vocabulary(f)
}

deny contains _entry(f) if {
	some f in headroom.findings
	f.severity == "error"
	not _vocabulary(f)
}

warn contains _entry(f) if {
	some f in headroom.findings
	f.severity in {"warning", "info"}
}

_vocabulary(f) if catalogue.rules[f.rule].category in {"manifest", "classification"}

# conftest shows msg and hands every other key on as metadata.
_entry(f) := object.union(
	{"msg": sprintf("%s %s: %s Wanted: %s.", [f.rule, _where(f), f.message, f.expected])},
	f,
)

_where(f) := sprintf("%s%s", [_object(f.resource), _container(f.container)])

_object(resource) := sprintf("%s %s", [resource.kind, resource.name]) if resource.namespace == ""

_object(resource) := sprintf("%s %s/%s", [resource.kind, resource.namespace, resource.name]) if {
	resource.namespace != ""
}

_container("") := ""

_container(name) := sprintf(" container %s", [name]) if name != ""
