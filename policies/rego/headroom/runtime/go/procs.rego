package headroom.runtime.go

import data.headroom.cpu
import data.headroom.environment
import data.headroom.words

# procs_problem says what is wrong with how many threads Go runs at once; undefined where
# nothing is, or where a value cannot be read.
procs_problem(g) := _procs_problem(g, g.gomaxprocs, g.c.cpu_limit) if {
	g.c.cpu_limit >= 0
	not _adapted(g)
}

# procs_throttle says that a limit, or a count that was set, can throttle Go. Without a limit a thread on every core is
# Go's own choice, and no fault.
procs_throttle(g) if g.gomaxprocs.set

procs_throttle(g) if g.c.cpu_limit != 0

_adapted(g) if {
	g.automaxprocs
	not g.gomaxprocs.set
	g.c.cpu_limit > 0
}

_procs_problem(g, procs, limit) := sprintf("GOMAXPROCS is \"%s\", %s: %s %s.", [
	words.told(procs.raw),
	"which is no whole number above 0",
	"Go ignores it silently and runs",
	_own_choice(g, limit),
]) if {
	not procs.valid
} else := sprintf("GOMAXPROCS is %v%s, and %s: %s", [
	procs.value,
	_from(procs),
	cpu.limit_words(g.c),
	_spent(procs.value, limit),
]) if {
	limit > 0
	procs.value > _most(limit)
} else := sprintf("GOMAXPROCS is taken from limits.cpu, and there is no CPU limit: %s.", [
	"the kubelet fills in all CPUs of the node",
]) if {
	procs.node
} else := sprintf("GOMAXPROCS is not set, and there is no CPU limit: Go runs %s.", [_every_core]) if {
	not procs.set
	limit == 0
} else := sprintf("GOMAXPROCS is not set, and %s: Go does not look at the limit and runs %s.", [
	_why_unaware(g),
	_every_core,
]) if {
	not procs.set
}

# T16: Go's own minimum under a limit, however small that is. For a service one thread is no better (T19).
_least := 2

# procs_wanted is the GOMAXPROCS that fits a container; undefined where its cores are not known.
procs_wanted(c) := max([_least, cpu.cores_of(c)]) if cpu.cores_known(c)

_every_core := "a thread on every core of the node"

# The first go line of a go.mod with which Go looks at the CPU limit.
_first_aware := [1, 25]

_why_unaware(g) := "GODEBUG has containermaxprocs=0" if {
	g.containermaxprocs == "0"
} else := sprintf("release %s of %s has a go line of %v.%v at most", [
	g.program.release,
	g.program.name,
	g.program.go[0],
	g.program.go[1],
]) if {
	g.containermaxprocs != "1"
	g.version == null
	g.program.go
} else := sprintf("the go line of go.mod is %v.%v, before 1.25", [major, minor]) if {
	g.containermaxprocs != "1"
	[major, minor] := g.version
	[major, minor] < _first_aware
}

_own_choice(g, limit) := _every_core if {
	_unbounded(g, limit)
} else := sprintf("%v threads at once%s%s", [_most(limit), _if_least(limit), _if_aware(g)])

_unbounded(_, 0)

_unbounded(g, _) if _why_unaware(g)

_if_least(limit) := ", its own minimum" if {
	limit <= 1000
} else := ""

_if_aware(g) := "" if {
	_surely_aware(g)
} else := " (before go 1.25: one on every core of the node)"

_surely_aware(g) if g.containermaxprocs == "1"

# In Rego's order no version, null, stands before any.
_surely_aware(g) if g.version >= _first_aware

_most(limit) := max([_least, ceil(limit / 1000)])

_from(procs) := sprintf(" (from %s)", [procs.raw]) if procs.state == "resource"

else := ""

# T1: all threads draw on the one quota.
_spent(threads, limit) := sprintf(
	"%v threads use up the %v ms of CPU time per 100 ms in %v ms, then they are throttled.",
	[threads, quota, round((10 * quota) / threads) / 10],
) if {
	quota := cpu.quota_ms(limit, 100)
}

# A Secret that is taken as a whole may hold the variable: then this is not known.
procs_hidden(g) := {g.gomaxprocs.set, count(g.hidden) == 0} == {false}

# may_set_procs says whether GOMAXPROCS may be added: it is nowhere, and nowhere hidden, in the image neither.
default may_set_procs(_) := false

may_set_procs(g) if {
	not g.gomaxprocs.set
	environment.surely_absent(g.c, "GOMAXPROCS")
}
