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
		"expected": "flags in JAVA_TOOL_OPTIONS as plain text, and java named in the command",
		"figures": {"hidden_places": count(j.unknown)},
	}
}

_guess(j) := [sprintf("That this is a JVM is a guess: %s.", [j.evidence]) | not j.sure]

_several(j) := [concat(" ", [
	"Its command starts more than one JVM at the same time: each is judged as if it ran alone,",
	"and the memory of the others comes on top.",
]) |
	count([other | some other in j.command.others; _either_beside(j, other)]) > 0
]

_either_beside(_, other) if other.beside

_either_beside(j, _) if j.command.beside

_hidden(j) := [sprintf("Flags may be set where this check cannot look: %s.", [concat("; ", places)]) |
	places := [sprintf("%s (%s)", [u.what, u.why]) | some u in j.unknown]
	count(places) > 0
]

_assumed(j) := [sprintf("No JVM reads %s by itself; it is judged as if the start script passed it on.", [s.name]) |
	some s in j.sources
	s.assumed
	s.name != "args"
]

_rests(j) := concat("", [
	"HR402 to HR408 and HR413 are not judged; ",
	"HR303, HR304, HR307, HR409 and HR410 rest on what is in sight.",
]) if {
	j.secret
} else := "HR303, HR304, HR307 and HR402 to HR413 rest on what is in sight."
