# METADATA
# title: CPU request away from the measured average
# description: |
#   A request well under the average use lets the scheduler fill the node with more work than it can
#   run: under load the container gets its request, not what it needs. A request well above it reserves
#   cores that stand idle, and makes the autoscaler, whose target is a share of the request, act too
#   late. The request should be the average itself; within the tolerance (25 % of it unless the config
#   says otherwise) nothing is reported.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR203
#   severity: warning
#   harm: cost
#   facts: [T15]
#   fixable: false
#   kyverno: false
#   remediation: |
#     Set requests.cpu to the measured average, or measure again and correct the
#     cpu-average annotation. A class whose request is its peak (cron) is not judged.
package headroom.rules.cpu["cpu-request-off-average"]

import data.headroom.advice
import data.headroom.cpu
import data.headroom.workload

report contains finding if {
	cpu.averages_known
	not workload.shared_field("cpu") # the field is the limit, too: HR204 speaks
	some c in workload.containers
	average := cpu.average[c.id]
	average.milli > 0
	c.cpu_request > 0
	not cpu.shared(c.cpu_request_source)
	factor := cpu.times(cpu.row[c.id].request)
	wanted := cpu.times_average(factor, average.milli)
	cpu.outside(c.cpu_request, wanted)
	finding := {
		"container": c.name,
		"path": cpu.request_path(c),
		"message": cpu.said([cpu.request_words(c), cpu.average_words(c)]),
		"why": _why[c.cpu_request < wanted],
		"expected": advice.request_times_average(c, factor, average.milli, wanted),
		"figures": {
			"request_millicores": c.cpu_request,
			"average_millicores": average.milli,
			"wanted_request_millicores": wanted,
		},
		"harm": _harm[c.cpu_request < wanted],
	}
}

_harm := {true: "starved", false: "cost"}

_why[true] := "Less is reserved on the node than the container uses: it starves when its neighbours are busy too."

_why[false] := "CPU is reserved that is not used, and the autoscaler acts too late."
