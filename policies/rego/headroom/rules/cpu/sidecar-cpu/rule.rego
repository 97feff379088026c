# METADATA
# title: Sidecar CPU does not follow its measured use
# description: |
#   What a sidecar uses is steady, so it can be measured and given just that: the average
#   as its request, the peak as its limit (an nginx proxy: 200m and 500m). With no request it
#   starves exactly when the container that it serves is busy; with no limit a sidecar that
#   runs wild takes the CPU of that container; and with a limit under its peak every request
#   that passes through it waits for the next period of 100 ms (T1).
# related_resources:
# - ref: https://kubernetes.io/docs/concepts/workloads/pods/sidecar-containers/
#   description: Sidecar containers
# - ref: https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
#   description: Requests and limits
# custom:
#   id: HR205
#   severity: error
#   facts: [T1, T15]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Measure the sidecar under load and set requests.cpu to its average and limits.cpu to
#     its peak. Record them as cpu-average.headroom.dev/<container> and
#     cpu-peak.headroom.dev/<container>. HR203 compares the request with the average.
package headroom.rules.cpu["sidecar-cpu"]

import data.headroom.cpu
import data.headroom.fix
import data.headroom.measured
import data.headroom.quantity
import data.headroom.workload

report contains finding if {
	"measured" in cpu.asked
	some c in workload.containers
	[path, problem] := _problem(c, cpu.row[c.id])
	average := cpu.measured_average[c.id]
	peak := cpu.peak[c.id]
	changes := array.concat(
		[{"field": "requests.cpu", "what": "average", "milli": average} | c.cpu_request == 0],
		[{"field": "limits.cpu", "what": "peak", "milli": peak} | _limit_is_short(c)],
	)
	finding := {
		"container": c.name,
		"path": path,
		"message": problem,
		"expected": concat("; ", [_wanted(c, change) | some change in changes]),
		"figures": {
			"request_millicores": c.cpu_request,
			"limit_millicores": c.cpu_limit,
			"average_millicores": average,
			"peak_millicores": peak,
		},
		"fix": _fix(c, changes),
	}
}

_fix(c, changes) := [] if {
	min([change.milli | some change in changes]) == 0
} else := [fix.set_cpu_request(c, changes[0].milli)] if {
	not _limit_is_short(c)
} else := fix.with_limit(c, cpu.peak[c.id], changes[0].milli) if {
	count(changes) == 2
} else := fix.with_limit(c, cpu.peak[c.id], 0)

_problem(c, row) := [cpu.limit_path(c), cpu.said(
	[cpu.limit_words(c), cpu.request_words(c)],
	"A sidecar without a limit that runs wild takes the CPU of the container that it serves.",
)] if {
	row.limit == "measured"
	c.cpu_limit == 0
} else := [cpu.request_path(c), cpu.said(
	[cpu.request_words(c), cpu.limit_words(c)],
	"It starves just when the container that it serves is busy.",
)] if {
	row.request == "measured"
	c.cpu_request == 0
} else := [cpu.limit_path(c), cpu.said([cpu.limit_words(c), cpu.peak_words(c)], sprintf(
	"At its peak it needs %v ms in each 100 ms and may run %v: then all that passes through it waits.",
	[cpu.used_ms(cpu.peak[c.id], 100), cpu.quota_ms(c.cpu_limit, 100)],
))] if {
	row.limit == "measured"
	_limit_is_short(c)
}

_limit_is_short(c) if c.cpu_limit == 0

_limit_is_short(c) if {
	c.cpu_limit > 0
	c.cpu_limit < cpu.peak[c.id]
}

_wanted(c, change) := sprintf("%s: its measured %s, %s%s", [change.field, change.what, milli, _by(c, change.what)]) if {
	change.milli > 0
	milli := quantity.format_cpu(change.milli)
} else := sprintf("%s: %s", [change.field, cpu.nobody_says(c, concat(" ", ["measured", change.what]))])

# An annotation is where whoever reads this looks first; a measurement is not in the manifest.
_by(c, what) := sprintf(" (%s)", [measured.containers[c.name].text]) if {
	measured.counts(c.name, concat("_", ["cpu", what]))
} else := ""
