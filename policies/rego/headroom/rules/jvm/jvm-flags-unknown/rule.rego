# METADATA
# title: JVM flags that cannot be seen
# description: |
#   What a manifest does not show is not taken for right. Flags may come from a Secret, from a
#   ConfigMap that is not in the input, from the start script of an image or from a file in it;
#   and an image may only look like a JVM's: it sets a variable that start scripts hand to java, or
#   settings of Spring Boot (SPRING_…), or its probe asks for /actuator/health. This finding says what
#   is hidden and which verdicts rest on it. A JVM with options of Eclipse OpenJ9 is not judged.
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
#     Put flags as plain text into the variable that the image reads, or into JAVA_TOOL_OPTIONS, lint
#     the ConfigMap together with the workload, and say what runs with the annotation
#     runtime.headroom.dev/<container> set to jvm.
package headroom.rules.jvm["jvm-flags-unknown"]

import data.headroom.runtime.jvm
import data.headroom.words

report contains finding if {
	some j in jvm.judged
	reasons := array.concat(array.concat(_guess(j), _several(j)), array.concat(_hidden(j), _assumed(j)))
	count(reasons) > 0
	finding := {
		"container": j.container,
		"path": array.concat([u.path | some u in j.unknown], [array.concat(j.c.path, ["image"])])[0],
		"message": concat(" ", reasons),
		"why": _rests(j),
		"expected": _wanted(j),
		"figures": {"hidden_places": count(j.unknown)},
	}
}

_wanted(j) := sprintf("%s, or %s", [_known_image, _plain(j)]) if {
	not j.command.java
	j.script == {}
} else := _plain(j)

_known_image := "what the image's start script does, below images: in headroom.yaml"

_plain(j) := "flags as plain text in JAVA_TOOL_OPTIONS or in the command" if {
	j.command.java
} else := sprintf("flags as plain text in %s", [jvm.flag_place(j)])

_guess(j) := [sprintf("Assumed to be a JVM: %s.", [j.evidence]) | not j.sure]

_several(j) := [concat(" ", [
	"Its command starts more than one JVM at a time: each is judged as if it ran alone,",
	"and the memory of the others comes on top.",
]) |
	count([other | some other in j.command.others; other.beside]) > 0
]

# The first place is named with its reason, the others only counted: explain lists them all.
_hidden(j) := [sprintf("Not visible: %s (%s)%s.", [first.what, words.cut(first.why, 80), _more(j.unknown)]) |
	first := j.unknown[0]
]

_more(places) := sprintf(" and %v more", [count(places) - 1]) if count(places) > 1

_more(places) := "" if count(places) == 1

_assumed(j) := [sprintf("%s assumed to be passed on by the start script.", [concat(" and ", _are(names))]) |
	names := [s.name | some s in j.sources; s.assumed; s.name != "args"]
	count(names) > 0
]

_are(names) := [sprintf("%s is", [names[0]])] if count(names) == 1

_are(names) := array.concat(array.slice(names, 0, last), [sprintf("%s are", [names[last]])]) if {
	last := count(names) - 1
	last > 0
}

_rests(j) := "Findings on missing flags say what may set them; the rest is based on the visible flags." if {
	j.secret
} else := "Heap and collector are unknown, unless a visible flag sets them." if {
	jvm.unread(j)
} else := "The JVM findings are based on the visible flags."
