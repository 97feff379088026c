# METADATA
# title: Burst uses up the CPU quota
# description: |
#   A limit is CPU time per period of 100 ms, and all threads draw on it (T1). A burst on
#   many threads uses it up in a few milliseconds however low the average is: 25 garbage
#   collector threads for 18 ms use 450 ms, and under a limit of two cores, 200 ms, the
#   pause of 18 ms becomes one of 268 ms (T2). A pool of more workers than cores meets the
#   same end: 8 on one core are frozen for 87.5 ms of every 100 (T12). Fewer threads mean
#   fewer throttled periods.
# related_resources:
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR210
#   severity: warning
#   facts: [T1, T2, T12]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Fit the threads to the limit: for a JVM, ParallelGCThreads at twice the cores of the
#     limit at most (HR403); for workers, one core each (HR502). Otherwise raise the limit to
#     what the burst uses. Where the pause is only assumed, measure it and say so:
#     jvm.headroom.dev/<container>: pause=15ms.
package headroom.rules.cpu["burst-throttles"]

import data.headroom.classify
import data.headroom.cpu
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	some burst in cpu.gc_bursts
	threads := floor(burst.quota_ms / burst.pause_ms)
	finding := _finding(burst, {"gc_threads": burst.gc_threads, "pause_ms": burst.pause_ms}, _fewer("GC threads", threads))
}

report contains finding if {
	some burst in cpu.pool_bursts
	workers := floor(burst.quota_ms / (burst.cores_per_worker * 100))
	finding := _finding(
		burst,
		{"workers": burst.workers, "cores_per_worker": burst.cores_per_worker},
		_fewer("workers", workers),
	)
}

# Where the class wants no limit at all, HR202 speaks, and does this arithmetic itself.
_finding(burst, figures, fewer) := {
	"container": c.name,
	"path": cpu.limit_path(c),
	"message": concat(" ", [cpu.quota_words(c), burst.text]),
	"expected": sprintf("%sa limit of at least %s", [fewer, quantity.format_cpu(ceil(burst.used_ms * 10))]),
	"figures": object.union(figures, {
		"limit_millicores": c.cpu_limit,
		"quota_ms": burst.quota_ms,
		"used_ms": burst.used_ms,
		"stall_ms": burst.stall_ms,
	}),
} if {
	c := workload.containers[burst.id]
	not cpu.row[c.id].limit == "none"
	classify.classes[c.id] != "unknown"
}

_fewer(_, 0) := ""

_fewer(what, most) := sprintf("%s: at most %v, or ", [what, most]) if most > 0
