# METADATA
# title: No GC log
# description: |
#   A log of the collector costs next to nothing and is the only record of pauses, of heap after
#   collection and of how often both happened before a container was killed.
# related_resources:
# - ref: https://openjdk.org/jeps/271
#   description: JEP 271, unified GC logging
# custom:
#   id: HR413
#   severity: info
#   harm: style
#   facts: [J3]
#   fixable: false
#   kyverno: false
#   remediation: |
#     From JDK 11 on set -Xlog:gc*:stdout, or to a file with rotation
#     (-Xlog:gc*:file=/var/log/gc.log::filecount=5,filesize=10m) in a folder that exists and is
#     writable: otherwise the JVM does not start. On Java 8 it is -Xloggc: with -XX:+PrintGCDetails.
package headroom.rules.jvm["jvm-gc-log"]

import data.headroom.advice
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not j.secret
	not jvm.unread(j)
	not _logs(j)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": "No visible flag writes a GC log.",
		"why": "GC pauses and the heap after collections are not logged.",
		"expected": advice.in_place(j, advice.gc_log(j.version)),
	}
}

_logs(j) if {
	some s in j.sources
	regex.match(_log, s.text)
}

# Of -Xlog, the tags count and not the file that they go to; without tags it logs them all.
_log := concat("", [
	`-Xlog:(?:[^\s:]*[,+])?(?:gc|all)(?:[^a-z]|$)|-Xlog(?:::|\s|$)`,
	`|-Xloggc:|-XX:\+PrintGC|-verbose:gc`,
])
