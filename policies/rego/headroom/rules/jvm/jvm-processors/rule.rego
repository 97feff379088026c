# METADATA
# title: Processors that a JVM counts
# description: |
#   A JVM sizes its collector, its compilers and the common pool to the processors it counts:
#   those of its CPU limit, rounded up, or of -XX:ActiveProcessorCount. With neither it counts
#   the node's; on 64 cores that is 43 collector, 11 concurrent and 18 compiler threads, whatever
#   the CPU request (measured; only Java 8 and old updates of 11 and 17 look at requests). That
#   many threads on one core's work take turns instead of working. Where a CPU limit is removed
#   (HR202), the count has to be set.
# related_resources:
# - ref: https://bugs.openjdk.org/browse/JDK-8281181
#   description: JDK-8281181, do not use CPU shares to compute the active processor count
# custom:
#   id: HR402
#   severity: error
#   facts: [J2, J3, J4]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:ActiveProcessorCount in JAVA_TOOL_OPTIONS: the CPU limit in whole cores or, without
#     one, twice the average CPU, at least 2. It is a whole number on every JDK; 500m is not half
#     a processor but 524,288,000.
package headroom.rules.jvm["jvm-processors"]

import data.headroom.cpu
import data.headroom.fix
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not j.secret
	j.c.cpu_limit == 0
	not j.flags.ActiveProcessorCount
	wanted := sprintf("-XX:ActiveProcessorCount=%v", [jvm.wanted_processors(j)])
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": concat("", [
			"There is no CPU limit and no -XX:ActiveProcessorCount, so the JVM counts all cores of its node ",
			_starts(_threads_on_64(j)),
			_average(j),
		]),
		"expected": wanted,
		"figures": {"cores": jvm.cores(j), "average_millicores": cpu.average[j.c.id].milli},
		"fix": fix.processors(j, wanted),
	}
}

report contains finding if {
	some j in jvm.judged
	not j.secret
	j.flags.ActiveProcessorCount
	cores := jvm.cores(j)
	j.processors > 2 * cores
	finding := {
		"container": j.container,
		"path": j.flags.ActiveProcessorCount.path,
		"message": sprintf("%s makes the JVM start threads for %s, more than twice the %s it has (%s).", [
			jvm.origin(j, "ActiveProcessorCount"),
			jvm.plural(j.processors, "processor"),
			jvm.plural(cores, "core"),
			jvm.cores_text(j),
		]),
		"expected": sprintf("-XX:ActiveProcessorCount=%v, at most %v", [jvm.wanted_processors(j), 2 * cores]),
		"figures": {"processors": j.processors, "cores": cores},
	}
}

_starts([]) := "and sizes its pools of threads to them."

_starts(threads) := sprintf("and starts threads for them: %s threads on 64 cores.", [jvm.listed(threads)]) if {
	count(threads) > 0
}

# What no flag sets, and what does not follow from one.
_threads_on_64(j) := [sprintf("%v %s", [n, kind]) |
	some [kind, n] in [["collector", parallel], ["concurrent", concurrent], ["compiler", compilers]]
	n > 1
] if {
	parallel := jvm.parallel_threads(j.flags, j.numbers, j.gc, 64, j.heap.bytes).value * _free(j.parallel_gc_threads)
	concurrent := jvm.default_concurrent(j.gc, parallel, 64, j.heap.bytes) * _free(j.conc_gc_threads)
	compilers := jvm.default_compilers(j.flags, j.numbers, j.version, 64) * _free(j.compiler_threads)
}

_free(threads) := 0 if threads.set

_free(threads) := 1 if not threads.set

_average(j) := "" if cpu.average[j.c.id].milli == 0

_average(j) := sprintf(" Its share is %s.", [jvm.cores_text(j)]) if cpu.average[j.c.id].milli > 0
