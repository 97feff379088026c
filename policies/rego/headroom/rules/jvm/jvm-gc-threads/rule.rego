# METADATA
# title: Parallel collector threads
# description: |
#   A pause is shorter with more collector threads, until they use the CPU quota up or wait for
#   each other. Measured with 2 cores at 5,000 requests a second (T6): 25 threads, P99 178 ms
#   and 3.2 % of periods throttled; 4 threads, twice the cores, 38 ms and 0.4 %; 2 threads 52 ms
#   and 0.1 %. So twice the cores is the aim, once is enough, and the number should be said and
#   not left to what the JVM makes of its node. Fewer threads promise fewer throttled periods.
#   An info where a CPU limit or ActiveProcessorCount makes the JVM take once or twice the cores: nothing is written
#   then, and more threads are wanted only where its CPU use and its pause are known. From
#   nine cores on what the JVM takes by itself is enough (13 on 16, 23 on 32), and 16 or that are wanted.
#   ZGC and Shenandoah choose their threads by load and were not measured: only more than twice the cores is reported.
# related_resources:
# - ref: https://docs.oracle.com/en/java/javase/21/gctuning/
#   description: Garbage collection tuning guide
# custom:
#   id: HR403
#   severity: warning
#   harm: threads
#   size: "threads too many or too few"
#   facts: [T6, J1]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set -XX:ParallelGCThreads to twice the cores and, where the collector also works beside the application,
#     -XX:ConcGCThreads to half of that in the same change: up to JDK 17, G1 does not start with more concurrent than
#     parallel threads.
package headroom.rules.jvm["jvm-gc-threads"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.runtime.jvm

report contains finding if {
	some j in jvm.judged
	jvm.gc_known(j)
	not j.gc in jvm.single_threaded
	not j.gc in jvm.adaptive
	not j.parallel_gc_threads.set
	room := jvm.thread_room(j)
	severity := _severity(j, room)
	finding := {
		"container": j.container,
		"path": jvm.flag_path(j),
		"message": jvm.unless_set(j, sprintf("-XX:ParallelGCThreads is not set: %s takes %s.", [
			jvm.collector_text(j),
			jvm.threads_taken(j, j.parallel_gc_threads.value, _of_node),
		])),
		"why": _why_unset(j, room),
		"expected": advice.gc_threads(j, room),
		"figures": {"parallel_gc_threads": j.parallel_gc_threads.value, "cores": room.cores},
		"fix": [change | severity != "info"; some change in fix.pair(j)],
		"severity": severity,
		"harm": _unset_harm(j, room),
		"follows": ["jvm-processors"],
	}
}

# What the JVM picks by itself is right where a limit or ActiveProcessorCount sizes it; it
# is worth saying, since another limit makes another number.
_severity(j, room) := "info" if {
	j.processors > 0
	jvm.threads_fit(j.parallel_gc_threads.value, room)
} else := "info" if {
	jvm.passing_size(j)
} else := "info" if {
	jvm.few_on_nodes(j)
} else := jvm.absence(j, "warning")

report contains finding if {
	some j in jvm.judged
	not j.gc in jvm.single_threaded
	flag := j.flags.ParallelGCThreads
	threads := j.parallel_gc_threads.value
	threads > 0
	room := jvm.thread_room(j)
	room.cores > 0
	not jvm.threads_fit(threads, room)
	finding := {
		"container": j.container,
		"path": flag.path,
		"message": jvm.unless_set(j, sprintf("%s is %s the %s of the container (%s); right is %s.", [
			jvm.origin(j, "ParallelGCThreads"),
			_relation(threads, room),
			jvm.plural(room.cores, "core"),
			jvm.cores_text(j),
			_right(room),
		])),
		"why": _why(threads, room),
		"expected": concat("", [
			sprintf("-XX:ParallelGCThreads=%v", [room.wanted]),
			_with_concurrent(j, room),
		]),
		"figures": {"parallel_gc_threads": threads, "cores": room.cores},
		"size": max([threads - room.most, room.least - threads]),
		"harm": _harm(j, threads, room),
		"severity": jvm.as_set(j, "warning"),
	}
}

_unset_harm(j, room) := "pauses" if {
	j.processors > 0
	j.parallel_gc_threads.value < room.least
} else := jvm.threads_harm(j.c)

_harm(j, threads, room) := jvm.threads_harm(j.c) if threads > room.most

_harm(_, threads, room) := "pauses" if threads < room.least

_relation(threads, room) := "more than twice" if threads > room.most

_relation(threads, room) := "less than" if {
	threads < room.least
	room.least >= floor(room.cores)
}

_relation(threads, room) := "too few for" if {
	threads < room.least
	room.least < floor(room.cores)
}

_right(room) := sprintf("%v to %v", [room.least, room.most]) if room.least < room.most

_right(room) := sprintf("%v", [room.least]) if room.least == room.most

# G1 does not start with more concurrent than parallel threads, up to JDK 17 (measured).
_with_concurrent(j, room) := sprintf(", with -XX:ConcGCThreads=%v", [jvm.half(room.wanted)]) if {
	j.conc_gc_threads.set
	j.gc in jvm.concurrent_collectors
	j.conc_gc_threads.value > jvm.half(room.wanted)
} else := ""

_why(threads, room) := "Too few collector threads have too much to do, and pauses are longer." if {
	threads < room.least
} else := _too_many

_too_many := "Collector threads that are too many wait for CPU, and pauses are longer."

# What a node decides may be any number.
_why_unset(j, room) := _too_many if {
	j.processors == 0
} else := "With another number of processors it takes another number of threads." if {
	jvm.threads_fit(j.parallel_gc_threads.value, room)
} else := _why(j.parallel_gc_threads.value, room)

_of_node := sprintf(
	"one thread for each core of the node up to eight, then five for each eight (%s)",
	[jvm.parallel_on],
)
