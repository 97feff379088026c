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
	some [entry, why, expected] in complaints
	finding := {
		"container": entry.container,
		"path": entry.path,
		"message": sprintf("%s %s%s", [words.shown(entry.key), why, _end(why)]),
		"expected": expected,
	}
}

_end(why) := "" if endswith(why, "?")

_end(why) := "." if not endswith(why, "?")

# entries are headroom's annotations: {key, domain, name, value, path, container}, where
# class.headroom.dev/app has the domain "class" and the name "app", and headroom.dev/applied
# the domain "".
entries := [entry |
	some key, value in workload.annotations
	contains(key, "headroom.dev/")
	some [_, domain, name] in regex.find_all_string_submatch_n(`^(?:([^/]*)\.)?headroom\.dev/(.*)$`, key, 1)
	entry := {
		"key": key,
		"domain": domain,
		"name": name,
		"value": value,
		"path": workload.annotation_path(key),
		"container": _container(domain, name),
	}
]

_container(domain, name) := name if {
	domain in container_domains
	name in containers
} else := ""

# containers are the names that a key may end in. A Pod that is not judged has them too.
containers := {c.name |
	some list in ["containers", "initContainers"]
	some c in workload.pod_spec[list]
	is_string(c.name)
}
