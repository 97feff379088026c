package headroom.judge

import data.headroom.cpu
import data.headroom.measured
import data.headroom.workload

# _figures are those of the rule, and, where they rest on a measurement, whose and how good it is.
_figures(report) := object.get(report, "figures", {}) if {
	not workload.measured
} else := object.union(report.figures, {"measured": found.figures}) if {
	some c in workload.containers
	c.name == report.container
	some figure, amount in report.figures
	amount > 0
	_decides(figure, c)
	measured.counts(c.name, _value(figure, c))
	found := measured.containers[c.name]
} else := object.get(report, "figures", {})

_rests_on := {
	"average_millicores": "cpu_average",
	"cores": "cpu_average",
	"own_ms": "cpu_average",
	"peak_bytes": "memory_peak",
	"peak_millicores": "cpu_peak",
	"wanted_gomaxprocs": "cpu_average",
	"wanted_request_millicores": "cpu_average",
}

_value(figure, c) := "cpu_peak" if {
	figure == "wanted_request_millicores"
	cpu.row[c.id].request == "peak"
} else := _rests_on[figure]

# A limit tells the cores before the average does.
_decides(_, c) if c.cpu_limit <= 0

_decides(figure, _) if not figure in {"cores", "wanted_gomaxprocs"}
