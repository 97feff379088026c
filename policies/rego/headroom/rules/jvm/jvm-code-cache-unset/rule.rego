# METADATA
# title: Code cache not bounded
# description: |
#   The JVM reserves 240 MiB for compiled code and lets it fill them; with one compiler only it is
#   48 MiB (measured; with TieredStopAtLevel=1 that holds from 17 on). Services seldom need more
#   than 128 MiB (J3); 6 to 46 MiB were measured (M7).
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/docs/specs/man/java.html
#   description: -XX:ReservedCodeCacheSize in the java command's manual
# custom:
#   id: HR407
#   severity: info
#   harm: style
#   facts: [M4, M7, J3]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure the code cache (headroom diagnose, jcmd Compiler.codecache), say it, codecache=60Mi in
#     jvm.headroom.dev/<container>, and set -XX:ReservedCodeCacheSize as the finding then names it. A cache
#     that is full stops the compilers, so headroom sets it only where inject.headroom.dev/<container>
#     asks for code-cache: 128m where nothing was measured.
package headroom.rules.jvm["jvm-code-cache-unset"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.quantity
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not j.secret
	not jvm.unread(j)
	not j.flags.ReservedCodeCacheSize
	size := quantity.mib(jvm.code_cache_size(j))
	cap := advice.code_cache_cap(j)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": sprintf("-XX:ReservedCodeCacheSize is not set: compiled code may grow to %v MiB, the JVM's default.", [
			size,
		]),
		"expected": _wanted(j, cap),
		"figures": {"code_cache_mib": size},
		"fix": fix.code_cache_cap(j, cap),
		"follows": ["jvm-region-unbounded"],
	}
}

_wanted(j, "") := advice.measured_first(j, ["codecache="], ["-XX:ReservedCodeCacheSize"])

_wanted(j, cap) := advice.in_place(j, cap) if cap != ""
