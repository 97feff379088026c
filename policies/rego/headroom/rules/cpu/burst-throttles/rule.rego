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

import data.headroom.advice
import data.headroom.classify
import data.headroom.cpu
import data.headroom.workload

# Where the class wants no limit at all, HR202 speaks, and does this arithmetic itself.
report contains finding if {
	some burst in array.concat(cpu.gc_bursts, cpu.pool_bursts)
	c := workload.containers[burst.id]
	not cpu.row[c.id].limit == "none"
	classify.classes[c.id] != "unknown"
	figures := object.remove(burst, ["id", "text", "throttle_ms"])
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": concat(" ", [cpu.quota_words(c), burst.text]),
		"expected": advice.for_burst(burst),
		"figures": object.union(figures, {"limit_millicores": c.cpu_limit}),
	}
}
