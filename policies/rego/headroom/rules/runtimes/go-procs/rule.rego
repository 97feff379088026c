# METADATA
# title: GOMAXPROCS does not fit the CPU limit
# description: |
#   Go runs as many threads at once as GOMAXPROCS says. Under a limit of 3 CPUs, 96 threads were
#   throttled in 13 % of the periods, one thread per core of the limit in 0.05 % (T13). From the go line
#   1.25 of go.mod on, Go takes the limit rounded up, and at least 2; before, and wherever there is no
#   limit, it takes every core of the node. Two threads are right for a service under a limit of one CPU
#   or less, too: with one, its 99th percentile was no better (T19). Go silently ignores a GOMAXPROCS
#   that is not a whole number above 0 (measured with Go 1.26).
# related_resources:
# - ref: https://pkg.go.dev/runtime#GOMAXPROCS
#   description: GOMAXPROCS and its default
# - ref: https://go.dev/doc/go1.25#container-aware-gomaxprocs
#   description: Container-aware GOMAXPROCS, by the go line of go.mod
# custom:
#   id: HR501
#   severity: warning
#   harm: throttled
#   facts: [T13, T16, T19]
#   fixable: true
#   kyverno: true
#   remediation: |
#     Set GOMAXPROCS to the CPU limit rounded up, at least 2, or by a resourceFieldRef to limits.cpu. Without
#     a limit nothing is throttled, and this says nothing. A program that is never idle may do more
#     with 1 under a limit of one CPU or less (T19). Say what the go line is with
#     runtime.headroom.dev/<container>: go version=1.25, and that the program imports automaxprocs, which looks
#     at the limit in any release, with go automaxprocs.
package headroom.rules.runtimes["go-procs"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.words

report contains finding if {
	some g in go.gos
	go.procs_throttle(g)
	why := go.procs_problem(g)
	wanted := {name: n | name := "wanted_gomaxprocs"; n := go.procs_wanted(g.c)}
	finding := {
		"container": g.container,
		"path": {true: g.gomaxprocs.path, false: g.path}[g.gomaxprocs.set],
		"message": concat(" ", array.concat([why], words.unless_hidden(g.gomaxprocs.set, g.hidden))),
		"expected": advice.go_procs(g),
		"figures": object.union({"limit_millicores": g.c.cpu_limit, "gomaxprocs": g.gomaxprocs.value}, wanted),
		"fix": fix.go_procs(g),
		"harm": jvm.threads_harm(g.c),
		"severity": {true: "info", false: "warning"}[go.procs_hidden(g)],
	}
}
