# METADATA
# title: A pool is sized by the node's cores
# description: |
#   Runtimes and servers start a thread or a worker for each core that they count, and most count the
#   node's: under a CPU limit all of them draw on the one quota, use it up in the first part of each
#   period and are throttled for the rest (T13). Up to two for each core of the limit are usual, for work
#   that waits now and then. A JVM's libraries have such pools too, where a property sizes them: Netty's
#   event loop, the common pool, the dispatchers of Akka and Pekko (J17). Without a limit nothing is
#   throttled. But where they are processes, as celery's workers are, each takes memory: 64 of them in
#   4 GiB have 64 MiB each. What one takes is the application's (R21), so that this is an info until
#   worker= in the annotation says it, and a warning then. `nodes: {cores: 16}` in headroom.yaml says how
#   many cores the largest node has.
# related_resources:
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR505
#   severity: warning
#   harm: throttled
#   facts: [T13, J17, R10, R20, R21, R28, R30, R32, R40, R50, R51, R52, R54, R56, R64]
#   fixable: true
#   remediation: |
#     Give the pool as many threads or workers as the CPU limit has cores, rounded up, by the setting that the finding
#     names.
package headroom.rules.runtimes["runtime-counts-node"]

import data.headroom.ceiling
import data.headroom.cpu
import data.headroom.fix
import data.headroom.runtimes

report contains finding if {
	some counter in runtimes.counters
	cpu.overcounted(counter)
	finding := object.union(_possible(counter), {
		"container": counter.c.name,
		"path": counter.path,
		"message": sprintf("%s, and %s: %s", [counter.text, cpu.limit_words(counter.c), cpu.spent(counter)]),
		"expected": counter.expected,
		"figures": {"count": counter.count, "limit_millicores": counter.c.cpu_limit},
		"fix": fix.counter(counter),
	})
}

# What only may count the node's cores is no warning.
_possible(counter) := {} if counter.sure

_possible(counter) := {"severity": "info"} if not counter.sure

# What rounds a part of a core up is throttled for less.
report contains finding if {
	some counter in runtimes.counters
	counter.rounds
	cpu.rounded_up(counter)
	finding := {
		"container": counter.c.name,
		"path": counter.path,
		"message": sprintf("%s, and %s: %s", [counter.text, cpu.limit_words(counter.c), cpu.spent(counter)]),
		"expected": counter.expected,
		"severity": "info",
		"figures": {"count": counter.count, "limit_millicores": counter.c.cpu_limit},
	}
}

report contains finding if {
	some crowd in runtimes.crowds
	c := crowd.counter.c
	finding := {
		"container": c.name,
		"path": crowd.counter.path,
		"message": sprintf("%s. All of them share limits.memory of %v MiB.", [
			crowd.counter.text,
			ceiling.mib(c.memory_limit),
		]),
		"why": crowd.why,
		"expected": crowd.expected,
		"harm": "OOMKilled",
		"severity": crowd.severity,
		"figures": {"count": 0, "limit_bytes": c.memory_limit},
	}
}
