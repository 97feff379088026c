# METADATA
# title: No CPU request
# description: |
#   The CPU request is what the scheduler sets aside on a node, and on a busy node it is
#   the container's share of the CPU. Without one the container is placed as if it used
#   nothing and gets the smallest share there is: cpu.shares 2, where a request of one core
#   has 1024. It is also what lets a latency-sensitive container do without a limit, and
#   what the autoscaler measures use against.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# - ref: https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/
#   description: The autoscaler's target is a share of the request
# custom:
#   id: HR201
#   severity: error
#   harm: starved
#   facts: [T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set requests.cpu to the average CPU use (for a cron class, to the peak). Measure it over
#     a week that has the usual load, and record it as cpu-average.headroom.dev/<container>.
package headroom.rules.cpu["cpu-request-missing"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.fix
import data.headroom.workload

# The request that a Pod, a LimitRange or the container's own limit gives counts as one.
report contains finding if {
	some c in workload.containers
	c.cpu_request == 0
	c.role != "init"
	[wanted, milli] := advice.cpu_request(c)
	finding := {
		"container": c.name,
		"path": cpu.request_path(c),
		"message": "requests.cpu is not set.",
		"why": concat(" ", [
			"No CPU is reserved, and on a busy node the container gets next to none",
			"(2 CPU shares, where one core has 1024).",
		]),
		"expected": wanted,
		"figures": {"request_millicores": 0, "wanted_request_millicores": milli},
		"fix": fix.cpu_request(c, milli),
		"follows": _follows(c),
	}
}

# Where nothing is set, HR301 says so of memory and CPU. A row that wants the request at the peak, or as
# measured, has a rule of its own that wants this one too.
_follows(c) := array.concat(
	["memory-missing" | c.memory_request == 0; c.memory_limit == 0],
	[slug | some kind, slug in {"peak": "cron-cpu", "measured": "sidecar-cpu"}; cpu.row[c.id].request == kind],
)
