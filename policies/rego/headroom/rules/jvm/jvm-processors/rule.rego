# METADATA
# title: Processors that a JVM counts
# description: |
#   A JVM sizes its collector, its compilers and the common pool to the processors it counts:
#   those of its CPU limit, rounded up, or of -XX:ActiveProcessorCount. With neither it counts
#   the node's; on 64 cores that is 43 collector, 11 concurrent and 18 compiler threads, whatever
#   the CPU request (measured; only Java 8 and old updates of 11 and 17 look at requests). That
#   many threads on one core's work take turns instead of working. How many cores the node has is not in the
#   manifest: without a limit this is a warning, and an info where `nodes: {cores: 4}` in headroom.yaml says
#   that no node has more than twice the cores of the container. A count of more than twice the cores of a
#   limit, or of a measured average, is an error. Where a CPU limit is removed (HR202), the count has to be set.
# related_resources:
# - ref: https://bugs.openjdk.org/browse/JDK-8281181
#   description: JDK-8281181, do not use CPU shares to compute the active processor count
# custom:
#   id: HR402
#   severity: warning
#   harm: threads
#   size: "processors for each core"
#   facts: [J2, J3, J4]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:ActiveProcessorCount in JAVA_TOOL_OPTIONS: the CPU limit in whole cores or, without
#     one, twice the average CPU, at least 2 and at least the CPU request. Where the average is not known nothing is
#     changed: `headroom annotate` measures it, and cpu-average.headroom.dev/<container> says it. It is a
#     whole number on every JDK; 500m is not half a processor but 524,288,000.
package headroom.rules.jvm["jvm-processors"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.fix
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	not jvm.release_lacks(j) # it counts the node's with a limit too, and lacks the flag (HR401)
	j.c.cpu_limit == 0
	not j.flags.ActiveProcessorCount
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": concat(" ", array.concat(
			[sprintf("There is no CPU limit and no -XX:ActiveProcessorCount%s.", [_counted(j)])],
			array.concat([text | some text in jvm.unless_hidden(j); not j.facts.processors], [_average(j)]),
		)),
		"why": _why(j),
		"expected": advice.processors_in_place(j),
		"figures": {"cores": jvm.cores(j), "average_millicores": cpu.average[j.c.id].milli},
		"fix": fix.processors(j, advice.processors(j)),
		"severity": _severity(j),
	}
}

_counted(j) := sprintf(", and it counts %v processors (%s)", [
	j.facts.processors,
	jvm.fact_text(j, "processors"),
]) if {
	j.facts.processors
} else := ""

# What it counts is certain; where its nodes have few cores, only a larger one would do harm, and none is larger than
# the largest that is told.
_severity(j) := "error" if {
	jvm.cores(j) > 0
	j.facts.processors > 2 * jvm.cores(j)
} else := "info" if {
	jvm.cores(j) > 0
	j.facts.processors
} else := "info" if {
	jvm.few_on_nodes(j)
} else := jvm.absence(j, "warning")

report contains finding if {
	some j in jvm.judged
	flag := j.flags.ActiveProcessorCount
	cores := jvm.cores(j)
	j.processors > 2 * cores
	finding := {
		"container": j.container,
		"path": flag.path,
		"message": jvm.unless_set(j, sprintf("%s: threads for %s, more than twice the %s of the container (%s).", [
			jvm.origin(j, "ActiveProcessorCount"),
			jvm.plural(j.processors, "processor"),
			jvm.plural(cores, "core"),
			jvm.cores_text(j),
		])),
		"expected": sprintf("%s, at most %v", [advice.processors(j), 2 * cores]),
		"figures": {"processors": j.processors, "cores": cores},
		"size": cpu.tenths(j.processors / cores),
		"harm": jvm.threads_harm(j.c),
		"severity": jvm.as_set(j, "error"),
	}
}

# Some launchers count by themselves, and not what the limit leaves. From 17 on none that is known does.
report contains finding if {
	some j in jvm.judged
	j.c.cpu_limit > 0
	not j.flags.ActiveProcessorCount
	jvm.set_out_of_sight(j, "ActiveProcessorCount")
	not jvm.surely_from(j, 17)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": "The image's launcher may set -XX:ActiveProcessorCount to the cores of the node.",
		"why": "Before Java 17 some buildpacks do, whatever the CPU limit is.",
		"expected": advice.processors_in_place(j),
		"figures": {"cores": jvm.cores(j)},
		"severity": "info",
	}
}

_why(j) := sprintf(
	concat(" ", [
		"%s takes requests.cpu, rounded up, for its number of processors,",
		"and the node's if it is 1 or none.",
	]),
	[release],
) if {
	release := jvm.counts_shares(j.facts.version)
} else := jvm.threads_of_node(j)

_average(j) := "Its average CPU use is not known." if cpu.average[j.c.id].milli == 0

_average(j) := sprintf("Its cores: %s.", [jvm.cores_text(j)]) if cpu.average[j.c.id].milli > 0
