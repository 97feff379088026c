# METADATA
# title: GOMEMLIMIT does not fit the memory limit
# description: |
#   Go's garbage collector does not know the container's memory limit: with GOGC=100 the
#   heap may double between two collections, and the kernel kills the process for garbage.
#   GOMEMLIMIT makes the collector work harder as memory gets short. It needs room below the
#   limit for what it does not count: the binary itself, memory of C libraries, page cache.
#   The unit is MiB or GiB: a GOMEMLIMIT of 400Mi is a fatal error at the start (measured
#   with Go 1.26). That is an error; one of a few bytes, or of no less than the limit, which the
#   collector never comes to before the kernel kills the process, is a warning. So is GOGC=off without one: then
#   nothing starts the collector at all.
# related_resources:
# - ref: https://go.dev/doc/gc-guide#Memory_limit
#   description: A Guide to the Go Garbage Collector, on when to use a memory limit
# - ref: https://pkg.go.dev/runtime#hdr-Environment_Variables
#   description: GOMEMLIMIT and its units
# custom:
#   id: HR503
#   severity: info
#   harm: OOMKilled
#   facts: [T16]
#   fixable: true
#   remediation: |
#     Set GOMEMLIMIT to 90 % of limits.memory, with the unit MiB. A resourceFieldRef gives
#     the whole limit and leaves no room.
package headroom.rules.runtimes["go-memory-limit"]

import data.headroom.advice
import data.headroom.fix
import data.headroom.runtime.go
import data.headroom.words

report contains finding if {
	some g in go.gos
	problem := go.memory_problem(g)
	finding := {
		"container": g.container,
		"path": {true: g.gomemlimit.path, false: g.path}[g.gomemlimit.set],
		"message": concat(" ", array.concat([problem.message], words.unless_hidden(g.gomemlimit.set, g.hidden))),
		"expected": advice.go_memory_limit(g, problem),
		"figures": {"gomemlimit_bytes": g.gomemlimit.bytes, "limit_bytes": g.c.memory_limit},
		"fix": fix.go_memory_limit(g, problem),
		"severity": _severities[problem.kind],
		"follows": ["resize-needs-restart"],
	}
}

_severities := {
	"unset": "info", "no room": "warning", "tiny": "warning", "never": "warning", "placeholder": "warning",
	"malformed": "error",
}
