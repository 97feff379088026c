# METADATA
# title: Sidecar CPU does not follow its measured use
# description: |
#   What a sidecar uses is steady, so it can be measured and given just that: the average
#   as its request, the peak as its limit (an nginx proxy: 200m and 500m). With no request it
#   starves exactly when the container that it serves is busy; with no limit a sidecar that
#   runs wild takes the CPU of that container; and with a limit under its peak every request
#   that passes through it waits for the next period of 100 ms (T1). A limit of more than twice the
#   peak stops no runaway; that is an info.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
#   description: Sidecar containers
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR205
#   severity: error
#   harm: throttled
#   facts: [T1, T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure the sidecar under load and set requests.cpu to its average and limits.cpu to
#     its peak. Record them as cpu-average.headroom.dev/<container> and
#     cpu-peak.headroom.dev/<container>. HR203 compares the request with the average.
package headroom.rules.cpu["sidecar-cpu"]

import data.headroom.advice
import data.headroom.bursts
import data.headroom.cpu
import data.headroom.fix
import data.headroom.workload

report contains finding if {
	"measured" in cpu.asked
	some c in workload.containers
	[path, problem, why, severity, harm] := _problem(c, cpu.row[c.id])
	finding := {
		"container": c.name,
		"path": path,
		"message": problem,
		"why": why,
		"expected": advice.as_measured(c),
		"figures": {
			"request_millicores": c.cpu_request,
			"limit_millicores": c.cpu_limit,
			"average_millicores": cpu.average[c.id].milli,
			"peak_millicores": cpu.peak[c.id],
		},
		"fix": fix.as_measured(c),
		"severity": severity,
		"harm": harm,
	}
}

# [path, message, why, severity, harm]
_problem(c, row) := [
	cpu.limit_path(c),
	cpu.said([cpu.limit_words(c), cpu.request_words(c)]),
	"A runaway sidecar takes the CPU of the container that it serves.",
	"error",
	"neighbours",
] if {
	row.limit == "measured"
	c.cpu_limit == 0
} else := [
	cpu.request_path(c),
	cpu.said([cpu.request_words(c), cpu.limit_words(c)]),
	"It starves just when the container that it serves is busy.",
	"error",
	"starved",
] if {
	row.request == "measured"
	c.cpu_request == 0
} else := [
	cpu.limit_path(c),
	sprintf("%s At its peak it needs %v ms in each 100 ms and gets %v.", [
		cpu.said([cpu.limit_words(c), cpu.peak_words(c)]),
		cpu.used_ms(cpu.peak[c.id], 100),
		cpu.quota_ms(c.cpu_limit, 100),
	]),
	"It is throttled, and the traffic through it waits.",
	"error",
	"throttled",
] if {
	row.limit == "measured"
	cpu.under_peak(c)
} else := [
	cpu.limit_path(c),
	cpu.said([cpu.limit_words(c), cpu.peak_words(c)]),
	"A limit of more than twice the peak does not stop a runaway sidecar.",
	"info",
	"neighbours",
] if {
	row.limit == "measured"
	bursts.far_above_peak(c, cpu.own_request(c))
	not cpu.shared(c.cpu_limit_source)
}
