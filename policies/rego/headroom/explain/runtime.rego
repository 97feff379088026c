package headroom.explain

import data.headroom.judge
import data.headroom.runtime.go
import data.headroom.runtime.jvm
import data.headroom.runtime.workers

# runtime is what runs in a container, as the verdicts have it; "jvm?" is a guess.
runtime(c) := judge.runtimes[c.id]

# runtime_evidence is what shows it.
runtime_evidence(c) := sprintf("annotation runtime.headroom.dev/%s", [c.name]) if {
	jvm.declared_runtimes[c.name]
	runtime(c) != ""
} else := found if {
	found := [j.evidence | some j in jvm.jvms; j.c.id == c.id][0]
} else := found if {
	found := [g.evidence | some g in go.gos; g.c.id == c.id][0]
} else := found if {
	found := [pool.source | some pool in workers.pools; pool.c.id == c.id][0]
} else := "nothing in the manifest shows what runs here"
