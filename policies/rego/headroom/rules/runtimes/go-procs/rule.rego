# METADATA
# title: GOMAXPROCS does not fit the CPU limit
# description: |
#   Go runs as many threads at once as GOMAXPROCS says. Under a limit of 3 CPUs, 96 threads
#   were throttled in 13 % of the periods, one thread per core of the limit in 0.005 % (T13).
#   From the go line 1.25 of go.mod on, Go takes the limit rounded up, but never less than 2;
#   before, and wherever there is no limit, it takes every core of the node. It passes over
#   a GOMAXPROCS that is no whole number above 0 without a word (measured with Go 1.26).
# related_resources:
# - ref: https://pkg.go.dev/runtime#GOMAXPROCS
#   description: GOMAXPROCS and its default
# - ref: https://go.dev/doc/go1.25#container-aware-gomaxprocs
#   description: Container-aware GOMAXPROCS, by the go line of go.mod
# custom:
#   id: HR501
#   severity: warning
#   facts: [T13, T16]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set GOMAXPROCS to the CPU limit rounded up; without a limit, to twice the average. A
#     resourceFieldRef to limits.cpu does it where a limit is set. Say what the go line is
#     with runtime.headroom.dev/<container>: go version=1.25.
package headroom.rules.runtimes["go-procs"]

import data.headroom.cpu
import data.headroom.fix
import data.headroom.quantity
import data.headroom.runtime.go

report contains finding if {
	some g in go.gos
	why := go.procs_problem(g)
	average := cpu.average[g.c.id]
	finding := {
		"container": g.container,
		"path": _path(g),
		"message": concat(" ", array.concat([why], _unless(g))),
		"expected": _wanted(g, average),
		"figures": _figures(g, average),
		"fix": _fix(g, average),
		"severity": _severity(g),
	}
}

_path(g) := g.gomaxprocs.path if g.gomaxprocs.set

_path(g) := g.path if not g.gomaxprocs.set

_unless(g) := [sprintf("Unless envFrom sets it: %s.", [concat(", ", g.hidden)]) | go.procs_hidden(g)]

_severity(g) := {true: "info", false: "warning"}[go.procs_hidden(g)]

# Without a limit and an average, nobody knows how many threads are right.
_known(c, average) if max([c.cpu_limit, average.milli]) > 0

# Under the limit that it gets, another number may be right.
_fix(g, average) := fix.by_limit(g.c) if {
	fix.limit_changes(g.c)
} else := [fix.env(g.c, "GOMAXPROCS", json.marshal(cpu.cores[g.c.id]))] if {
	go.may_set_procs(g)
	_known(g.c, average)
} else := []

# Where HR202 takes the limit away, what counts is what is right without one.
_wanted(g, average) := sprintf("no limits.cpu (HR202): without one, GOMAXPROCS may stay %v", [g.gomaxprocs.value]) if {
	_loses_limit(g.c)
	not go.procs_problem(_unlimited(g))
} else := sprintf("%s, as HR202 takes the limit away", [_expected(_unlimited(g).c, average)]) if {
	_loses_limit(g.c)
} else := _expected(g.c, average)

_loses_limit(c) if {
	cpu.row[c.id].limit == "none"
	fix.limit_changes(c)
}

_unlimited(g) := object.union(g, {"c": {"cpu_limit": 0}})

_expected(c, average) := sprintf("GOMAXPROCS: \"%v\", limits.cpu rounded up", [cpu.cores[c.id]]) if {
	c.cpu_limit > 0
} else := sprintf("GOMAXPROCS: \"%v\", twice the average (%s), at least 2", [cpu.cores_of(c), words]) if {
	_known(c, average)
	words := concat("", [sprintf(_words[average.assumed], [quantity.format_cpu(average.milli)]), cpu.measurement(c)])
} else := "GOMAXPROCS: twice the measured average, at least 2"

_words := {true: "its request, %s, stands in for it", false: "%s"}

_figures(g, average) := object.union(seen, {"wanted_gomaxprocs": cpu.cores[g.c.id]}) if {
	seen := {"limit_millicores": g.c.cpu_limit, "gomaxprocs": g.gomaxprocs.value}
	_known(g.c, average)
} else := {"limit_millicores": 0, "gomaxprocs": g.gomaxprocs.value}
