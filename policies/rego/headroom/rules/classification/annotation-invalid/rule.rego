# METADATA
# title: headroom annotation that cannot be read
# description: |
#   An annotation of headroom's that says nothing headroom understands: a key it does not
#   know, a container that does not exist, a quantity, date, rule or runtime that is none.
#   What it was meant to say is not known, so the verdicts that rest on it fall back on
#   what is assumed, and a misspelt measurement looks like none at all.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/
#   description: Annotations
# custom:
#   id: HR105
#   severity: error
#   fixable: false
#   kyverno: false
#   remediation: |
#     Correct the key or the value as the message says. Keys for one container end in its
#     name, as in cpu-average.headroom.dev/app; values are always text: quote numbers.
package headroom.rules.classification["annotation-invalid"]

import data.headroom.words
import data.headroom.workload

report contains finding if {
	not _all_usual
	some [entry, why, expected] in complaints
	finding := {
		"container": _container(entry),
		"path": object.get(entry, "path", workload.annotation_path(entry.key)),
		"message": sprintf("%s %s%s", [words.shown(entry.key), why, _end(why)]),
		"expected": expected,
	}
}

_end(why) := "" if endswith(why, "?")

_end(why) := "." if not endswith(why, "?")

# entries are headroom's annotations: {key, domain, name, value, reads}, where
# class.headroom.dev/app has the domain "class." and the name "app", headroom.dev/applied
# the domain "". reads is how its value is read, null for a key that means nothing here.
entries := [{"key": key, "domain": domain, "name": name, "value": value, "reads": _reads(domain, name)} |
	some key, value in workload.annotations
	contains(key, "headroom.dev/")
	[domain, name] := split(key, "headroom.dev/")
	_ours(domain)
]

_ours("") := true

_ours(domain) if endswith(domain, ".")

_reads("", name) := object.get(_readers, name, null)

_reads(domain, _) := object.get(_readers, domain, null) if domain != ""

# A finding names the container that the key ends in.
default _container(_) := ""

_container(entry) := entry.name if {
	entry.domain in container_domains
	entry.name in containers
}

# containers are the names that a key may end in. A Pod that is not judged has them too.
containers := {c.name |
	some list in ["containers", "initContainers"]
	some c in workload.pod_spec[list]
	is_string(c.name)
}
