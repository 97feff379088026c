# METADATA
# title: Burst uses up the CPU quota
# description: |
#   A limit is CPU time per period of 100 ms, and all threads draw on it (T1). A burst on many threads
#   uses it up in a few milliseconds however low the average is: 25 garbage collector threads for 18 ms
#   use 450 ms, and under a limit of two cores, 200 ms, the pause of 18 ms becomes one of 202 ms (T2).
#   The average use of the application, where it is measured or declared, is used up beside it (T8).
#   Fewer threads mean fewer throttled periods. HR502 covers pools of workers.
# related_resources:
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR210
#   severity: warning
#   harm: throttled
#   size: "ms of stall"
#   facts: [T1, T2, T8]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Fit the threads to the limit: for a JVM, ParallelGCThreads at twice the cores of the
#     limit at most (HR403). Otherwise raise the limit to what the burst uses. Where the pause is only
#     assumed, measure it and say so:
#     jvm.headroom.dev/<container>: pause=15ms.
package headroom.rules.cpu["burst-throttles"]

import data.headroom.advice
import data.headroom.bursts
import data.headroom.classify
import data.headroom.cpu
import data.headroom.runtime.jvm

# Where the class wants no limit at all, HR202 speaks, and does this arithmetic itself. Of pools of
# workers HR502 speaks.
report contains finding if {
	some j in jvm.judged
	not cpu.row[j.c.id].limit == "none"
	classify.classes[j.c.id] != "unknown"
	burst := bursts.throttled_collection(j)
	figures := object.remove(burst, ["throttle_ms"])
	finding := {
		"container": j.container,
		"path": cpu.limit_path(j.c),
		"message": concat(" ", [cpu.quota_words(j.c), bursts.gc_text(j, burst, cpu.average[j.c.id])]),
		"expected": advice.for_burst(j, burst),
		"figures": object.union(figures, {"limit_millicores": j.c.cpu_limit}),
		"size": cpu.tenths(burst.stall_ms),
	}
}
