# METADATA
# title: Flags that a JVM refuses to start with
# description: |
#   A JVM exits when it meets a flag that it does not know, or two that contradict each other, and the
#   container restarts for ever. A flag that was removed is ignored with a warning for a release or
#   more, or stops the JVM. The table behind this rule was measured on JDK 8, 11, 17, 21, 25, 26 and 28:
#   MaxRAMPercentage=75 without a decimal point stops Java 8, UseConcMarkSweepGC stops 17 and later, the
#   GC logging flags of Java 8 stop 11 and later. The release is known where
#   jvm.headroom.dev/<container> says version=17, or by the tag of a known image. Where it is not known,
#   only flags that no release takes are reported; `headroom explain` says which releases refuse the
#   others. A word that java takes for the main class stops it, too: $JAVA_OPTS that no shell expands,
#   an option that begins with a long dash. So does a command that is one item with blanks in it. It is
#   a warning where something may still put it right: a placeholder (`-Xmx${HEAP}`) that is filled in
#   before the manifest is applied, or a source that was not read, which the message names.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: The java command and its obsolete and removed options
# custom:
#   id: HR409
#   severity: error
#   harm: start
#   certain: true
#   facts: [J7, J8]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Take the flag out or write it as the release in the image wants it. The reason is in
#     the message. Say which release it is: annotation jvm.headroom.dev/<container>
#     with version=21.
package headroom.rules.jvm["jvm-will-not-start"]

import data.headroom.advice
import data.headroom.process
import data.headroom.runtime.jvm
import data.headroom.workload

report contains finding if {
	some j in array.concat(jvm.jvms, jvm.others)
	some s in j.startup
	_stops(s, j)
	finding := {
		"container": j.container,
		"path": s.path,
		"message": concat(" ", array.concat(
			[_refused(s, j)],
			_unless(s, j),
		)),
		"expected": _expected(s, j),
		"figures": {"refusing_releases": s.versions},
		"severity": _severity(s, j),
		"outcome": _certain(s, j),
	}
}

_refused(s, j) := sprintf("%s: %s; as it stands, %s.", [concat(" ", s.flags), s.reason, _outcome(s, j.version)]) if {
	_to_be_filled(s, j)
} else := sprintf("%s: %s: %s.%s", [concat(" ", s.flags), _outcome(s, j.version), _reason(s, j), _together(s, j)])

# Something fills its value in before the manifest is applied; nothing does that for a variable that stands too late.
_to_be_filled(s, j) if {
	s.reason == jvm.to_be_filled
	not _late(s, j)
}

_late(s, j) := process.late(j.c, s.path, {trim_suffix(flag, "…") | some flag in s.flags})[0] if {
	s.reason == jvm.to_be_filled
}

_reason(s, j) := sprintf(
	"env sets %s behind the variable that refers to it, and the kubelet fills in only what stands before",
	[_late(s, j)],
) if {
	_late(s, j)
} else := s.reason

_expected(s, j) := sprintf("%s in front of the variable that refers to it", [_late(s, j)]) if {
	_late(s, j)
} else := "the manifest as it is applied: fill it in first (kustomize, envsubst, a template), and lint the result" if {
	_to_be_filled(s, j)
} else := advice.startup_flags(s, j)

default _may_start(_, _) := false

_may_start(s, j) if _to_be_filled(s, j)

_may_start(s, j) if jvm.lifted(j, s)

_severity(s, j) := "warning" if {
	_may_start(s, j)
} else := jvm.certainty(j)

_certain(s, j) := "possible" if {
	_may_start(s, j)
} else := "certain"

_unless(s, j) := jvm.unless_any(jvm.curing(j, s)) if {
	jvm.lifted(j, s)
	s.settled
} else := [replace(text, " sets another value", " sets -XX:+IgnoreUnrecognizedVMOptions") |
	jvm.lifted(j, s)
	some text in jvm.unless_stronger(j, "")
]

# A command that is one word with blanks is a program of that name, which no image has.
report contains finding if {
	some c in workload.containers
	word := c.raw.command[0]
	is_string(word)
	regex.match(`^(?:\S*/)?java\s+-\S`, word)
	finding := {
		"container": c.name,
		"path": array.concat(c.path, ["command", 0]),
		"message": concat(" ", [
			"command begins with one item that holds java and its options: no shell takes it apart, so the container",
			"runtime looks for a program of that whole name and cannot start the container.",
		]),
		"expected": `an item for each word: ["java", "-Xmx1g", "-jar", "app.jar"]`,
	}
}

_stops(s, _) if s.all

_stops(_, j) if jvm.none_starts(j)

_outcome(s, 0) := "no JDK will start" if s.all

_outcome(s, 0) := sprintf("JDK %s will not start", [jvm.listed(s.versions)]) if not s.all

_outcome(_, version) := sprintf("JDK %v, which runs here, will not start", [version]) if version != 0

_together(s, j) := " With the other flags that are refused here, no JDK will start." if {
	not s.all
	jvm.none_starts(j)
} else := ""
