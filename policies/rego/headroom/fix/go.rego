package headroom.fix

import data.headroom.cpu
import data.headroom.environment
import data.headroom.runtime.go

# go_procs is the fix that sets GOMAXPROCS. Under the limit that it gets, another number may be
# right.
go_procs(g) := by_limit(g.c) if {
	limit_changes(g.c)
} else := [env(g.c, "GOMAXPROCS", json.marshal(go.procs_wanted(g.c)))] if {
	go.may_set_procs(g)
} else := []

# loses_limit says that HR202 is about to take a container's CPU limit away.
loses_limit(c) if {
	cpu.row[c.id].limit == "none"
	limit_changes(c)
}

# go_memory_limit is the fix that sets GOMEMLIMIT where nothing does.
go_memory_limit(g, problem) := [env(g.c, "GOMEMLIMIT", go.memory_wanted(g.c.memory_limit)) | _memory_unset(g, problem)]

_memory_unset(g, problem) if {
	problem.kind in {"never", "unset"}
	environment.surely_absent(g.c, "GOMEMLIMIT")
}
