# METADATA
# title: CPU limit on a latency-sensitive container
# description: |
#   A CPU limit is a quota for each period of 100 ms (T1). Threads that run at once, those of
#   a garbage collector or a pool of workers, use the quota up within milliseconds, and the
#   whole container, requests in flight included, is throttled until the next period. The class that was
#   named has no limit, so this is an error. It is a warning where the threads that burst are counted and nothing but
#   an assumed figure, such as the length of a pause, says that they use the quota up (T8). A request is no
#   measure of the average use: without one, the burst counts alone. In
#   the measured service, removing the limit took P99 from 178 ms to 27 ms while mean CPU
#   stayed at 0.7 cores (T7). What protects the neighbours is the CPU request, which
#   weighs the container against the others when the node is busy. The finding has its price in a line: the QoS class
#   before and after (M9), the PriorityClass, the namespace's quota and, in an audit of all namespaces, how much of the
#   node's CPU is requested.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR202
#   severity: error
#   harm: throttled
#   size: "ms for each second of CPU time"
#   facts: [T1, T2, T7, T8, T12, J3, M9]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Remove limits.cpu, give a JVM -XX:ActiveProcessorCount in the same change, and keep a CPU
#     request at the measured average. Without a limit a JVM sees every core of the node
#     (HR402). The webhook and `headroom fix` do both, where it is known what runs in
#     the container: an image can hide a JVM, which without its limit would take the node's
#     cores for its own. `runtime.headroom.dev/<container>` says what it is. A JVM gets as many
#     processors as twice its average use or, where that is not known, as its limit had; two at least. One, with
#     which it keeps the Serial collector, only where two would take more memory than its limit has room for and its
#     heap is not over 1792 MiB; the finding then says so: pauses are longer (measured with 2 GiB: P99 80 ms, and
#     22 ms with G1).
package headroom.rules.cpu["latency-cpu-limit"]

import data.headroom.advice
import data.headroom.bursts
import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.registry
import data.headroom.runtimes
import data.headroom.workload

# The container's own limit and the Pod's are two fields to change, so each is a finding.
# What only a LimitRange would set is HR209's to speak of.
report contains finding if {
	cpu.limited
	some c in workload.containers
	cpu.row[c.id].limit == "none"
	some source in ["container", "pod"]
	limit := _limit(c, source)
	limit > 0
	not cpu.pinned(c)
	limited := object.union(c, {"cpu_limit": limit, "cpu_limit_source": source})
	burst := _burst(c, source)
	quota := cpu.quota_ms(limit, 100)
	figures := {"limit_millicores": limit, "quota_ms": quota, "period_ms": 100}
	changes := fix.no_limit(c, source)
	finding := {
		"container": c.name,
		"path": cpu.limit_path(limited),
		"message": concat(" ", array.concat([cpu.quota_words(limited), burst.text], _happened(c))),
		"expected": advice.no_cpu_limit(c, changes),
		"figures": object.union(figures, object.remove(burst, ["id", "text", "quota_ms", "certain"])),
		"fix": changes,
		"price": advice.price,
		"size": cpu.tenths(1000000 / limit),
		"severity": _severity(c, burst),
	}
}

_limit(c, "container") := c.cpu_limit if c.cpu_limit_source == "container"

_limit(_, "pod") := workload.pod_level.cpu.limit

# HR602 has the rest of what was measured.
_happened(c) := [sprintf("As measured, it was throttled in %v %% of its periods.", [percent])] if {
	seen := measured.containers[c.name]
	cpu.throttling(seen.ratio, 1) != "healthy"
	percent := round(seen.ratio * 1000) / 10
} else := []

# A burst that is known, also with the threads that HR403 wants, and not certain to use the quota up.
_severity(c, burst) := "warning" if {
	not burst.certain
	is_number(burst.throttle_ms)
	count([b | some b in bursts.as_wanted; b.id == c.id; b.certain]) == 0
} else := "error"

# The arithmetic of its JVM or workers, which HR210 and HR502 leave to this rule: what is throttled first.
_burst(c, source) := found[0] if {
	c.cpu_limit_source == source
	all := [b | some b in array.concat(bursts.gc_bursts, bursts.pool_bursts); b.id == c.id]
	throttled := [b | some b in all; b.throttle_ms > 0]
	found := array.concat([b | some b in throttled; b.certain], array.concat(throttled, all))
	count(found) > 0
} else := {"text": concat(" ", [
	"When",
	_users(c, source),
	"use that up, all of them are throttled until the next period.",
])}

_users(_, "pod") := "the threads of its containers" if cpu.shared("pod")

_users(c, source) := _threads(object.get(registry.about, runtimes.running[c.id].name, {})) if not _of_all(source)

_of_all("pod") if cpu.shared("pod")

# What bursts in a process whose threads are not counted.
_threads(runtime) := runtime.bursts if {
	runtime.bursts
} else := concat(" ", ["the threads of", runtime.words]) if {
	runtime.words
} else := "its threads"
