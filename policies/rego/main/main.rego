# METADATA
# title: headroom for conftest
# description: |
#   Hands the decision of data.headroom.main to conftest, in the order of `headroom lint`:
#   violation - what is written breaks Kubernetes' or headroom's own vocabulary (errors of
#   the categories manifest and classification);
#   deny - every other error; warn - warnings. Infos are a package of their own, infos.
#   A finding that follows from another one is named in its message and listed in its `with`.
package main

import data.headroom.catalogue
import data.headroom.config
import data.headroom.main as headroom

violation := [_entry(f) | some f in _ranked("error"); _vocabulary(f)]

deny := [_entry(f) | some f in _ranked("error"); not _vocabulary(f)]

warn := array.concat([_entry(f) | some f in _ranked("warning")], [{"msg": msg} |
	some pattern in config.unmatched
	msg := sprintf("headroom.yaml: %s covers nothing: a pattern has at most three *", [pattern])
])

# infos are what package infos hands on.
infos := [_entry(f) | some f in _ranked("info")]

_vocabulary(f) if catalogue.rules[f.rule].category in {"manifest", "classification"}

# What speaks for itself, the worst harm first. A severity is never below that of what follows.
_ranked(severity) := [ranked[4] |
	some ranked in sort({[catalogue.harms[f.harm], f.rule, f.resource, f.container, f] |
		some f in headroom.findings
		f.severity == severity
		f.group == f.rule
	})
]

# conftest shows msg and hands every other key on as metadata.
_entry(f) := object.union(f, {
	"msg": sprintf("%s %s: %s Wanted: %s.%s", [f.rule, _where(f), f.message, f.expected, _named(followers)]),
	"with": followers,
}) if {
	followers := sort({other |
		some other in headroom.findings
		other.group == f.rule
		other.rule != f.rule
		[other.resource, other.container] == [f.resource, f.container]
	})
}

_named([]) := ""

_named(followers) := sprintf(" With %s.", [concat(", ", sort({other.rule | some other in followers}))]) if {
	count(followers) > 0
}

_where(f) := sprintf("%s%s", [_object(f.resource), _container(f.container)])

_object(resource) := sprintf("%s %s", [resource.kind, resource.name]) if resource.namespace == ""

_object(resource) := sprintf("%s %s/%s", [resource.kind, resource.namespace, resource.name]) if {
	resource.namespace != ""
}

_container("") := ""

_container(name) := sprintf(" container %s", [name]) if name != ""
