# METADATA
# title: Stack size not set
# description: |
#   Each thread may use a stack of 1 MiB unless -Xss says otherwise: 250 threads, 250 MiB. Most use
#   0.11 MiB (M7), and a deep recursion in many threads at once all of it. 512k is enough for most
#   services (J3) and halves that.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -Xss in the java command's manual
# custom:
#   id: HR408
#   severity: info
#   harm: style
#   facts: [M4, M7, J3, J8]
#   fixable: false
#   kyverno: true
#   remediation: |
#     Test the deepest calls with -Xss512k, and set what they need. A JVM refuses less than 136k, and Java 8 less than
#     228k.
package headroom.rules.jvm["jvm-stack-unset"]

import data.headroom.advice
import data.headroom.memory
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not j.secret
	not jvm.unread(j)
	not j.flags.ThreadStackSize
	stacks := memory.stacks(j)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": sprintf("-Xss is not set: %v threads (%s) may take %v MiB.", [
			stacks.threads,
			stacks.source,
			stacks.bound_mib,
		]),
		"why": "A thread's stack may grow to 1 MiB.",
		"expected": sprintf("%s, tested on the deepest calls: 512k is enough for most services", [
			advice.in_place(j, "-Xss"),
		]),
		"figures": {"stacks_mib": stacks.bound_mib, "threads": stacks.threads},
		"follows": ["jvm-region-unbounded"],
	}
}
