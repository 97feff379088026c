# METADATA
# title: JVM flags that cannot be seen
# description: |
#   What a manifest does not show is not taken for right. Flags may come from a Secret, from a
#   ConfigMap that is not in the input, from the start script of an image or from a file in it;
#   and an image may only look like a JVM's. This finding says what is hidden and which verdicts
#   rest on it.
# related_resources:
# - ref: https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/
#   description: Environment variables of a container
# custom:
#   id: HR412
#   severity: info
#   harm: style
#   fixable: false
#   kyverno: false
#   remediation: |
#     Put flags into JAVA_TOOL_OPTIONS as plain text, name java in the command, lint the ConfigMap
#     together with the workload, and say what runs with the annotation
#     runtime.headroom.dev/<container> set to jvm.
package headroom.rules.jvm["jvm-flags-unknown"]

import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	reasons := array.concat(array.concat(_guess(j), _several(j)), array.concat(_hidden(j), _assumed(j)))
	count(reasons) > 0
	finding := {
		"container": j.container,
		"path": array.concat([u.path | some u in j.unknown], [array.concat(j.c.path, ["image"])])[0],
		"message": concat(" ", array.concat(reasons, [_rests(j)])),
		"expected": _wanted(j),
		"figures": {"hidden_places": count(j.unknown)},
	}
}

_wanted(j) := sprintf("%s, or %s", [_known_image, _plain]) if {
	not j.command.java
	j.script == {}
} else := _plain

_known_image := "the image's start script below images: in headroom.yaml"

_plain := "flags in JAVA_TOOL_OPTIONS as plain text, and java named in the command"

_guess(j) := [sprintf("Assumed to be a JVM: %s.", [j.evidence]) | not j.sure]

_several(j) := [concat(" ", [
	"Its command starts more than one JVM at the same time: each is judged as if it ran alone,",
	"and the memory of the others comes on top.",
]) |
	count([other | some other in j.command.others; other.beside]) > 0
]

_hidden(j) := [sprintf("Not visible: %s.", [concat("; ", places)]) |
	places := [sprintf("%s (%s)", [u.what, u.why]) | some u in j.unknown]
	count(places) > 0
]

_assumed(j) := [sprintf("No JVM reads %s by itself; it counts as if the start script passed it on.", [s.name]) |
	some s in j.sources
	s.assumed
	s.name != "args"
]

_rests(j) := "The rules on flags that are missing say nothing, the others are based on the visible flags." if {
	j.secret
} else := "Heap, collector and what else it may set are unknown, unless a visible flag says them." if {
	jvm.unread(j)
} else := "The rules on JVMs are based on the visible flags."
