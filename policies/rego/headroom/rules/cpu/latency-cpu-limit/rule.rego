# METADATA
# title: CPU limit on a latency-sensitive container
# description: |
#   A CPU limit is a quota for each period of 100 ms (T1). Garbage collection and JIT
#   compilation run on many threads at once, use the quota up within milliseconds, and the
#   whole container, requests in flight included, stands still until the next period. In
#   the measured service, removing the limit took P99 from 178 ms to 27 ms while mean CPU
#   stayed at 0.7 cores (T7). What protects the neighbours is the CPU request, which
#   weighs the container against the others when the node is busy.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: CFS bandwidth control in the Linux kernel
# custom:
#   id: HR202
#   severity: error
#   fixable: true
#   kyverno: true
#   remediation: |
#     Remove limits.cpu and keep a CPU request at the measured average. For a JVM, set
#     -XX:ActiveProcessorCount in the same change: without a limit it sees every core of
#     the node (HR402).
package headroom.rules.cpu["latency-cpu-limit"]

import data.headroom.cpu
import data.headroom.quantity
import data.headroom.workload

# A limit that only a LimitRange would set is HR209's to speak of.
_sources := {
	"container": "limits.cpu",
	"pod": "the Pod's limits.cpu",
}

report contains finding if {
	some c in workload.containers
	c.cpu_limit > 0
	cpu.row[c.id].limit == "none"
	what := _sources[c.cpu_limit_source]
	not _pinned(c)
	limit := quantity.format_cpu(c.cpu_limit)
	finding := {
		"container": c.name,
		"path": _path(c),
		"message": sprintf(
			concat(" ", [
				"%s is %s: a quota of %v ms of CPU time in each 100 ms for all threads together.",
				"A garbage collection on several threads uses it up, and the container stands still until the next period.",
			]),
			[what, limit, cpu.quota_ms(c.cpu_limit, 100)],
		),
		"expected": "no CPU limit; the CPU request is what protects it and its neighbours",
		"figures": {"limit_millicores": c.cpu_limit, "quota_ms": cpu.quota_ms(c.cpu_limit, 100), "period_ms": 100},
		"fixable": c.cpu_limit_source == "container",
	}
}

_path(c) := array.concat(c.path, ["resources", "limits", "cpu"]) if c.cpu_limit_source == "container"

_path(c) := array.concat(workload.spec_path, ["resources", "limits", "cpu"]) if c.cpu_limit_source == "pod"

# Whole cores of its own are the other way out (T12): the static CPU manager gives them to
# a container of a Guaranteed Pod that asks for an integer number of CPUs.
_pinned(c) if {
	workload.annotations["headroom.dev/cpu-pinning"] == "static"
	c.cpu_request == c.cpu_limit
	c.cpu_limit % 1000 == 0
	c.memory_request == c.memory_limit
	c.memory_limit > 0
}
