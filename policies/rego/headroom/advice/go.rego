package headroom.advice

import data.headroom.cpu
import data.headroom.fix
import data.headroom.quantity
import data.headroom.runtime.go

# go_procs is the GOMAXPROCS that fits. Where HR202 takes the limit away, what counts is what is
# right without one.
go_procs(g) := sprintf("no limits.cpu (HR202): without one, GOMAXPROCS may stay %v", [g.gomaxprocs.value]) if {
	fix.loses_limit(g.c)
	not go.procs_problem(_unlimited(g))
} else := sprintf("%s, as HR202 takes the limit away", [_procs(_unlimited(g).c)]) if {
	fix.loses_limit(g.c)
} else := _procs(g.c)

_unlimited(g) := object.union(g, {"c": cpu.without_limit(g.c)})

_procs(c) := sprintf("GOMAXPROCS: \"%v\" (limits.cpu rounded up%s)", [go.procs_wanted(c), _at_least(c.cpu_limit)]) if {
	c.cpu_limit > 0
} else := sprintf("GOMAXPROCS: \"%v\" (twice the average of %s%s, at least %v)", [
	go.procs_wanted(c),
	quantity.format_cpu(cpu.average[c.id].milli),
	cpu.measurement(c),
	cpu.least_cores(c),
]) if {
	cpu.average[c.id].milli > 0
} else := sprintf("GOMAXPROCS: \"%v\" (as many as the limit had, at least 2)", [go.procs_wanted(c)]) if {
	cpu.cores_known(c)
} else := sprintf("GOMAXPROCS: twice the measured average, at least %v", [cpu.least_cores(c)])

_at_least(limit) := ", at least 2" if {
	limit <= 1000
} else := ""

# go_memory_limit is the GOMEMLIMIT that fits. Kubernetes' units lack only the B.
go_memory_limit(g, problem) := sprintf("GOMEMLIMIT: %sB", [g.gomemlimit.raw]) if {
	problem.kind == "malformed"
	regex.match(`^[0-9]{1,9}[KMGT]i$`, g.gomemlimit.raw)
} else := sprintf("GOMEMLIMIT: %s (90 %% of limits.memory)", [go.memory_wanted(g.c.memory_limit)]) if {
	g.c.memory_limit > 0
} else := "GOMEMLIMIT: 90 % of limits.memory, with the unit MiB"
