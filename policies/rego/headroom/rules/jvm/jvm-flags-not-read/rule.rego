# METADATA
# title: Flags that no JVM reads
# description: |
#   JAVA_OPTS, JVM_OPTS and the like are conventions of start scripts: the JVM itself reads
#   JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS and _JAVA_OPTIONS, and nothing else. Flags in another variable
#   have no effect where the manifest's own command starts java and does not expand it. Neither have
#   flags after the class or jar, which go to the program, or behind the script of sh -c, which the
#   shell keeps. A GraalVM native image reads none of these variables (J16). Nothing warns of any of
#   this at run time.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: The java command and JDK_JAVA_OPTIONS
# custom:
#   id: HR411
#   severity: warning
#   harm: style
#   facts: [J9, J16]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Move the flags to JAVA_TOOL_OPTIONS, expand the variable in the command, or put the flags in
#     front of -jar.
package headroom.rules.jvm["jvm-flags-not-read"]

import data.headroom.runtime.jvm
import data.headroom.runtimes

report contains finding if {
	some j in jvm.judged
	some unread in jvm.not_read(j)
	finding := {
		"container": j.container,
		"path": unread.path,
		"message": unread.text,
		"expected": object.get(unread, "wanted", sprintf("the flags in %s", [_place(j, unread)])),
	}
}

# Native images take their flags on the command line alone.
report contains finding if {
	some unread in runtimes.unread
	finding := {
		"container": unread.c.name,
		"path": unread.path,
		"message": unread.message,
		"expected": unread.expected,
	}
}

_place(j, unread) := [place |
	some place in [object.get(unread, "place", ""), jvm.flag_place(j), "JAVA_TOOL_OPTIONS"]
	place != ""
][0]
