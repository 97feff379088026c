# METADATA
# title: Cron CPU is not one value, its peak
# description: |
#   A cron run is short and busy all the time: its average says nothing, and it needs its peak from
#   beginning to end. Request = limit = peak reserves that much for the minutes in which it runs. With a
#   request below the limit the run takes as long as its neighbours let it; with a limit under the peak
#   it is throttled for all of its busy part. More than twice the peak reserves CPU for nothing and
#   stops no run that loops: an info. Where the peak is not known, a request and a limit that differ are
#   a warning. A class that only the kind shows, as of a CronJob, is not judged until the peak is known.
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/
#   description: CronJob
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR206
#   severity: error
#   harm: throttled
#   facts: [T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set requests.cpu and limits.cpu to the peak CPU use of a run. `headroom annotate` measures that and records it
#     as cpu-peak.headroom.dev/<container>.
package headroom.rules.cpu["cron-cpu"]

import data.headroom.advice
import data.headroom.bursts
import data.headroom.classify
import data.headroom.cpu
import data.headroom.fix
import data.headroom.workload

report contains finding if {
	"peak" in cpu.asked
	some c in workload.containers
	row := cpu.row[c.id]
	fields := [field | some field in ["request", "limit"]; row[field] == "peak"]
	peak := cpu.peak[c.id]
	not _of_no_use(c, peak)
	[path, why, severity, harm] := _problem(c, fields)
	peak_words := [cpu.peak_words(c) | peak > 0]
	finding := {
		"container": c.name,
		"path": path,
		"message": cpu.said(array.concat([cpu.request_words(c), cpu.limit_words(c)], peak_words)),
		"why": why,
		"expected": _expected(c, fields, severity),
		"figures": {"request_millicores": c.cpu_request, "limit_millicores": c.cpu_limit, "peak_millicores": peak},
		"fix": [change | severity == "error"; some change in fix.at_peak(c, fields)],
		"severity": severity,
		"harm": harm,
	}
}

# What may run for seconds only has its class by its kind.
_of_no_use(c, 0) if not classify.said(c.name)

_expected(c, _, "warning") := advice.one_value(c)

_expected(c, fields, severity) := advice.at_peak(c, fields) if severity != "warning"

# [path, why, severity, harm]
_problem(c, fields) := [
	cpu.limit_path(c),
	"A run that loops takes every idle core of the node.",
	"error",
	"neighbours",
] if {
	"limit" in fields
	c.cpu_limit == 0
} else := [
	cpu.limit_path(c),
	"It is throttled at its peak, and the run takes longer.",
	"error",
	"throttled",
] if {
	"limit" in fields
	cpu.under_peak(c)
} else := [
	cpu.request_path(c),
	"Only the request is reserved on the node: when that is busy, the run takes longer.",
	{true: "error", false: "warning"}[cpu.peak[c.id] > 0],
	"starved",
] if {
	fields == ["request", "limit"]
	c.cpu_request >= 0
	c.cpu_limit > c.cpu_request
	not cpu.shared(c.cpu_limit_source)
} else := [cpu.request_path(c), "Less is reserved on the node than the run needs.", "error", "starved"] if {
	"request" in fields
	c.cpu_request > 0
	c.cpu_request < cpu.peak[c.id]
} else := [cpu.limit_path(c), _too_much(fields), "info", "neighbours"] if {
	"limit" in fields
	bursts.far_above_peak(c, 0)
	not cpu.shared(c.cpu_limit_source)
}

_too_much(fields) := "More than twice the peak is reserved for nothing, and does not stop a run that loops." if {
	"request" in fields
} else := "A limit of more than twice the peak does not stop a run that loops."
