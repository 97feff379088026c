# METADATA
# title: Throttled, as measured
# description: |
#   The container was throttled in 1 % or more of its CFS periods (T5). A request that is much shorter
#   than a period meets a throttled one about as often as that share says, and waits for the rest of the
#   period at most. A request that takes a period's length lies in two of them, and meets a throttled
#   one in 1 − (1 − share)² of the cases; longer ones meet more. Over 5 %, over the whole time or over
#   any ten minutes, is a warning, and a quarter of all periods an error. Batch and cron work only ends
#   later, so there it is an info. headroom audit finds it where Prometheus has cAdvisor's series.
# related_resources:
# - ref: https://docs.kernel.org/scheduler/sched-bwc.html
#   description: nr_periods and nr_throttled
# custom:
#   id: HR602
#   severity: warning
#   harm: throttled
#   certain: true
#   size: "% of the periods"
#   facts: [T1, T5]
#   remediation: |
#     Take the CPU limit of a latency-sensitive container away (HR202). Where there has to be one, run fewer threads at
#     once, or raise the limit and measure again: a peak under a limit is never above it.
package headroom.rules.measured["cpu-throttled"]

import data.headroom.advice
import data.headroom.classify
import data.headroom.cpu
import data.headroom.measured
import data.headroom.quantity
import data.headroom.words
import data.headroom.workload

report contains finding if {
	some c in workload.containers
	seen := measured.containers[c.name]
	cpu.throttling(seen.ratio, 1) != "healthy"
	c.role != "init"

	# Without a limit there is no quota: what was measured was another one.
	c.cpu_limit > 0
	percent := round(seen.ratio * 1000) / 10
	finding := {
		"container": c.name,
		"path": cpu.limit_path(c),
		"message": sprintf("Throttled in %v %% of its periods%s (%s): about %v %% of short requests are delayed, %s.", [
			percent,
			_long(seen),
			seen.text,
			max([1, round(percent)]),
			sprintf("%v %% of those that run 100 ms", [max([1, round(100 * _met(seen.ratio))])]),
		]),
		"expected": _expected(c),
		"figures": {"percent": percent, "long_seconds": seen.long, "limit_millicores": c.cpu_limit},
		"size": percent,
		"severity": _severity(c),
		"follows": ["latency-cpu-limit"],
	}
}

# A request that takes a period is in two of them, of which none may be throttled.
_met(ratio) := 1 - ((1 - ratio) * (1 - ratio))

_ten_minutes := 600

_long(seen) := sprintf(", over 5 %% for %s", [words.span(seen.long)]) if {
	seen.long >= _ten_minutes
} else := ""

_severity(c) := "info" if {
	classify.classes[c.id] in {"batch", "cron"}
} else := "error" if {
	cpu.throttling(_seen(c).ratio, 1) == "error"
} else := "warning" if {
	cpu.throttling(_seen(c).ratio, 1) == "warning"
} else := "warning" if {
	_seen(c).long >= _ten_minutes
} else := "info"

_seen(c) := measured.containers[c.name]

_expected(c) := advice.no_cpu_limit(c, []) if {
	cpu.row[c.id].limit == "none"
} else := sprintf("limits.cpu above %s, or fewer threads at once; then measure again", [
	quantity.format_cpu(c.cpu_limit),
])
