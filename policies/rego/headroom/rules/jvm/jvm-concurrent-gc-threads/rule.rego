# METADATA
# title: Concurrent collector threads
# description: |
#   Concurrent threads mark the heap beside the application and draw on the same CPU. Half of the
#   parallel threads keep up with them (T6, J3); the default is a quarter of what the JVM takes
#   for its parallel threads, which follows the node where nothing else is said. Up to JDK 17, G1
#   does not start with more concurrent than parallel threads. An info where a CPU limit or
#   ActiveProcessorCount makes the JVM take at most half of its parallel threads; nothing where it
#   takes just what would be wanted. ZGC and Shenandoah choose their threads by load: only a flag that gives
#   them more than that is reported.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/gctuning/garbage-first-g1-garbage-collector1.html
#   description: The G1 collector and its threads
# custom:
#   id: HR404
#   severity: warning
#   harm: threads
#   size: "threads too many"
#   facts: [T6, J3]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:ConcGCThreads to half of -XX:ParallelGCThreads, and both in the same place.
package headroom.rules.jvm["jvm-concurrent-gc-threads"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	jvm.gc_known(j)
	j.gc in jvm.concurrent_collectors
	not j.gc in jvm.adaptive
	not j.conc_gc_threads.set
	not jvm.takes_half(j)
	severity := _severity(j)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": jvm.unless_set(j, sprintf("-XX:ConcGCThreads is not set: %s takes %s.", [
			jvm.collector_text(j),
			jvm.threads_taken(j, j.conc_gc_threads.value, _of_node),
		])),
		"why": _why,
		"expected": _wanted(j),
		"figures": {"conc_gc_threads": j.conc_gc_threads.value, "parallel_gc_threads": jvm.wanted_parallel(j)},
		"fix": [change | severity != "info"; some change in fix.pair(j)],
		"severity": severity,
		"harm": jvm.threads_harm(j.c),
		"follows": ["jvm-processors", "jvm-gc-threads"],
	}
}

# Where HR403 wants ParallelGCThreads said, both go together.
_wanted(j) := sprintf("%s, as it takes now", [advice.in_place(
	j,
	sprintf("-XX:ConcGCThreads=%v", [j.conc_gc_threads.value]),
)]) if {
	j.parallel_gc_threads.set
	advice.threads_as_taken(j, jvm.thread_room(j))
} else := sprintf("%s, half of ParallelGCThreads", [advice.in_place(
	j,
	sprintf("-XX:ConcGCThreads=%v", [jvm.half(jvm.wanted_parallel(j))]),
)]) if {
	j.parallel_gc_threads.set
} else := advice.gc_threads(j, jvm.thread_room(j))

# As in HR403: what a sized JVM picks by itself is right as long as it is at most half.
_severity(j) := "info" if {
	j.processors > 0
	j.conc_gc_threads.value <= jvm.half(j.parallel_gc_threads.value)
} else := "info" if {
	jvm.passing_size(j)
} else := "info" if {
	jvm.few_on_nodes(j)
} else := jvm.absence(j, "warning")

# ParallelGCThreads as HR403 wants it is what counts: what fits beside it is then wanted by both.
report contains finding if {
	some j in jvm.judged
	j.gc in jvm.concurrent_collectors
	flag := j.flags.ConcGCThreads
	jvm.parallel_known(j)
	parallel := jvm.wanted_parallel(j)
	half := jvm.half(parallel)
	j.conc_gc_threads.value > half
	finding := {
		"container": j.container,
		"path": flag.path,
		"message": jvm.unless_set(j, sprintf("%s is more than half of the %v ParallelGCThreads (%s).", [
			jvm.origin(j, "ConcGCThreads"),
			parallel,
			_parallel_source(j, parallel),
		])),
		"why": _why,
		"expected": _fitting(j, half),
		"figures": {"conc_gc_threads": j.conc_gc_threads.value, "parallel_gc_threads": parallel},
		"size": j.conc_gc_threads.value - half,
		"harm": jvm.threads_harm(j.c),
		"severity": jvm.as_set(j, "warning"),
	}
}

_parallel_source(j, parallel) := j.parallel_gc_threads.source if {
	j.parallel_gc_threads.set
	j.parallel_gc_threads.value == parallel
} else := "as HR403 wants them"

_fitting(j, half) := sprintf("-XX:ConcGCThreads=%v", [half]) if {
	_alone(j)
} else := jvm.pair_text(j, jvm.thread_room(j))

_alone(j) if j.parallel_gc_threads.set

_alone(j) if j.gc in jvm.adaptive

_why := "Concurrent threads take CPU from the application; half of ParallelGCThreads is enough."

_of_node := "a quarter of as many threads as the node has cores"
