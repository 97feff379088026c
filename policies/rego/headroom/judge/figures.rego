package headroom.judge

import data.headroom.measured
import data.headroom.workload

# _figures are those of the rule, and, where they rest on a measurement, whose and how good it is.
_figures(report) := object.get(report, "figures", {}) if {
	not workload.measured
} else := object.union(report.figures, {"measured": found.figures}) if {
	some c in workload.containers
	c.name == report.container
	some figure, value in _rests_on
	_ = report.figures[figure]
	_decides(figure, c)
	measured.counts(c.name, value)
	found := measured.containers[c.name]
} else := object.get(report, "figures", {})

_rests_on := {
	"average_millicores": "cpu_average",
	"cores": "cpu_average",
	"peak_bytes": "memory_peak",
	"peak_millicores": "cpu_peak",
	"wanted_gomaxprocs": "cpu_average",
}

# A limit tells the cores before the average does.
_decides(figure, c) if {
	figure in {"cores", "wanted_gomaxprocs"}
	c.cpu_limit <= 0
}

_decides(figure, _) if not figure in {"cores", "wanted_gomaxprocs"}
